import type { ImportEvent } from '../commands/import/events.js'
import type { TokenEvent } from '../commands/token/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { patch, projector, put, remove, removeWhere, table } from './define.js'

/** API tokens: the sha256 of each secret and what may be shown of it. */
export const tokensTable = table({
  name: 'tokens',
  columns: { userId: 'id', hash: 'id', prefix: 'id', createdAt: 'time', revokedAt: 'time?' },
  indexes: {
    byHash: { by: ['hash'], order: [], unique: true },
    byUser: { by: ['userId'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'hash'
})

export const tokens = projector<TokenEvent | UserEvent | ImportEvent>(tokensTable, 1, {
  TokenImported: (e) => {
    const { name, ...columns } = e.data
    return [put(tokensTable, e, columns, { id: e.subject, userId: columns.userId, name, tokenPrefix: columns.prefix })]
  },
  TokenCreated: (e) => [
    put(
      tokensTable,
      e,
      { userId: e.data.userId, hash: e.data.hash, prefix: e.data.prefix, createdAt: e.at, revokedAt: null },
      { id: e.subject, userId: e.data.userId, name: e.data.name, tokenPrefix: e.data.prefix }
    )
  ],
  TokenRevoked: (e) => [patch(tokensTable, e, { revokedAt: e.at })],
  TokenDeleted: (e) => [remove(tokensTable, e.subject)],
  UserDeleted: (e) => [removeWhere(tokensTable, 'userId', e.subject)]
})
