import { z } from 'zod'
import { errors, type HubError } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { type Context, type Deciders, requireAdmin, requireUser } from '../context.js'
import { amountOf, type Price, tokensWithin } from './budget/amounts.js'
import {
  budgetsOf,
  countedAsLost,
  countedIn,
  expiredTurns,
  givenBack,
  heldBy,
  type Tally,
  talliesOf
} from './budget/counting.js'
import { periodEnd } from './budget/period.js'
import { type CallOrigin, emitLlm, type LlmStep, type TurnLinks, turnLinks } from './events.js'
import { type Months, monthOf, monthsWithLost, periodOf } from './months.js'
import { llmReservationsTable, llmStepsTable, usageId } from './table.js'

export type LlmCommand =
  /**
   * Admits a call, which holds `tokens` until `expiresAt`, but at least 1 and no more than are left: where `atLeast` are left of the
   * account's month and of every budget that counts it. `input` of the tokens are read, at the price of the dearest of the models that
   * may answer; null where one has none. Of a step of a `chat` the month needs no more than 1 left. Asked once more, a chat's step
   * holds what it asks for now in place of what it held, and nothing where nothing counts it any more. `isAgain` where it has asked
   * before: what it held may be over.
   */
  | {
      readonly type: 'ReserveLlmTurn'
      readonly id: string
      readonly models: readonly string[]
      readonly tokens: number
      readonly input: number
      readonly price: Price | null
      readonly expiresAt: string
      readonly atLeast: number
      readonly chat: ChatTurn | null
      readonly isAgain?: true
    }
  /** A step that is still on its way holds its tokens for longer. */
  | { readonly type: 'ExtendLlmTurn'; readonly id: string; readonly expiresAt: string }
  | { readonly type: 'ReleaseLlmTurn'; readonly id: string }
  /**
   * `budgets` are the ids of those that count it, at the `price` of its model; null where that has none. `held` where it has reserved what
   * it may use at most: where that counts as used meanwhile, since nobody spoke for it, what it has used is part of that.
   */
  | {
      readonly type: 'RecordLlmStep'
      readonly id: string
      readonly held?: boolean
      readonly budgets: readonly string[]
      readonly price: Price | null
      readonly step: Omit<LlmStep, 'period'> & TurnLinks & CallOrigin
    }

/** What a step says of the turn that it is of. One that goes on with a turn may do so with nothing left of its account's month. */
export interface ChatTurn {
  /** Null where it begins the turn. */
  readonly continues: Continuation | null
}

/**
 * A turn that its account has begun `since` then. `answers` is the call that is answered, as a step records it; null where the request
 * does not say which.
 */
export interface Continuation {
  readonly since: string
  readonly answers: string | null
}

/** When to come back where other turns hold what is left: most end by then. */
const RETRY_SECONDS = 10

