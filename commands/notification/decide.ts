import { commentsTable } from '../../projections/comments.js'
import { noticeLevelsTable, threadSubscriptionsTable } from '../../projections/notifications.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import { discussedBy } from '../comment/decide.js'
import { findDiscussed, requireSeen } from '../comment/discussed.js'
import { type Context, requireUser } from '../context.js'
import { emitNotification, emitSubscription, type NoticeLevel } from './events.js'

export type NotificationCommand =
  | { readonly type: 'SetNoticeLevel'; readonly level: NoticeLevel }
  /** A thread goes by the comment that it begins with; `id` is that of the subscription, where there is none yet. */
  | { readonly type: 'SubscribeToThread'; readonly id: string; readonly rootId: string }
  | { readonly type: 'UnsubscribeFromThread'; readonly id: string; readonly rootId: string }

/** Decides what the caller is told: every user for themselves. */
export async function decideNotification(
  command: NotificationCommand,
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  requireUser(caller)
  const { userId } = caller
  if (command.type === 'SetNoticeLevel') {
    const { level } = command
    const row = await read.get(noticeLevelsTable, userId)
    return row?.level === level ? [] : [emitNotification(userId, 'NoticeLevelSet', { level })]
  }
  const { id, rootId } = command
  const wanted = command.type === 'SubscribeToThread'
  const root = await read.get(commentsTable, rootId)
  const found = root && root.rootId === root.id ? await findDiscussed(discussedBy(root), read) : null
  if (!found) {
    if (wanted) throw errors.notFound('Discussion thread')
    return []
  }
  if (wanted) requireSeen(caller, found)
  const [known] = await read.list(threadSubscriptionsTable, 'byThread', [userId, rootId], { limit: 1 })
  if (known?.isSubscribed === wanted) return []
  const { max } = LIMITS.threadSubscriptions
  if (!known && (await read.count(threadSubscriptionsTable, 'byUser', [userId])) >= max)
    throw errors.tooManySubscriptions(max)
  return [emitSubscription(known?.id ?? id, wanted ? 'ThreadSubscribed' : 'ThreadUnsubscribed', { rootId })]
}
