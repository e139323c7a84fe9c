import { z } from 'zod'
import type { TokenEvent } from '../commands/people/token/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { Row } from '../src/storage/storage.js'
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

export const tokens = projector<TokenEvent | UserEvent | ImportEvent>(tokensTable, 2, {
  TokenImported: (e) => {
    const { name, createdBy: _, updatedBy: __, ...columns } = e.data
    const { userId, prefix } = columns
    return [put(tokensTable, e, columns, tokenBody(e.subject, { userId, name, prefix, agentWrites: false }))]
  },
  TokenCreated: (e) => [
    put(
      tokensTable,
      e,
      { userId: e.data.userId, hash: e.data.hash, prefix: e.data.prefix, createdAt: e.at, revokedAt: null },
      tokenBody(e.subject, e.data)
    )
  ],
  TokenRevoked: (e) => [patch(tokensTable, e, { revokedAt: e.at })],
  TokenDeleted: (e) => [remove(tokensTable, e.subject)],
  UserDeleted: (e) => [removeWhere(tokensTable, 'userId', e.subject)]
})

interface Shown {
  readonly userId: string
  readonly name: string
  readonly prefix: string
  readonly agentWrites: boolean
}

function tokenBody(id: string, { userId, name, prefix, agentWrites }: Shown) {
  return { id, userId, name, tokenPrefix: prefix, agentWrites }
}

const flags = z.object({ agentWrites: z.boolean() })

/** True where agents may write with the token in this row. */
export function allowsAgentWrites({ body }: Pick<Row, 'body'>): boolean {
  return flags.parse(JSON.parse(body)).agentWrites
}
