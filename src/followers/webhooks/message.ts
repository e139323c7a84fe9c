import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { webhooksTable } from '../../../commands/webhooks/table.js'
import type { Row } from '../../storage/storage.js'
import { type FeedChange, feedChange } from '../feed/change.js'
import type { WebhookKey } from './key.js'

export type WebhookRow = Row<typeof webhooksTable.columns>

const timestamp = z.iso.datetime().describe('When the change happened, or when the test was asked for.')
/** The bodies of messages, for the description of the interface. */
export const messages = {
  change: z.object({
    type: z.string().describe('What happened, such as `RequestUpdated`.'),
    timestamp,
    data: feedChange.describe('The change, with the collection that the owner of the webhook may see.')
  }),
  test: z.object({
    type: z.literal('webhook.test').describe('That it is a test, and tells of no change.'),
    timestamp,
    data: z.object({ webhookId: z.string().describe('The id of the webhook.') }).describe('What is tested.')
  })
}

/** What is sent of one change: the same bytes under the same id, however often. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly body: string
}

/** How long deliveries are signed with the secret before a rotation too. */
const OVERLAP_MS = 24 * 3_600_000
/** Two: a rotation whose answer was lost is made once more, and receivers still have the first. */
const EARLIER_VERSIONS = 2

/** The message about a change for a subscription. */
export function messageOf(webhookId: string, change: FeedChange): Message {
  const { type, at: timestamp, position } = change
  return { id: `msg_${webhookId}_${position}`, type, body: JSON.stringify({ type, timestamp, data: change }) }
}

/** A message that tells of no change: whether the URL is reached and the signature understood. */
export function testMessage(webhookId: string, testId: string, now: number): Message {
  const type = 'webhook.test'
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data: { webhookId } })
  return { id: `msg_${webhookId}_test_${testId}`, type, body }
}

/** The headers that sign a message at a moment, as Standard Webhooks has them. */
export function signatureHeaders(key: WebhookKey, row: WebhookRow, { id, body }: Message, now: number) {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = versionsInForce(row, now).map((version) => {
    const secret = Buffer.from(key.secretOf(row.id, version).replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The versions of the secret that deliveries are signed with, the newest first. */
function versionsInForce({ secretVersion, rotatedAt }: WebhookRow, now: number): readonly number[] {
  const isRotating = rotatedAt !== null && now - Date.parse(rotatedAt) < OVERLAP_MS
  const count = isRotating ? Math.min(1 + EARLIER_VERSIONS, secretVersion) : 1
  return Array.from({ length: count }, (_, i) => secretVersion - i)
}
