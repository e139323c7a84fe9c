import { table } from '../../table.js'

/** What changed the groups of discussions. The newest says at which epoch a group is. The body is what clients get. */
export const mlsCommitsTable = table({
  name: 'mlsCommits',
  columns: { targetKind: 'id', targetId: 'id', current: 'id?', epoch: 'integer', createdAt: 'time' },
  indexes: {
    byTarget: { by: ['targetKind', 'targetId'], order: ['epoch'] },
    byGroup: { by: ['targetKind', 'current'], order: ['epoch'] }
  },
  scope: 'targetId'
})

/** What lets devices into groups: for the account `ownerId` alone, whose device it is. The body is what clients get. */
export const mlsWelcomesTable = table({
  name: 'mlsWelcomes',
  columns: {
    targetKind: 'id',
    targetId: 'id',
    current: 'id?',
    senderId: 'id?',
    ownerId: 'id',
    recipientId: 'id',
    recipientDeviceId: 'id',
    createdAt: 'time'
  },
  indexes: {
    byTarget: { by: ['targetKind', 'targetId'], order: ['createdAt'] },
    byGroup: { by: ['targetKind', 'current'], order: ['createdAt'] },
    byOwner: { by: ['targetKind', 'current', 'ownerId'], order: ['createdAt'] },
    byDevice: { by: ['targetKind', 'current', 'ownerId', 'recipientDeviceId'], order: ['createdAt'] }
  },
  scope: 'targetId'
})
