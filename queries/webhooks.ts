import { type JsonText, splice } from '../commands/record.js'
import { webhooksTable } from '../commands/webhooks/table.js'
import type { Row } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

type WebhookRow = Row<typeof webhooksTable.columns>

/** A subscription as its owner and administrators see it: never its secret, which nobody keeps. */
export function webhookRecord(row: WebhookRow): JsonText {
  const { ownerId, isEnabled, disabledReason, disabledAt, createdAt, updatedAt, rotatedAt } = row
  const status = isEnabled ? 'active' : 'disabled'
  return splice(row.body, { ownerId, isEnabled, status, disabledReason, disabledAt, createdAt, updatedAt, rotatedAt })
}

/** Subscriptions of one account, or all of them, oldest first. */
export function listWebhooks(userId?: string): Rows<typeof webhooksTable.columns> {
  return userId === undefined
    ? { table: webhooksTable, index: 'byAge', under: [] }
    : { table: webhooksTable, index: 'byOwner', under: [userId] }
}
