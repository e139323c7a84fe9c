import type { Schemas } from '@collections-hub/client'
import { unlessRefused } from './hub.js'
import { hub } from './session.js'

export type Webhook = Schemas['Webhook']
export type Deliveries = Schemas['WebhookDeliveries']
export type Attempt = Schemas['WebhookAttempt']
/** What is filled in of a webhook. */
export type Subscription = Schemas['CreateWebhookBody']

/** One's own webhooks; for administrators all; null where the hub sends none. */
export function loadWebhooks(signal: AbortSignal): Promise<readonly Webhook[] | null> {
  return unlessRefused(
    ['webhooks-not-configured'],
    null,
    async () => (await hub().request('GET', '/webhooks', { signal })).body.webhooks
  )
}
