import type { Caller } from '../commands/context.js'
import { grantsOf, reachOf } from '../commands/people/grant/grants.js'
import { cutToScopes } from '../commands/people/token/scopes.js'
import { type Account, account } from '../commands/people/user/events.js'
import { type JsonText, splice } from '../projections/record.js'
import { hasExpired, limitsOf, tokensTable } from '../projections/tokens.js'
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

const reaching = new WeakMap<UserRow, Omit<Caller, 'userId' | 'tokenId' | 'scopes'>>()

/** The account in this row with what it reaches by its lists and its grants; administrators have none of either. */
export function reachingOf(row: UserRow): Omit<Caller, 'userId' | 'tokenId' | 'scopes'> {
  const account = accountOf(row)
  const known = reaching.get(row) ?? { ...account, ...reachOf(account, account.role === 'admin' ? [] : grantsOf(row)) }
  reaching.set(row, known)
  return known
}

/** The account behind a token at a moment, as far as its scopes go; null where either is gone, or the token is revoked or over. */
export async function callerOf(read: ReadStore, token: TokenRow | null, now: () => string): Promise<Caller | null> {
  if (!token || token.revokedAt !== null) return null
  if (token.expiresAt !== null && hasExpired(token, now())) return null
  const user = await read.get(usersTable, token.userId)
  const { scopes } = limitsOf(token)
  return user && cutToScopes({ userId: user.id, tokenId: token.id, scopes, ...reachingOf(user) })
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
  return splice(row.body, {
    ...{ createdAt: row.createdAt, lastUsedAt, revokedAt: row.revokedAt, expiresAt: row.expiresAt }
  })
}

/** Every token, newest first. */
export const allTokens: Rows = { table: tokensTable, index: 'byAge', under: [], selection: { reverse: true } }

/** Every token of one account, newest first. */
export const tokensOf = (userId: string): Rows => ({
  ...{ table: tokensTable, index: 'byUser', under: [userId], selection: { reverse: true } }
})

/** Tokens of one account, or of all, newest first. */
export function listTokens(read: ReadStore, userId?: string): Promise<readonly TokenRow[]> {
  const { index, under, selection } = userId === undefined ? allTokens : tokensOf(userId)
  return read.list(tokensTable, index, under, selection)
}
