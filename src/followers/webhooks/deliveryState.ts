import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import type { StateEntry, StateStore } from '../../storage/storage.js'
import type { WebhookRow } from './message.js'
import type { Sent } from './send.js'

/** What came of one attempt to deliver. */
export const attempted = z.object({
  messageId: z.string().describe('The `webhook-id` of the message.'),
  status: z.int().nullable().describe('The status of the answer; null where there was none.'),
  error: z.string().nullable().describe('Why there was no answer, or why it counts as a failure; null for a success.'),
  answer: z.string().describe('The first kilobyte of the answer.'),
  durationMs: z.int().describe('How long it took, in milliseconds.')
})
/** One attempt to deliver a change, as the owner of a subscription sees it. */
export const delivery = z.object({
  ...attempted.shape,
  position: z.int().describe('The position of the change in the log.'),
  type: z.string().describe('What happened, such as `RequestUpdated`.'),
  at: z.string().describe('When it was tried.'),
  attempt: z.int().describe('Which attempt for this change it was, from 1.')
})

/**
 * Where a subscription stands, beside the log. Everything up to `position` was delivered, or is not for it; `startedBy` is the
 * event since which that counts. `failing` is the change that could not be delivered yet; `untried` is how long of the time since then
 * nobody has tried though it was due: no hub was there, or a clock jumped. `lease` says which process delivers now, and until when. Times
 * are in milliseconds.
 */
const deliveryState = z.object({
  startedBy: z.number(),
  position: z.number(),
  failing: z
    .object({
      ...{ position: z.number(), attempts: z.number(), since: z.number(), lastAt: z.number(), nextAt: z.number() },
      untried: z.number().default(0)
    })
    .nullable(),
  lease: z.object({ holder: z.string(), until: z.number() }).nullable(),
  deliveries: z.array(delivery)
})
export type DeliveryState = z.infer<typeof deliveryState>

const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 3_600_000

/** The key of a subscription's state in the `StateStore`. */
export function deliveryStateKey(webhookId: string): string {
  return `webhook-${webhookId}`
}

/** What is known of where a subscription stands; the beginning where nothing is, or it was to begin anew since. */
export function deliveryStateOf(row: WebhookRow, entry: Pick<StateEntry, 'text'> | null): DeliveryState {
  const known = entry ? deliveryState.parse(JSON.parse(entry.text)) : null
  if (known?.startedBy === row.startedBy) return known
  const beginning = { startedBy: row.startedBy, position: row.startsAfter, failing: null, lease: null }
  return { ...beginning, deliveries: known?.deliveries ?? [] }
}

/**
 * Writes down where a new subscription begins, where nothing is known of it yet. That a subscription has no state for long
 * means that it was lost: see `isLost`. Never rejects: it is for when a hub delivers, which does so itself where this fails.
 */
export async function begin(state: StateStore, row: WebhookRow): Promise<void> {
  await state.put(deliveryStateKey(row.id), JSON.stringify(deliveryStateOf(row, null)), null).catch(() => {})
}

/** A time in which nothing is done, in milliseconds of the wall clock. */
export interface Rest {
  readonly since: number
  readonly until: number
}

/** How far the clocks of hubs on one log may be apart without one of them disregarding what another has written. */
const APART_MS = 60_000

/** True while a rest lasts. A clock that was set back to before it began ends it: else it would last as much longer. */
export function isResting({ since, until }: Rest, now: number): boolean {
  return now < until && now > since - APART_MS
}

const LOST_AFTER_MS = 24 * 3_600_000

/** True where a subscription that has no state must have had one: the log is here, and what was beside it is not. */
export function isLost({ effectiveAt }: WebhookRow, now: number): boolean {
  return now - Date.parse(effectiveAt) > LOST_AFTER_MS
}

const SLOW_IN_A_ROW = 3

/** True where the receiver lets the hub wait again and again: each of the last attempts took long. */
export function isSlow({ deliveries }: Pick<DeliveryState, 'deliveries'>): boolean {
  const last = deliveries.slice(0, SLOW_IN_A_ROW)
  return last.length === SLOW_IN_A_ROW && last.every(({ durationMs }) => durationMs > LIMITS.slowDelivery.max)
}

/** What is failing still, after what was changed in the subscription since: a new URL, or switching it on, is tried at once. */
export function failingNow({ failing }: DeliveryState, { effectiveAt }: WebhookRow): DeliveryState['failing'] {
  return failing && failing.lastAt >= Date.parse(effectiveAt) ? failing : null
}

/** An attempt to deliver the change at a position. */
export interface Attempt {
  readonly messageId: string
  readonly position: number
  readonly type: string
  readonly now: number
  readonly sent: Sent
  /** Between 0 and 1: so that those that fail together do not come back together. */
  readonly random: number
}

/** Where a subscription stands after an attempt, with nobody's lease. */
export function afterAttempt(before: DeliveryState, row: WebhookRow, attempt: Attempt): DeliveryState {
  const { messageId, position, type, now, sent } = attempt
  const earlier = failingNow(before, row)
  const attempts = (earlier?.position === position ? earlier.attempts : 0) + 1
  const { status, error, answer, duration_ms: durationMs } = sent
  const at = new Date(now).toISOString()
  const entry = { messageId, position, type, at, attempt: attempts, status, error, answer, durationMs }
  const deliveries = [entry, ...before.deliveries].slice(0, LIMITS.webhookDeliveries.max)
  const rest = { startedBy: before.startedBy, lease: null, deliveries }
  if (sent.isDelivered) return { ...rest, position, failing: null }
  const nextAt = now + pause_ms(attempts, sent.retryAfter_ms, attempt.random)
  const late = earlier ? Math.max(0, now - earlier.nextAt) : 0
  const failing = {
    ...{ position, attempts, since: earlier?.since ?? now, lastAt: now, nextAt },
    untried: (earlier?.untried ?? 0) + late
  }
  return { ...rest, position: position - 1, failing }
}

/** Twice as long each time, at least half of it by chance; longer where the receiver wants it, and never above an hour. */
export function pause_ms(attempts: number, retryAfter_ms: number | null, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  const own = longest / 2 + (longest / 2) * random
  return Math.min(Math.max(own, retryAfter_ms ?? 0), LONGEST_PAUSE_MS)
}
