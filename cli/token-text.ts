import { nameOf } from '../commands/named.js'
import type { TokenRow } from '../queries/callers.js'

/** A token in a listing as a block of lines. */
export function tokenBlock(row: TokenRow, lastUsedAt: string | null): readonly string[] {
  return [
    `- id: ${row.id}`,
    `  user id: ${row.userId}`,
    `  name: ${nameOf(row)}`,
    `  prefix: ${row.prefix}`,
    `  created: ${row.createdAt}`,
    `  last used: ${lastUsedAt ?? '-'}`,
    `  revoked: ${row.revokedAt ?? '-'}`
  ]
}

/** A new token with its secret, which is told here and never again. */
export function issuedTokenBlock(row: TokenRow, userName: string, secret: string): readonly string[] {
  return [
    `Created API token "${nameOf(row)}" (${row.id}) for user "${userName}".`,
    `Token prefix: ${row.prefix}`,
    '',
    'Store this token now; it will not be shown again:',
    secret
  ]
}
