import type { Caller } from '../commands/context.js'
import { grantsOf, reachOf } from '../commands/people/grant/grants.js'
import { groupIn, groupsOf, membershipsOf, withGroups } from '../commands/people/group/membership.js'
import { signInsTable } from '../commands/people/identity/table.js'
import { cutToScopes } from '../commands/people/token/scopes.js'
import { hasExpired, limitsOf, tokensTable } from '../commands/people/token/table.js'
import { type Account, account } from '../commands/people/user/events.js'
import { usersTable } from '../commands/people/user/table.js'
import { type JsonText, splice } from '../commands/record.js'
import { slices } from '../src/limits.js'
import type { ReadModel } from '../src/readmodel/readModel.js'
import type { PagedReads, ReadStore, Row } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

export type TokenRow = Row<typeof tokensTable.columns>
export type UserRow = Row<typeof usersTable.columns>

// A row never changes, so what was parsed from it is good for as long as the row is around.
const parsed = new WeakMap<UserRow, Account>()

/** What an administrator decided about the account in this row. */
export function accountOf(row: UserRow): Account {
  const known = parsed.get(row) ?? account.parse(JSON.parse(row.body))
  parsed.set(row, known)
  return known
}

type Reaching = Omit<Caller, 'userId' | 'tokenId' | 'scopes'>
const NO_GROUPS: readonly Row[] = []
const reaching = new WeakMap<UserRow, { readonly groups: readonly Row[]; readonly reach: Reaching }>()

/** The account in this row with what it reaches by its lists, its grants and its groups; who is no user has none of them. */
export async function reachingOf(row: UserRow, read: Pick<ReadStore, 'get'>): Promise<Reaching> {
  const groups = row.groups === null ? NO_GROUPS : await groupsOf(row, read)
  const known = reaching.get(row)
  if (known && known.groups.length === groups.length && groups.every((one, i) => one === known.groups[i]))
    return known.reach
  const reach = reachWith(row, groups)
  reaching.set(row, { groups, reach })
  return reach
}

function reachWith(row: UserRow, groups: readonly Row[]): Reaching {
  const own = accountOf(row)
  if (own.role !== 'user') return { ...own, viewed: [] }
  const memberships = membershipsOf(row).map(({ id }) => id)
  if (memberships.length === 0) return { ...own, ...reachOf(own, grantsOf(row)) }
  const { grants, ...account } = withGroups({ ...own, grants: grantsOf(row) }, groups.map(groupIn))
  return { ...account, ...reachOf(account, grants), groups: memberships }
}

/** The account behind a token at a moment, as far as its scopes go; null where either is gone, the token is revoked or over,
 * or the account is disabled. */
export async function callerOf(read: ReadStore, token: TokenRow | null, now: () => string): Promise<Caller | null> {
  if (!token || token.revokedAt !== null) return null
  if (token.expiresAt !== null && hasExpired(token, now())) return null
  const user = await read.get(usersTable, token.userId)
  const { scopes } = limitsOf(token)
  if (!user || user.disabledAt !== null) return null
  const reach = await reachingOf(user, read)
  return cutToScopes({ userId: user.id, tokenId: token.id, scopes, ...reach })
}

/** The token with this hash of its secret. */
export async function tokenByHash(read: Pick<ReadStore, 'list'>, hash: string): Promise<TokenRow | null> {
  return (await read.list(tokensTable, 'byHash', [hash], { limit: 1 }))[0] ?? null
}

const TOKEN_BYTES = 500
/** So many tokens are looked up together. */
const ROWS_AT_ONCE = 500

/** The same from what is cached. What is not found is not kept: guesses must not fill the cache. */
export function knownToken(readModel: ReadModel, hash: string): Promise<TokenRow | null> {
  return readModel.cached(
    `token/${hash}`,
    [{ table: tokensTable, scope: hash }],
    (token) => (token ? TOKEN_BYTES : Number.POSITIVE_INFINITY),
    () => tokenByHash(readModel, hash)
  )
}

/** A token that was issued, as its owner and administrators see it: never its secret, which nobody has. */
export function tokenRecord(row: TokenRow, lastUsedAt: string | null, isSession = false): JsonText {
  const { createdAt, revokedAt, expiresAt } = row
  return splice(row.body, { createdAt, lastUsedAt, revokedAt, expiresAt, ...(isSession && { isSession }) })
}

/** The same of any tokens, by when each was used last. */
export async function tokenRecords(
  read: Pick<ReadStore, 'getAll'>,
  rows: readonly TokenRow[],
  uses: ReadonlyMap<string, string>
): Promise<readonly JsonText[]> {
  const sessions = await sessionsAmong(read, rows)
  return rows.map((row) => tokenRecord(row, uses.get(row.id) ?? null, sessions.has(row.id)))
}

/** The ids of those tokens that are sessions of browsers: sign-ins have given them, and they end soon by themselves. */
export async function sessionsAmong(
  read: Pick<ReadStore, 'getAll'>,
  rows: readonly TokenRow[]
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const some of slices(rows, ROWS_AT_ONCE)) {
    const ids = some.map(({ id }) => id)
    for (const { id } of await read.getAll(signInsTable, ids, { body: false })) found.add(id)
  }
  return found
}

/** Every token, newest first. */
export const allTokens: Rows = { table: tokensTable, index: 'byAge', under: [], selection: { reverse: true } }

/** Every token of one account, newest first. */
export const tokensOf = (userId: string): Rows => ({
  ...{ table: tokensTable, index: 'byUser', under: [userId], selection: { reverse: true } }
})

/**
 * Tokens of one account, or of all, newest first and without their bodies, a part at a time: each sign-in adds to them, and none goes by
 * itself.
 */
export async function* tokenParts(
  read: Pick<PagedReads, 'listPart'>,
  userId?: string
): AsyncGenerator<readonly TokenRow[], void> {
  const { index, under, selection } = userId === undefined ? allTokens : tokensOf(userId)
  for (let last: TokenRow | undefined; ; ) {
    const after = last && [last.createdAt, last.id]
    const part = await read.listPart(tokensTable, index, under, { ...selection, after, limit: ROWS_AT_ONCE })
    yield part
    last = part.at(-1)
    if (part.length < ROWS_AT_ONCE) return
  }
}
