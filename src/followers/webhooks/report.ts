import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Ledger } from '../../ledger/ledger.js'
import { timeText } from '../../lib/clock.js'
import type { Frozen } from '../../lib/frozen.js'
import { type attempted, delivery, deliveryStateKey, deliveryStateOf, failingNow } from './deliveryState.js'
import { testMessage, type WebhookRow } from './message.js'
import type { Webhooks } from './service.js'

const failing = z.object({
  position: z.int().describe('The position of the change that cannot be delivered.'),
  attempts: z.int().describe('How often it was tried.'),
  since: z.string().describe('When it was tried first.'),
  nextAttemptAt: z.string().describe('When it is tried again.')
})

/** Where a subscription stands, and what its last deliveries came to, the newest first. */
export const deliveryReportShape = z.object({
  position: z.int().describe('The position of the log up to which everything was delivered, or is not for it.'),
  end: z.int().describe('The position at which the log ends.'),
  failing: failing.nullable().describe('The change that could not be delivered yet; null where there is none.'),
  deliveries: z.array(delivery).describe('The last attempts, the newest first.')
})
export type DeliveryReport = Frozen<z.infer<typeof deliveryReportShape>>

/** What its owner can know of how a subscription does. */
export async function deliveryReport({ storage, readModel }: Ledger, row: WebhookRow): Promise<DeliveryReport> {
  const state = deliveryStateOf(row, await storage.state.get(deliveryStateKey(row.id)))
  const failing = failingNow(state, row)
  return {
    position: state.position,
    end: readModel.head.position,
    failing: failing && {
      position: failing.position,
      attempts: failing.attempts,
      since: timeText(failing.since),
      nextAttemptAt: timeText(failing.nextAt)
    },
    deliveries: state.deliveries
  }
}

/** Sends a message that tells of no change, once and at once, whether the subscription is switched on or not. */
export async function deliverTest(
  webhooks: Webhooks,
  row: WebhookRow,
  now: number
): Promise<z.infer<typeof attempted>> {
  const message = testMessage(row.id, randomUUID(), now)
  const { status, error, answer, duration_ms: durationMs } = await webhooks.deliver(row, message, now, neverAborted)
  return { messageId: message.id, status, error, answer, durationMs }
}

const neverAborted = new AbortController().signal
