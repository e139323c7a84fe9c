import { createHmac } from 'node:crypto'
import { MADE_KEYS } from '../../config/keys.js'
import { keyMadeIn } from '../../lib/keyFile.js'
import { sha256 } from '../../log/chain.js'

const SECRET_PREFIX = 'whsec_'

/** What the signing secrets of all subscriptions are derived from, so that none has to be kept. */
export interface WebhookKey {
  /** Tells keys apart, and says nothing of the key. */
  readonly id: string
  /** The secret of a subscription in one of its versions, as receivers are given it. */
  secretOf(webhookId: string, version: number): string
}

/**
 * The key in a file, which is made where there is none, for its owner alone; one that is open to others is closed to them.
 * Throws `UnusableKey`.
 */
export function webhookKeyIn(file: string): WebhookKey {
  const key = keyMadeIn(file, MADE_KEYS.webhooks)
  return {
    id: sha256(Buffer.concat([Buffer.from('webhook key '), key]).toString('latin1')).slice(0, 16),
    secretOf: (webhookId, version) =>
      SECRET_PREFIX + createHmac('sha256', key).update(`${webhookId}.${version}`).digest('base64')
  }
}
