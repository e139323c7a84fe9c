import { table } from '../table.js'

/**
 * Subscriptions to changes. Where each stands is kept beside the log (`StateStore`); here is what the log says of it: from
 * `startsAfter` on everything is sent since the event at `startedBy`, and what failed before `effectiveAt` counts no more.
 */
export const webhooksTable = table({
  name: 'webhooks',
  columns: {
    ownerId: 'id',
    isEnabled: 'flag',
    disabledReason: 'id?',
    disabledAt: 'time?',
    disabledPosition: 'integer?',
    createdAt: 'time',
    updatedAt: 'time',
    startsAfter: 'integer',
    startedBy: 'integer',
    effectiveAt: 'time',
    secretVersion: 'integer',
    rotatedAt: 'time?'
  },
  indexes: {
    byOwner: { by: ['ownerId'], order: ['createdAt'] },
    byAge: { by: [], order: ['createdAt'] }
  },
  scope: 'id'
})
