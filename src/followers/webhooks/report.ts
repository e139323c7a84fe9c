import { randomUUID } from 'node:crypto'
import type { Ledger } from '../../ledger/ledger.js'
import { testMessage, type WebhookRow } from './message.js'
import type { Sent } from './send.js'
import type { Webhooks } from './service.js'
import { type Delivery, failingNow, standingKey, standingOf } from './standing.js'

/** Where a subscription stands, and what its last deliveries came to, the newest first. */
export interface DeliveryReport {
  /** Everything up to here was delivered, or is not for it. */
  readonly position: number
  /** Where the log ends. */
  readonly end: number
  readonly failing: null | {
    readonly position: number
    readonly attempts: number
    readonly since: string
    readonly nextAttemptAt: string
  }
  readonly deliveries: readonly Delivery[]
}

/** What its owner can know of how a subscription does. */
export async function deliveryReport({ storage, readModel }: Ledger, row: WebhookRow): Promise<DeliveryReport> {
  const standing = standingOf(row, await storage.state.get(standingKey(row.id)))
  const failing = failingNow(standing, row)
  return {
    position: standing.position,
    end: readModel.head.position,
    failing: failing && {
      position: failing.position,
      attempts: failing.attempts,
      since: timeText(failing.since),
      nextAttemptAt: timeText(failing.nextAt)
    },
    deliveries: standing.deliveries
  }
}

/** Sends a message that tells of no change, once and at once, whether the subscription is switched on or not. */
export async function deliverTest(
  webhooks: Webhooks,
  row: WebhookRow,
  now: number
): Promise<Pick<Sent, 'status' | 'error' | 'answer'> & { readonly messageId: string; readonly durationMs: number }> {
  const message = testMessage(row.id, randomUUID(), now)
  const { status, error, answer, duration_ms: durationMs } = await webhooks.deliver(row, message, now, neverAborted)
  return { messageId: message.id, status, error, answer, durationMs }
}

const neverAborted = new AbortController().signal

function timeText(time_ms: number): string {
  return new Date(time_ms).toISOString()
}
