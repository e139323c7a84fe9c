import type { TokenEvent } from '../commands/people/token/events.js'
import { tokensTable } from '../commands/people/token/table.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { patch, projector, put, remove, removeWhere } from './define.js'

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