/** Decides on limits and budgets: what is used and what is reserved never add up to more than they admit. */
export const llmDeciders: Deciders<LlmCommand> = {
  async ReserveLlmTurn(command, context) {
    const { caller, read, now } = context
    requireUser(caller)
    if (!caller.llmAccess) throw errors.forbidden()
    const { userId, tokenId, llmMonthlyTokenLimit: limit } = caller
    const counting = await budgetsOf({ userId, tokenId, models: command.models }, read)
    const { id, chat, expiresAt, isAgain } = command
    const before = chat ? await read.get(llmReservationsTable, id) : null
    if (limit === null && counting.length === 0) return before ? [await released(before, context)] : []
    const expired = (await expiredTurns(read, now)).filter((one) => one.id !== id)
    const held = [...(before ? [before] : []), ...expired].flatMap(heldBy)
    const tallies = await talliesOf([...counting.map((one) => one.id), ...held], read, now)
    const months = await monthsWithLost(expired, read)
    const given = expired.flatMap((one) => {
      const { counted, warnings } = countedAsLost(one, tallies)
      return [emitLlm(one.id, 'LlmTurnExpired', { ...counted, ...months.after(one.id) }), ...warnings]
    })
    const back = before ? (givenBack(before, tallies).budgets ?? []) : []
    const own = counting.flatMap((one) => tallies.get(one.id) ?? [])
    const month = limit === null ? null : await roomOfMonth(limit, command, own.length > 0, context, months)
    const rooms = [...(month ? [month] : []), ...own.map(roomOf(command, now))]
    const short = rooms.filter(({ left, least }) => left < least).toSorted((one, other) => one.left - other.left)
    const isOver = month !== null && month.left <= 0
    const goesOn = isOver && chat?.continues ? await hasOpenTurn(userId, read, chat.continues) : false
    const [shortest] = goesOn ? short.filter((room) => room !== month) : short
    if (shortest) throw shortest.refusal()
    if (goesOn && own.length === 0) return before ? [await released(before, context)] : []
    const tokens = Math.max(1, Math.min(command.tokens, ...rooms.map(({ most }) => most)))
    const others = back.filter((one) => own.every(({ row }) => row.id !== one.id)).map((one) => ({ ...one, amount: 0 }))
    const budgets = [...own.map((tally) => reservedIn(tally, command, tokens)), ...others]
    const shares = { tokens, expiresAt, ...(budgets.length > 0 && { budgets }) }
    if (before) return [...given, emitLlm(id, 'LlmTurnExtended', shares)]
    const isMost = chat ? {} : ({ isMost: true } as const)
    const reserved = emitLlm(id, 'LlmTurnReserved', { userId, period: periodOf(now), ...shares, ...isMost })
    return [...given, isAgain ? { ...reserved, mayFollow: true } : reserved]
  },
  async ExtendLlmTurn({ id, expiresAt }, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(llmReservationsTable, id)) ? [emitLlm(id, 'LlmTurnExtended', { expiresAt })] : []
  },
  async ReleaseLlmTurn({ id }, context) {
    requireAdmin(context.caller)
    const row = await context.read.get(llmReservationsTable, id)
    return row ? [await released(row, context)] : []
  },
  async RecordLlmStep({ id, step, budgets, price, held = false }, { caller, read, now }) {
    requireAdmin(caller)
    // Whoever had no answer asks again.
    if (await read.get(llmStepsTable, id)) return []
    const row = await read.get(llmReservationsTable, id)
    const isCounted = held && !row
    const counting = isCounted ? [] : budgets
    const tallies = await talliesOf([...counting, ...(row ? heldBy(row) : [])], read, now)
    if (row) givenBack(row, tallies)
    const period = periodOf(now)
    const before = await monthOf(usageId(step.userId, period), read)
    const total = step.promptTokens + step.completionTokens
    // What a chat held is no use of its month.
    const known = isCounted && step.interface !== undefined ? Math.min(total, before.unloggedTokens) : 0
    const usage = {
      promptTokens: before.promptTokens + step.promptTokens,
      completionTokens: before.completionTokens + step.completionTokens,
      totalTokens: before.totalTokens + total - known,
      unloggedTokens: before.unloggedTokens - known
    }
    const { counted, warnings } = countedIn(tallies, counting, price, step)
    return [emitLlm(id, 'LlmStepRecorded', { ...step, period, usage, ...counted }), ...warnings]
  }
}

/** What was held of whatever counted it is given back. */
async function released(row: Row<typeof llmReservationsTable.columns>, { read, now }: Pick<Context, 'read' | 'now'>) {
  return emitLlm(row.id, 'LlmTurnReleased', givenBack(row, await talliesOf(heldBy(row), read, now)))
}

/** How many tokens a limit leaves to a call, and how it refuses one that needs more. */
interface Room {
  readonly left: number
  /** With fewer left the call is not admitted. */
  readonly least: number
  /** The call holds no more than so many. */
  readonly most: number
  refusal(): HubError
}

type Reservation = Extract<LlmCommand, { readonly type: 'ReserveLlmTurn' }>

/**
 * What is left of the tokens of an account's month. It bounds no chat that budgets count: one holds the most that it can use, for their
 * sake, also where the month has less left.
 */
async function roomOfMonth(
  limit: number,
  { id, tokens, atLeast, chat }: Reservation,
  isInBudgets: boolean,
  { caller: { userId }, read, now }: Context,
  months: Months
): Promise<Room> {
  const pending = await read.list(llmReservationsTable, 'byUser', [userId], { body: false })
  // A call that was admitted in the month before may be settled in this one.
  const others = pending.filter((one) => one.id !== id && one.expiresAt > now)
  const reserved = others.reduce((sum, one) => sum + one.tokens, 0)
  const month = usageId(userId, periodOf(now))
  const used = (months.byId.get(month) ?? (await monthOf(month, read))).totalTokens
  const left = limit - used - reserved
  const least = chat ? 1 : atLeast
  return {
    ...{ left, least, most: chat && isInBudgets ? tokens : left },
    refusal: () => {
      if (used >= limit) return errors.llmLimitReached()
      return limit - used < least ? errors.llmCallTooLarge(least, limit - used) : errors.llmTokensHeld(RETRY_SECONDS)
    }
  }
}

/** What is left of a budget. */
const roomOf =
  ({ models, price, input, atLeast }: Reservation, now: string) =>
  ({ row, budget, used, held }: Tally): Room => {
    if (budget.unit === 'usd' && !price) throw errors.modelUnpriced(models, budget.name)
    const { most } = row
    const end = periodEnd(budget.period, now)
    const left = tokensWithin(budget, price, input, most - used - held)
    return {
      ...{ left, least: atLeast, most: left },
      refusal: () => {
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
