import { z } from 'zod'
import { llmReservationsTable, llmStepsTable, llmUsageTable, usageId } from '../../projections/llm.js'
import { errors, type HubError } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { type Context, type Deciders, requireAdmin, requireUser } from '../context.js'
import { amountOf, type Price, tokensWithin } from './budget/amounts.js'
import {
  budgetsOf,
  countedIn,
  givenBack,
  heldBy,
  type ReservationRow,
  type Tally,
  talliesOf
} from './budget/counting.js'
import { periodEnd } from './budget/period.js'
import { type CallOrigin, emitLlm, type LlmStep, type TurnLinks, turnLinks } from './events.js'

export type LlmCommand =
  /**
   * Admits a step. `tokens` is what it is expected to use: it holds so many until `expiresAt`, but at least 1 and no more than are left. One that
   * says that it goes on with a turn may do so without any left, if it answers a call of a turn that its account has begun `since` then; null for a new turn.
   * With `atLeast` it is admitted only where so many are left: `tokens` is then the most that it can use, of which it gets what it holds.
   * `input` of the tokens are read, at the price of the dearest of the models that may answer; null where one has none.
   */
  | {
      readonly type: 'ReserveLlmTurn'
      readonly id: string
      readonly models: readonly string[]
      readonly tokens: number
      readonly input: number
      readonly price: Price | null
      readonly expiresAt: string
      readonly continues: Continuation | null
      readonly atLeast?: number
    }
  /** A step that is still on its way holds its tokens for longer. */
  | { readonly type: 'ExtendLlmTurn'; readonly id: string; readonly expiresAt: string }
  | { readonly type: 'ReleaseLlmTurn'; readonly id: string }
  /** `budgets` are the ids of those that count it, at the `price` of its model; null where that has none. */
  | {
      readonly type: 'RecordLlmStep'
      readonly id: string
      readonly budgets: readonly string[]
      readonly price: Price | null
      readonly step: Omit<LlmStep, 'period'> & TurnLinks & CallOrigin
    }

/** `answers` is as a step records it; null where the request does not say which call it answers. */
export interface Continuation {
  readonly since: string
  readonly answers: string | null
}

/** When to come back where other turns hold what is left: most end by then. */
const RETRY_SECONDS = 10

/** So many reservations that are over are given back at a time: more than calls can be on their way when a process ends. */
const EXPIRED_MAX = 2000

/** Decides on limits and budgets: what is used and what is reserved never add up to more than they admit. */
export const llmDeciders: Deciders<LlmCommand> = {
  async ReserveLlmTurn(command, context) {
    const { caller, read, now } = context
    requireUser(caller)
    if (!caller.llmAccess) throw errors.forbidden()
    const { userId, tokenId, llmMonthlyTokenLimit: limit } = caller
    const counting = await budgetsOf({ userId, tokenId, models: command.models }, read)
    if (limit === null && counting.length === 0) return []
    const expired = await expiredTurns(read, now)
    const tallies = await talliesOf([...counting.map(({ id }) => id), ...expired.flatMap(heldBy)], read, now)
    const given = expired.map((one) => emitLlm(one.id, 'LlmTurnExpired', givenBack(one, tallies)))
    const own = counting.flatMap(({ id }) => tallies.get(id) ?? [])
    const rooms = [...(limit === null ? [] : [await roomOfMonth(limit, context)]), ...own.map(roomOf(command, now))]
    const left = Math.min(...rooms.map((room) => room.tokens))
    const { atLeast = 1 } = command
    if (left < atLeast) {
      if (left <= 0 && command.continues && (await hasOpenTurn(userId, read, command.continues))) return []
      throw rooms.find((room) => room.tokens === left)?.refusal(atLeast) ?? errors.llmTokensHeld(RETRY_SECONDS)
    }
    const tokens = Math.max(1, Math.min(command.tokens, left))
    const { id, expiresAt } = command
    const budgets = own.map((tally) => reservedIn(tally, command, tokens))
    const shares = budgets.length > 0 ? { budgets } : {}
    return [...given, emitLlm(id, 'LlmTurnReserved', { userId, period: periodOf(now), tokens, expiresAt, ...shares })]
  },
  async ExtendLlmTurn({ id, expiresAt }, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(llmReservationsTable, id)) ? [emitLlm(id, 'LlmTurnExtended', { expiresAt })] : []
  },
  async ReleaseLlmTurn({ id }, { caller, read, now }) {
    requireAdmin(caller)
    const row = await read.get(llmReservationsTable, id)
    if (!row) return []
    return [emitLlm(id, 'LlmTurnReleased', givenBack(row, await talliesOf(heldBy(row), read, now)))]
  },
  async RecordLlmStep({ id, step, budgets: counting, price }, { caller, read, now }) {
    requireAdmin(caller)
    const row = await read.get(llmReservationsTable, id)
    const tallies = await talliesOf([...counting, ...(row ? heldBy(row) : [])], read, now)
    if (row) givenBack(row, tallies)
    const period = periodOf(now)
    const before = await read.get(llmUsageTable, usageId(step.userId, period))
    const usage = {
      promptTokens: (before?.promptTokens ?? 0) + step.promptTokens,
      completionTokens: (before?.completionTokens ?? 0) + step.completionTokens,
      totalTokens: (before?.totalTokens ?? 0) + step.promptTokens + step.completionTokens,
      unloggedTokens: before?.unloggedTokens ?? 0
    }
    const { counted, warnings } = countedIn(tallies, counting, price, step)
    return [emitLlm(id, 'LlmStepRecorded', { ...step, period, usage, ...counted }), ...warnings]
  }
}

