import { createHmac } from 'node:crypto'
import { codeOf } from '../../lib/files.js'
import { KEY_BYTES, keyFileBytes } from '../../lib/keyFile.js'
import { sha256 } from '../../log/chain.js'

const SECRET_PREFIX = 'whsec_'

/** The key of webhooks cannot be used; the message names the file and says why. */
export class UnusableWebhookKey extends Error {
  override readonly name = 'UnusableWebhookKey'
}

/** What the signing secrets of all subscriptions are derived from, so that none has to be kept. */
export interface WebhookKey {
  /** Tells keys apart, and says nothing of the key. */
  readonly id: string
  /** The secret of a subscription in one of its versions, as receivers are given it. */
  secretOf(webhookId: string, version: number): string
}

/**
 * The key in a file, which is made where there is none, for its owner alone; one that is open to others is closed to them.
 * Throws `UnusableWebhookKey`.
 */
export function webhookKeyIn(file: string): WebhookKey {
  try {
    return keyOf(keyFileBytes(file), file)
  } catch (cause) {
    if (cause instanceof UnusableWebhookKey) throw cause
    const code = codeOf(cause) ?? 'unknown error'
    throw new UnusableWebhookKey(`The key of webhooks cannot be read or made: ${file} (${code})`, { cause })
  }
}

function keyOf(bytes: Buffer, file: string): WebhookKey {
  if (bytes.length !== KEY_BYTES)
    throw new UnusableWebhookKey(
      `The key of webhooks ${file} must hold ${KEY_BYTES} bytes, and it holds ${bytes.length}.`
    )
  return {
    id: sha256(Buffer.concat([Buffer.from('webhook key '), bytes]).toString('latin1')).slice(0, 16),
    secretOf: (webhookId, version) =>
      SECRET_PREFIX + createHmac('sha256', bytes).update(`${webhookId}.${version}`).digest('base64')
  }
}
