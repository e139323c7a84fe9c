import type { HubConfig, WebhooksConfig } from '../../config/types.js'
import { type Resolve, systemResolve } from '../../net/guardedAddress.js'
import { type WebhookKey, webhookKeyIn } from './key.js'
import { type Message, signatureHeaders, type WebhookRow } from './message.js'
import type { Send, Sent } from './send.js'
import { contentOf } from './wanted.js'

/** What deliveries have come to since the process began, and what waits. */
export interface WebhookCounts {
  delivered: number
  failed: number
  /** When the oldest change was made that this process has yet to deliver, in milliseconds; null where nothing waits. */
  oldest: () => number | null
}

/** What a hub with a configuration for webhooks sends with. */
export interface Webhooks {
  readonly settings: WebhooksConfig
  readonly key: WebhookKey
  readonly counts: WebhookCounts
  /** One attempt, signed at this moment. Rejects only when the signal is aborted. */
  deliver(row: WebhookRow, message: Message, now: number, signal: AbortSignal): Promise<Sent>
}

/** What webhooks are sent with under a configuration; null where it has none. Throws `UnusableKey`. */
export function openWebhooks(
  { webhooks: settings }: Pick<HubConfig, 'webhooks'>,
  counts: WebhookCounts = newCounts(),
  resolve: Resolve = systemResolve
): Webhooks | null {
  if (!settings) return null
  const key = webhookKeyIn(settings.keyFile)
  const { allowPrivateAddresses, timeoutSeconds } = settings
  let send: Promise<Send> | undefined
  const sender = async () => {
    // Loaded only where something is sent.
    const { senderFor } = await import('./send.js')
    return senderFor({ allowPrivateAddresses, timeout_ms: timeoutSeconds * 1000, resolve })
  }
  return {
    settings,
    key,
    counts,
    async deliver(row, message, now, signal) {
      send ??= sender()
      const headers = signatureHeaders(key, row, message, now)
      return (await send)({ url: contentOf(row).url, headers, body: message.body, signal })
    }
  }
}

/** Nothing delivered yet. */
export function newCounts(): WebhookCounts {
  return { delivered: 0, failed: 0, oldest: () => null }
}
