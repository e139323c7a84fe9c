import { createHmac } from 'node:crypto'
import { allows, type Caller } from '../../../commands/context.js'
import { SYSTEM_ID, systemCaller } from '../../../commands/people/user/system.js'
import { type WebhookContent, webhookContent } from '../../../commands/webhooks/events.js'
import { usersTable } from '../../../projections/users.js'
import type { webhooksTable } from '../../../projections/webhooks.js'
import { accountOf } from '../../../queries/callers.js'
import type { ReadStore, Row } from '../../storage/storage.js'
import { type FeedChange, type FeedEntry, seenBy } from '../feed/change.js'
import type { WebhookKey } from './key.js'

export type WebhookRow = Row<typeof webhooksTable.columns>

/** What is sent of one change: the same bytes under the same id, however often. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly body: string
}

/** How long deliveries are signed with the secret before a rotation too. */
const OVERLAP_MS = 24 * 3_600_000

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
  return isRotating ? [secretVersion, secretVersion - 1] : [secretVersion]
}

// A row never changes, so what was parsed from it is good for as long as the row is around.
const parsed = new WeakMap<WebhookRow, WebhookContent>()

/** What a subscription asks for. */
export function contentOf(row: WebhookRow): WebhookContent {
  const known = parsed.get(row) ?? webhookContent.parse(JSON.parse(row.body))
  parsed.set(row, known)
  return known
}

/** The owner of a subscription with the access of now; null where they may see nothing of what it is about. */
export async function ownerOf(read: Pick<ReadStore, 'get'>, row: WebhookRow): Promise<Caller | null> {
  if (row.ownerId === SYSTEM_ID) return systemCaller
  const user = await read.get(usersTable, row.ownerId)
  if (!user) return null
  const owner = { userId: user.id, tokenId: null, ...accountOf(user) }
  const { collectionId } = contentOf(row)
  if (owner.role === 'admin') return owner
  return collectionId !== null && allows(owner.collectionAccess, collectionId) ? owner : null
}

/** The change as a subscription gets it; null where it does not ask for it, or its owner may not see it. */
export function wantedBy(row: WebhookRow, owner: Caller, { change, collections }: FeedEntry): FeedChange | null {
  const { kinds, types, collectionId } = contentOf(row)
  if (kinds.length > 0 && !kinds.includes(change.kind)) return null
  if (types.length > 0 && !types.includes(change.type)) return null
  if (collectionId === null) return seenBy({ change, collections }, owner)
  return collections.includes(collectionId) ? seenBy({ change, collections: [collectionId] }, owner) : null
}
