import type { ErasureEvent } from '../commands/log/erasure/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { NotificationEvent, SubscriptionEvent } from '../commands/talk/notification/events.js'
import { noticeLevelsTable, threadSubscriptionsTable } from '../commands/talk/notification/table.js'
import { projector, put, remove, removeWhere } from './define.js'

export const noticeLevels = projector<NotificationEvent | UserEvent | ImportEvent>(noticeLevelsTable, 1, {
  NoticeLevelSet: (e) => [put(noticeLevelsTable, e, { level: e.data.level, updatedAt: e.at }, {})],
  NoticeLevelImported: (e) => [put(noticeLevelsTable, e, e.data, {})],
  UserDeleted: (e) => [remove(noticeLevelsTable, e.subject)]
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
