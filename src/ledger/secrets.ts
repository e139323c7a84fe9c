import { randomBytes, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { IssuedInvitation } from '../../commands/people/invitation/decide.js'
import type { IssuedToken } from '../../commands/people/user/decide.js'
import { type Account, toldRole } from '../../commands/people/user/events.js'
import { lockables } from '../../commands/records/kinds.js'
import type { HubConfig } from '../config/types.js'
import { errors } from '../errors.js'
import { timeText } from '../lib/clock.js'
import { sha256 } from '../log/chain.js'

/** A secret as it is shown once, with what may be kept of it: a prefix for display and the sha256. */
export interface Secret {
  readonly secret: string
  readonly prefix: string
  readonly hash: string
}

const PREFIX_LENGTH = 8

/**
 * Draws a secret of 256 random bits: `hbk_` for API tokens, `hbi_` for invitations (sections 2 and 5), `hbt_` for tickets. Its last
 * six characters are a checksum of the rest, by which a scanner tells a leaked one from what only looks so.
 */
export function drawSecret(kind: 'hbk_' | 'hbi_' | 'hbt_'): Secret {
  const random = randomBytes(32).toString('base64url')
  const secret = kind + random + checksum(kind + random)
  return { secret, prefix: kind + random.slice(0, PREFIX_LENGTH), hash: sha256(secret) }
}

/** True for what looks like the secret of an API token of a hub. */
export function isApiToken(text: string): boolean {
  return text.startsWith('hbk_')
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6

/** The CRC-32 of a text in base 62, six digits, the highest first. */
function checksum(text: string): string {
  let [rest, digits] = [crc32(text), '']
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The last day that ISO 8601 writes with four digits of year. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** How long tokens are in force: where nobody says, and at most; null for no end. */
export type TokenLifetime = HubConfig['tokens']

/**
 * A fresh token: its secret, to be shown once, and what the hub keeps. `asked` says what agents may do with it, until when it is in
 * force (ISO 8601 in UTC, null for no end) and for what. Refuses with 400 what is longer than the configuration allows.
 */
export function issueToken(
  lifetime: TokenLifetime,
  now: number,
  { expiresAt, ...asked }: Pick<IssuedToken, 'agentWrites' | 'expiresAt' | 'scopes'> = {}
): { readonly secret: string; readonly token: IssuedToken } {
  const { secret, prefix, hash } = drawSecret('hbk_')
  const end = tokenEnd(lifetime, now, expiresAt)
  return { secret, token: { tokenId: randomUUID(), prefix, hash, ...asked, expiresAt: end } }
}

function tokenEnd(
  { expiresInDays, expiresInDaysMax }: TokenLifetime,
  now: number,
  asked?: string | null
): string | null {
  const last = expiresInDaysMax === undefined ? null : inDays(expiresInDaysMax, now)
  if (asked === undefined) {
    const usual = expiresInDays === undefined ? null : inDays(expiresInDays, now)
    return usual ?? last
  }
  const end = asked === null ? null : timeText(Date.parse(asked))
  if (last !== null && (end === null || end > last)) throw errors.tokenTooLong(expiresInDaysMax ?? 0)
  return end
}

function inDays(days: number, now: number): string {
  return timeText(Math.min(now + days * DAY_MS, LAST_MS))
}

/** A fresh invitation that lasts so many hours from now: its secret, to be shown once, and what the hub keeps. */
export function issueInvitation(
  expiresInHours: number,
  now = Date.now()
): { readonly secret: string; readonly invitation: IssuedInvitation } {
  const { secret, prefix, hash } = drawSecret('hbi_')
  const expiresAt = new Date(Math.min(now + expiresInHours * HOUR_MS, LAST_MS)).toISOString()
  return { secret, invitation: { invitationId: randomUUID(), prefix, hash, expiresAt } }
}

/**
 * The link that opens the join page of a hub (section 2, Invitation). What is shown stands in the query, the secret in the
 * fragment alone, which no browser sends. It names the tenant that the account is of, unless that is the hub itself.
 */
export function inviteLink(
  baseUrl: string,
  { name, role, ...access }: Account,
  { expiresAt, secret }: { readonly expiresAt: string; readonly secret: string },
  tenant: string | null = null
): string {
  const base = baseUrl.replace(/\/+$/, '')
  const query = new URLSearchParams({ url: base, name, role: toldRole(role), exp: expiresAt, access: summary(access) })
  if (tenant !== null) query.set('tenant', tenant)
  return `${base}/join?${query}#code=${secret}`
}

function summary(access: Omit<Account, 'name' | 'role'>): string {
  const amount = (ids: readonly string[]) =>
    ids.includes('*') ? 'all' : ids.length === 0 ? 'none' : String(ids.length)
  return [
    ...lockables.map(({ title, access: list }) => `${title}s: ${amount(access[list])}`),
    `LLM: ${access.llmAccess ? 'enabled' : 'disabled'}`
  ].join(' · ')
}
