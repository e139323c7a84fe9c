import { z } from 'zod'
import { llmReservationsTable, llmStepsTable, llmUsageTable, usageId } from '../../projections/llm.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { type Deciders, requireAdmin, requireUser } from '../context.js'
import { type CallOrigin, emitLlm, type LlmStep, type TurnLinks, turnLinks } from './events.js'

export type LlmCommand =
  /**
   * Admits a step. `tokens` is what it is expected to use: it holds so many until `expiresAt`, but at least 1 and no more than are left. One that
   * says that it goes on with a turn may do so without any left, if it answers a call of a turn that its account has begun `since` then; null for a new turn.
   * With `atLeast` it is admitted only where so many are left: `tokens` is then the most that it can use, of which it gets what it holds.
   */
  | {
      readonly type: 'ReserveLlmTurn'
      readonly id: string
      readonly tokens: number
      readonly expiresAt: string
      readonly continues: Continuation | null
      readonly atLeast?: number
    }
  /** A step that is still on its way holds its tokens for longer. */
  | { readonly type: 'ExtendLlmTurn'; readonly id: string; readonly expiresAt: string }
  | { readonly type: 'ReleaseLlmTurn'; readonly id: string }
  | {
      readonly type: 'RecordLlmStep'
      readonly id: string
      readonly step: Omit<LlmStep, 'period'> & TurnLinks & CallOrigin
    }

/** `answers` is as a step records it; null where the request does not say which call it answers. */
export interface Continuation {
  readonly since: string
  readonly answers: string | null
}

/** When to come back where other turns hold what is left: most end by then. */
const RETRY_SECONDS = 10

/** Decides on the budget: what is used and what is reserved never add up to more turns than the limit admits. */
export const llmDeciders: Deciders<LlmCommand> = {
  async ReserveLlmTurn(command, { caller, read, now }) {
    requireUser(caller)
    if (!caller.llmAccess) throw errors.forbidden()
    const { userId, llmMonthlyTokenLimit: limit } = caller
    if (limit === null) return []
    const period = periodOf(now)
    const pending = await read.list(llmReservationsTable, 'byUser', [userId], { body: false })
    const expired = pending.filter(({ expiresAt }) => expiresAt <= now)
    const held = pending.filter((one) => one.expiresAt > now && one.period === period)
    const reserved = held.reduce((sum, { tokens }) => sum + tokens, 0)
    const used = (await read.get(llmUsageTable, usageId(userId, period)))?.totalTokens ?? 0
    const left = limit - used - reserved
    if (left <= 0) {
      if (command.continues && (await hasOpenTurn(userId, read, command.continues))) return []
      throw used >= limit ? errors.llmLimitReached() : errors.llmTokensHeld(RETRY_SECONDS)
    }
    const { atLeast = 1 } = command
    if (left < atLeast)
      throw limit - used < atLeast ? errors.llmCallTooLarge(atLeast, limit - used) : errors.llmTokensHeld(RETRY_SECONDS)
    const { id, expiresAt } = command
    const tokens = Math.max(1, Math.min(command.tokens, left))
    return [
      ...expired.map((one) => emitLlm(one.id, 'LlmTurnExpired', {})),
      emitLlm(id, 'LlmTurnReserved', { userId, period, tokens, expiresAt })
    ]
  },
  async ExtendLlmTurn({ id, expiresAt }, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(llmReservationsTable, id)) ? [emitLlm(id, 'LlmTurnExtended', { expiresAt })] : []
  },
  async ReleaseLlmTurn({ id }, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(llmReservationsTable, id)) ? [emitLlm(id, 'LlmTurnReleased', {})] : []
  },
  async RecordLlmStep({ id, step }, { caller, read, now }) {
    requireAdmin(caller)
    const period = periodOf(now)
    const before = await read.get(llmUsageTable, usageId(step.userId, period))
    const usage = {
      promptTokens: (before?.promptTokens ?? 0) + step.promptTokens,
      completionTokens: (before?.completionTokens ?? 0) + step.completionTokens,
      totalTokens: (before?.totalTokens ?? 0) + step.promptTokens + step.completionTokens,
      unloggedTokens: before?.unloggedTokens ?? 0
    }
    return [emitLlm(id, 'LlmStepRecorded', { ...step, period, usage })]
  }
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
