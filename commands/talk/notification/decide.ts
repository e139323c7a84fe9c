import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { type Caller, type Deciders, requireUser } from '../../context.js'
import { requireUnconfined } from '../../people/token/scopes.js'
import { findThread } from '../comment/decide.js'
import { requireSeen } from '../comment/discussed.js'
import { emitNotification, emitSubscription, type NoticeLevel } from './events.js'
import { noticeLevelsTable, threadSubscriptionsTable } from './table.js'

export type NotificationCommand =
  | { readonly type: 'SetNoticeLevel'; readonly level: NoticeLevel }
  /** A thread goes by the comment that it begins with; `id` is that of the subscription, where there is none yet. */
  | { readonly type: 'SubscribeToThread'; readonly id: string; readonly rootId: string }
  | { readonly type: 'UnsubscribeFromThread'; readonly id: string; readonly rootId: string }

/** Decides what the caller is told: every user for themselves. */
export const notificationDeciders: Deciders<NotificationCommand> = {
  async SetNoticeLevel({ level }, { caller, read }) {
    requireUser(caller)
    requireUnconfined(caller)
    const { userId } = caller
    const row = await read.get(noticeLevelsTable, userId)
    return row?.level === level ? [] : [emitNotification(userId, 'NoticeLevelSet', { level })]
  },
  async SubscribeToThread({ id, rootId }, { caller, read }) {
    requireUser(caller)
    const thread = await findThread(rootId, read)
    if (!thread) throw errors.notFound('Discussion thread')
    requireSeen(caller, thread.found)
    return subscribed(id, rootId, true, caller, read)
  },
  /** Nothing happens where the thread is not there: there is nothing to be told of. */
  async UnsubscribeFromThread({ id, rootId }, { caller, read }) {
    requireUser(caller)
    return (await findThread(rootId, read)) ? subscribed(id, rootId, false, caller, read) : []
  }
}

/**
 * The event by which the caller is told of a thread or not; none where that is so already. Who has said so of very many forgets what they
 * have said longest ago: its row is that of this thread from then on.
 */
async function subscribed(
  id: string,
  rootId: string,
  wanted: boolean,
  { userId }: Caller,
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const [known] = await read.list(threadSubscriptionsTable, 'byThread', [userId, rootId], { limit: 1 })
  if (known?.isSubscribed === wanted) return []
  const isFull = async () =>
    (await read.count(threadSubscriptionsTable, 'byUser', [userId])) >= LIMITS.threadSubscriptions.max
  const [oldest] =
    !known && (await isFull()) ? await read.list(threadSubscriptionsTable, 'byUser', [userId], { limit: 1 }) : []
  return [emitSubscription((known ?? oldest)?.id ?? id, wanted ? 'ThreadSubscribed' : 'ThreadUnsubscribed', { rootId })]
}
