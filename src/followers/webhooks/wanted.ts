import { allows, type Caller } from '../../../commands/context.js'
import { SYSTEM_ID, systemCaller } from '../../../commands/people/user/system.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { type WebhookContent, webhookContent } from '../../../commands/webhooks/events.js'
import { reachingOf } from '../../../queries/callers.js'
import type { ReadStore } from '../../storage/storage.js'
import { type FeedChange, type FeedEntry, seenBy } from '../feed/change.js'
import type { WebhookRow } from './message.js'

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
  if (!user || user.disabledAt !== null) return null
  const owner = { userId: user.id, tokenId: null, scopes: null, ...(await reachingOf(user, read)) }
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
