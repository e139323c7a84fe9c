import { z } from 'zod'
import type { TokenEvent } from '../commands/people/token/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { Row } from '../src/storage/storage.js'
import { patch, projector, put, remove, removeWhere, table } from './define.js'

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

export const tokens = projector<TokenEvent | UserEvent | ImportEvent>(tokensTable, 4, {
  TokenImported: (e) => {
    const { name, createdBy: _, updatedBy: __, ...columns } = e.data
    const { userId, prefix } = columns
    const shown = { userId, name, prefix, agentWrites: false, scopes: null }
    return [put(tokensTable, e, { ...columns, expiresAt: null, replacedBy: null }, tokenBody(e.subject, shown))]
  },
  TokenCreated: (e) => {
    const { userId, hash, prefix, expiresAt } = e.data
    const columns = { userId, hash, prefix, createdAt: e.at, revokedAt: null, expiresAt, replacedBy: null }
    return [put(tokensTable, e, columns, tokenBody(e.subject, e.data))]
  },
  TokenReplaced: (e) => [patch(tokensTable, e, { expiresAt: e.data.expiresAt, replacedBy: e.data.by })],
  TokenRevoked: (e) => [patch(tokensTable, e, { revokedAt: e.at })],
  TokenDeleted: (e) => [remove(tokensTable, e.subject)],
  UserDeleted: (e) => [removeWhere(tokensTable, 'userId', e.subject)]
})

interface Shown {
  readonly userId: string
  readonly name: string
  readonly prefix: string
  readonly agentWrites: boolean
  readonly scopes: readonly string[] | null
}

function tokenBody(id: string, { userId, name, prefix, agentWrites, scopes }: Shown) {
  return { id, userId, name, tokenPrefix: prefix, agentWrites, scopes }
}

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
