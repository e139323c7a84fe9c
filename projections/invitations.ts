import type { InvitationEvent } from '../commands/people/invitation/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { patch, projector, put, removeWhere, table } from './define.js'

/**
 * Invitations: the sha256 of each secret, how far it has come, and with which token of the account itself it was made, if with one. The
 * body is what an administrator sees of it.
 */
export const invitationsTable = table({
  name: 'invitations',
  columns: {
    userId: 'id',
    hash: 'id',
    createdAt: 'time',
    expiresAt: 'time',
    redeemedAt: 'time?',
    revokedAt: 'time?',
    madeWith: 'id?'
  },
  indexes: {
    byHash: { by: ['hash'], order: [], unique: true },
    byUser: { by: ['userId'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'id'
})

export const invitations = projector<InvitationEvent | UserEvent | ImportEvent>(invitationsTable, 2, {
  InvitationImported: (e) => {
    const { prefix, createdBy: _, updatedBy: __, ...columns } = e.data
    return [
      put(
        invitationsTable,
        e,
        { ...columns, madeWith: null },
        { id: e.subject, userId: columns.userId, codePrefix: prefix }
      )
    ]
  },
  InvitationCreated: (e) => {
    const { userId, hash, prefix, expiresAt } = e.data
    const times = { createdAt: e.at, expiresAt, redeemedAt: null, revokedAt: null }
    const madeWith = e.actorId === userId ? e.tokenId : null
    return [
      put(invitationsTable, e, { userId, hash, madeWith, ...times }, { id: e.subject, userId, codePrefix: prefix })
    ]
  },
  InvitationRedeemed: (e) => [patch(invitationsTable, e, { redeemedAt: e.at })],
  InvitationRevoked: (e) => [patch(invitationsTable, e, { revokedAt: e.at })],
  UserDeleted: (e) => [removeWhere(invitationsTable, 'userId', e.subject)]
})
