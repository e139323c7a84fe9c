import { table } from '../../table.js'

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
