import { table } from '../../table.js'

/** Which notices each account is shown, where it has said so. A row goes by the id of its account. */
export const noticeLevelsTable = table({
  name: 'noticeLevels',
  columns: { level: 'id', updatedAt: 'time' },
  indexes: {},
  scope: 'id'
})

/** The threads that an account wants to be told of, and those that it does not, where it has said so. */
export const threadSubscriptionsTable = table({
  name: 'threadSubscriptions',
  columns: { userId: 'id', rootId: 'id', isSubscribed: 'flag', at: 'time' },
  indexes: {
    byUser: { by: ['userId'], order: ['at'] },
    byThread: { by: ['userId', 'rootId'], order: [] },
    byRoot: { by: ['rootId'], order: [] }
  },
  scope: 'userId'
})
