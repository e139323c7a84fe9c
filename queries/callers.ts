import type { Caller } from '../commands/context.js'
import { type Account, account } from '../commands/people/user/events.js'
import { type JsonText, splice } from '../projections/record.js'
import { tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import type { ReadModel } from '../src/readmodel/readModel.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
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

/** The account behind a token, or null where either is gone or the token is revoked. */
export async function callerOf(read: ReadStore, token: TokenRow | null): Promise<Caller | null> {
  if (!token || token.revokedAt !== null) return null
  const user = await read.get(usersTable, token.userId)
  return user && { userId: user.id, tokenId: token.id, ...accountOf(user) }
}

/** The token with this hash of its secret. */
export async function tokenByHash(read: Pick<ReadStore, 'list'>, hash: string): Promise<TokenRow | null> {
  return (await read.list(tokensTable, 'byHash', [hash], { limit: 1 }))[0] ?? null
}

const TOKEN_BYTES = 500

/** The same from what is cached. What is not found is not kept: guesses must not fill the cache. */
export function knownToken(readModel: ReadModel, hash: string): Promise<TokenRow | null> {
  return readModel.cached(
    `token/${hash}`,
    [{ table: tokensTable, scope: hash }],
    (token) => (token ? TOKEN_BYTES : Number.POSITIVE_INFINITY),
    () => tokenByHash(readModel, hash)
  )
}

/** A token as administrators see it: never its secret, which nobody has. */
export function tokenRecord(row: TokenRow, lastUsedAt: string | null): JsonText {
  return splice(row.body, { createdAt: row.createdAt, lastUsedAt, revokedAt: row.revokedAt })
}

/** Every token, newest first. */
export const allTokens: Rows = { table: tokensTable, index: 'byAge', under: [], selection: { reverse: true } }

/** Tokens of one account, or of all, newest first. */
export function listTokens(read: ReadStore, userId?: string): Promise<readonly TokenRow[]> {
  const newestFirst = { reverse: true }
  return userId === undefined
    ? read.list(tokensTable, 'byAge', [], newestFirst)
    : read.list(tokensTable, 'byUser', [userId], newestFirst)
}
