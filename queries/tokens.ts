import { type JsonText, splice } from '../projections/record.js'
import { tokensTable } from '../projections/tokens.js'
import type { ReadStore } from '../src/storage/storage.js'
import type { TokenRow } from './callers.js'
import type { Rows } from './listing.js'

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
