import type { InvitationEvent } from '../commands/people/invitation/events.js'
import { invitationsTable } from '../commands/people/invitation/table.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { patch, projector, put, removeWhere } from './define.js'

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
