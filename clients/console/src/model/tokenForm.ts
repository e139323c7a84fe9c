import type { Schemas } from '@collections-hub/client'

type Role = Schemas['User']['exactRole']

/** What somebody has chosen of a new token. */
export interface TokenForm {
  readonly name: string
  readonly lasts: Lasts
  /** What it may do; null for all that its account may. */
  readonly scopes: readonly string[] | null
  readonly agentWrites: boolean
}

/** How long a token is in force: so many days, for ever, or as the hub is set. */
type Lasts = 'usual' | 'never' | '7' | '30' | '90' | '365'

export const LASTS: readonly { readonly value: Lasts; readonly label: string }[] = [
  { value: 'usual', label: 'as the hub is set' },
  { value: '7', label: 'for a week' },
  { value: '30', label: 'for 30 days' },
  { value: '90', label: 'for 90 days' },
  { value: '365', label: 'for a year' },
  { value: 'never', label: 'until it is revoked' }
]

/** What a token can be limited to, in words. */
export const SCOPES: readonly (readonly [scope: string, label: string, about: string])[] = [
  ['read', 'Read', 'records, their history, discussions and notices'],
  ['write', 'Read and change', 'the same'],
  ['llm', 'Use models', 'on the account’s budget'],
  ['agent', 'Agents', 'at the address for agents'],
  ['admin:read', 'Read what administrators read', 'accounts, the audit log, the state of the hub'],
  ['scim', 'Keep accounts and groups', 'as a directory does, and nothing else']
]

const OF_ACCOUNTS: readonly string[] = ['admin:read', 'scim']
const OF_ROLE: Readonly<Record<Role, (scope: string) => boolean>> = {
  user: (scope) => !OF_ACCOUNTS.includes(scope),
  admin: () => true,
  accountAdmin: (scope) => OF_ACCOUNTS.includes(scope),
  auditor: (scope) => scope === 'admin:read'
}

/** What a token of an account with this role can be limited to. */
export const scopesFor = (role: Role) => SCOPES.filter(([scope]) => OF_ROLE[role](scope))

export const EMPTY_TOKEN: TokenForm = { name: '', lasts: 'usual', scopes: null, agentWrites: false }

/** What is wrong with it; undefined where nothing is. */
export function tokenFormFault({
  name,
  scopes
}: TokenForm): { readonly name?: string; readonly scopes?: string } | undefined {
  if (name.trim() === '') return { name: 'Give the token a name first.' }
  if (scopes?.length === 0) return { scopes: 'Tick at least one thing that it may do.' }
  return undefined
}

const DAY_MS = 86_400_000

/** What the hub is sent of it, at a time. */
export function tokenBodyOf({ name, lasts, scopes, agentWrites }: TokenForm, now_ms: number) {
  const body = { name, agentWrites, ...(scopes && { scopes: [...scopes] }) }
  if (lasts === 'usual') return body
  return { ...body, expiresAt: lasts === 'never' ? null : new Date(now_ms + Number(lasts) * DAY_MS).toISOString() }
}

/** What a token may do, in a few words. */
export function scopesInWords(scopes: readonly string[]): string {
  const collections = scopes.filter((scope) => scope.startsWith('collection:')).length
  const words = SCOPES.filter(([scope]) => scopes.includes(scope)).map(([, label]) => label.toLowerCase())
  if (collections === 0) return `only: ${words.join(', ')}`
  return `only: ${words.join(', ')}, in ${collections === 1 ? 'one collection' : `${collections} collections`}`
}

const SOON_DAYS = 7

/** Whether a token ends within a week from a time. A session of a browser always does, and whoever uses it signs in again. */
export function endsSoon({ expiresAt, isSession }: Schemas['Token'], now_ms: number): boolean {
  return !isSession && expiresAt !== null && endAt(expiresAt, now_ms) === 'soon'
}

/** Whether a token has ended at a time, ends within a week from then, or later. */
export function endAt(expiresAt: string, now_ms: number): 'over' | 'soon' | 'later' {
  const left_ms = Date.parse(expiresAt) - now_ms
  if (left_ms <= 0) return 'over'
  return left_ms <= SOON_DAYS * DAY_MS ? 'soon' : 'later'
}
