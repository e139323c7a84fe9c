import { z } from 'zod'
import { empty } from '../content.js'
import { begin, type EventsOf, emitter, event } from '../event.js'

/** What a subscription asks for: which changes are sent, and where. The secret that signs them is nowhere in the log. */
export const webhookContent = z.object({
  url: z.string(),
  /** Kinds of thing whose changes are sent; all where there is none. */
  kinds: z.array(z.string()),
  /** Types of event that are sent; all where there is none. */
  types: z.array(z.string()),
  /** The collection whose changes are sent; null for everything. */
  collectionId: z.string().nullable(),
  description: z.string()
})
export type WebhookContent = z.infer<typeof webhookContent>

/**
 * Why nothing is sent any more: somebody wanted it so, the receiver has failed for too long or said that it is gone (410), the
 * owner may not see the changes any more, or it is not known where the subscription stood, since that is not part of the log: the
 * log was restored or imported.
 */
export const DISABLED_REASONS = ['requested', 'failures', 'gone', 'access', 'restored'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const webhookEvents = {
  WebhookCreated: begin(webhookContent.extend({ ownerId: z.string() })),
  WebhookChanged: event(webhookContent),
  WebhookDisabled: event(z.object({ reason: z.enum(DISABLED_REASONS) })),
  WebhookEnabled: event(empty),
  /** From here on deliveries are signed with the secret of this version, for a while with the one before it too. */
  WebhookSecretRotated: event(z.object({ secretVersion: z.number() })),
  /** Everything behind this position of the log is sent again. */
  WebhookReplayed: event(z.object({ after: z.number() })),
  WebhookDeleted: event(empty)
}
export type WebhookEvent = EventsOf<typeof webhookEvents>
export const emitWebhook = emitter('webhook', webhookEvents)
