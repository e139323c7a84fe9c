import type { ErasureEvent } from '../commands/log/erasure/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { NotificationEvent, SubscriptionEvent } from '../commands/talk/notification/events.js'
import { projector, put, remove, removeWhere, table } from './define.js'

/** Which notices each account is shown, where it has said so. A row goes by the id of its account. */
export const noticeLevelsTable = table({
  name: 'noticeLevels',
  columns: { level: 'id', updatedAt: 'time' },
  indexes: {},
  scope: 'id'
})

export const noticeLevels = projector<NotificationEvent | UserEvent | ImportEvent>(noticeLevelsTable, 1, {
  NoticeLevelSet: (e) => [put(noticeLevelsTable, e, { level: e.data.level, updatedAt: e.at }, {})],
  NoticeLevelImported: (e) => [put(noticeLevelsTable, e, e.data, {})],
  UserDeleted: (e) => [remove(noticeLevelsTable, e.subject)]
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

export const threadSubscriptions = projector<SubscriptionEvent | UserEvent | ErasureEvent | ImportEvent>(
  threadSubscriptionsTable,
  1,
  {
    ThreadSubscribed: (e) => [put(threadSubscriptionsTable, e, { ...thread(e), isSubscribed: true }, {})],
    ThreadUnsubscribed: (e) => [put(threadSubscriptionsTable, e, { ...thread(e), isSubscribed: false }, {})],
    ThreadSubscriptionImported: (e) => [put(threadSubscriptionsTable, e, { ...e.data, isSubscribed: true }, {})],
    UserDeleted: (e) => [removeWhere(threadSubscriptionsTable, 'userId', e.subject)],
    PayloadsErased: (e) =>
      e.data.kind === 'comment' ? [removeWhere(threadSubscriptionsTable, 'rootId', e.data.id)] : []
  }
)

const thread = ({ actorId, at, data: { rootId } }: SubscriptionEvent) => ({ userId: actorId, rootId, at })
