import { z } from 'zod'
import type { Row } from '../../../src/storage/storage.js'
import { table } from '../../table.js'

/** API tokens: the sha256 of each secret and what may be shown of it. */
export const tokensTable = table({
  name: 'tokens',
  columns: {
    ...{ userId: 'id', hash: 'id', prefix: 'id', createdAt: 'time', revokedAt: 'time?', expiresAt: 'time?' },
    replacedBy: 'id?'
  },
  indexes: {
    byHash: { by: ['hash'], order: [], unique: true },
    byUser: { by: ['userId'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'hash'
})

const limits = z.object({ agentWrites: z.boolean(), scopes: z.array(z.string()).nullable() })
export type TokenLimits = Readonly<z.infer<typeof limits>>

// A row never changes, so what was parsed from it is good for as long as the row is around.
const parsed = new WeakMap<Pick<Row, 'body'>, TokenLimits>()

/** What the token in this row may be used for: whether agents may write with it, and its scopes, null for all that its account may. */
export function limitsOf(row: Pick<Row, 'body'>): TokenLimits {
  const known = parsed.get(row) ?? limits.parse(JSON.parse(row.body))
  parsed.set(row, known)
  return known
}

/** True from the moment on at which a token ends, ISO 8601. */
export function hasExpired({ expiresAt }: { readonly expiresAt: string | null }, now: string): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** True for a token that is neither revoked nor over at this time, ISO 8601. */
export function isInForce(
  token: { readonly revokedAt: string | null; readonly expiresAt: string | null },
  now: string
): boolean {
  return token.revokedAt === null && !hasExpired(token, now)
}
