import { z } from 'zod'
import { type EventsOf, emitter, event } from '../../event.js'

/** Which notices an account is shown: all, those of comments that mention it, or none. */
export const NOTICE_LEVELS = ['all', 'mentions', 'none'] as const
export type NoticeLevel = (typeof NOTICE_LEVELS)[number]

/** What an account wants to be told. Its stream goes by the id of the account. */
export const notificationEvents = {
  NoticeLevelSet: event(z.object({ level: z.enum(NOTICE_LEVELS) }))
}
export type NotificationEvent = EventsOf<typeof notificationEvents>
export const emitNotification = emitter('notification', notificationEvents)

const thread = z.object({ rootId: z.string() })

/** Whether the account that acts wants to be told of answers in a thread. */
export const subscriptionEvents = {
  ThreadSubscribed: event(thread),
  ThreadUnsubscribed: event(thread)
}
export type SubscriptionEvent = EventsOf<typeof subscriptionEvents>
export const emitSubscription = emitter('subscription', subscriptionEvents)