/** How many tokens a limit leaves to a call, and how it refuses one that needs at least so many. */
interface Room {
  readonly tokens: number
  refusal(atLeast: number): HubError
}

/** What is left of the tokens of an account's month. */
async function roomOfMonth(limit: number, { caller: { userId }, read, now }: Context): Promise<Room> {
  const pending = await read.list(llmReservationsTable, 'byUser', [userId], { body: false })
  // A call that was admitted in the month before may be settled in this one.
  const reserved = pending.reduce((sum, { tokens, expiresAt }) => sum + (expiresAt > now ? tokens : 0), 0)
  const used = (await read.get(llmUsageTable, usageId(userId, periodOf(now))))?.totalTokens ?? 0
  return {
    tokens: limit - used - reserved,
    refusal: (atLeast) => {
      if (used >= limit) return errors.llmLimitReached()
      return limit - used < atLeast
        ? errors.llmCallTooLarge(atLeast, limit - used)
        : errors.llmTokensHeld(RETRY_SECONDS)
    }
  }
}

type Reservation = Extract<LlmCommand, { readonly type: 'ReserveLlmTurn' }>

/** What is left of a budget. */
const roomOf =
  ({ models, price, input }: Reservation, now: string) =>
  ({ row, budget, used, held }: Tally): Room => {
    if (budget.unit === 'usd' && !price) throw errors.modelUnpriced(models, budget.name)
    const { most } = row
    const end = periodEnd(budget.period, now)
    return {
      tokens: tokensWithin(budget, price, input, most - used - held),
      refusal: (atLeast) => {
        if (used >= most) return errors.llmBudgetUsedUp(budget.name, end)
        return tokensWithin(budget, price, input, most - used) < atLeast
          ? errors.llmBudgetTooSmall(budget.name, end)
          : errors.llmBudgetHeld(budget.name, RETRY_SECONDS)
      }
    }
  }

/** Puts into a budget's sums what a call holds of it, and tells them. */
function reservedIn(tally: Tally, { input, price }: Reservation, tokens: number) {
  const read = Math.min(input, tokens)
  const amount = amountOf(tally.budget, price, read, tokens - read)
  tally.held += amount
  return { id: tally.row.id, amount, held: tally.held }
}

/** Reservations of which nobody has said for too long that their calls are on their way, the oldest first. */
async function expiredTurns(read: ReadStore, now: string): Promise<readonly ReservationRow[]> {
  const [oldest] = await read.list(llmReservationsTable, 'byExpiry', [], { limit: 1, body: false })
  if (!oldest || oldest.expiresAt > now) return []
  const rows = await read.list(llmReservationsTable, 'byExpiry', [], { limit: EXPIRED_MAX })
  return rows.filter(({ expiresAt }) => expiresAt <= now)
}

const turnStep = turnLinks.extend({ isNewTurn: z.boolean(), hadToolCalls: z.boolean() })

/**
 * True when the call that is answered belongs to a turn that the account began since then, with any of its tokens: it is looked for
 * from step to step, among the last steps of the account. Of steps that were recorded without their calls, as those of an older
 * hub, one that ended in calls is taken to be the one.
 */
async function hasOpenTurn(userId: string, read: ReadStore, { since, answers }: Continuation): Promise<boolean> {
  const limit = LIMITS.turnSteps.max
  let wanted = answers
  for (const { createdAt, body } of await read.list(llmStepsTable, 'byUser', [userId], { reverse: true, limit })) {
    if (createdAt < since) return false
    const step = turnStep.parse(JSON.parse(body))
    const isAnswered = step.calls ? wanted !== null && step.calls.includes(wanted) : step.isNewTurn && step.hadToolCalls
    if (!isAnswered) continue
    if (step.isNewTurn) return true
    wanted = step.answers ?? null
  }
  return false
}

/** The UTC month that a moment belongs to. */
export function periodOf(now: string): string {
  return now.slice(0, 7)
}
