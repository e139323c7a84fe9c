import type { LlmEvent } from '../commands/llm/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { projector, put, putOther, remove, removeWhere, table } from './define.js'

/** Turns that are admitted and not settled. */
export const llmReservationsTable = table({
  name: 'llmReservations',
  columns: { userId: 'id', period: 'id', tokens: 'integer', expiresAt: 'time' },
  indexes: { byUser: { by: ['userId'], order: ['expiresAt'] } },
  scope: 'userId'
})

/** What each account has used in each month. */
export const llmUsageTable = table({
  name: 'llmUsage',
  columns: {
    userId: 'id',
    period: 'id',
    promptTokens: 'integer',
    completionTokens: 'integer',
    totalTokens: 'integer'
  },
  indexes: { byMonth: { by: [], order: ['period', 'userId'] }, byPeriod: { by: ['period'], order: ['userId'] } },
  scope: 'userId'
})

/** Every step, for accounting: who, when, which model, how much; never what was said. */
export const llmStepsTable = table({
  name: 'llmSteps',
  columns: { userId: 'id', period: 'id', model: 'name', createdAt: 'time' },
  indexes: {
    byAge: { by: [], order: ['createdAt'] },
    byUser: { by: ['userId'], order: ['createdAt'] },
    byPeriod: { by: ['period'], order: ['createdAt'] },
    byModel: { by: ['model'], order: ['createdAt'] }
  },
  scope: 'userId'
})

/** The row of an account's month. */
export function usageId(userId: string, period: string): string {
  return `${period}:${userId}`
}

export const llmReservations = projector<LlmEvent | UserEvent>(llmReservationsTable, 1, {
  LlmTurnReserved: (e) => [put(llmReservationsTable, e, e.data, {})],
  LlmTurnReleased: (e) => [remove(llmReservationsTable, e.subject)],
  LlmTurnExpired: (e) => [remove(llmReservationsTable, e.subject)],
  LlmStepRecorded: (e) => [remove(llmReservationsTable, e.subject)],
  UserDeleted: (e) => [removeWhere(llmReservationsTable, 'userId', e.subject)]
})

export const llmUsage = projector<LlmEvent>(llmUsageTable, 1, {
  LlmStepRecorded: (e) => {
    const { userId, period, usage } = e.data
    return [putOther(llmUsageTable, e, usageId(userId, period), { userId, period, ...usage }, {})]
  }
})

export const llmSteps = projector<LlmEvent>(llmStepsTable, 1, {
  LlmStepRecorded: (e) => {
    const { usage: _, ...step } = e.data
    const { userId, period, model, tokenId: apiTokenId, ...rest } = step
    const body = { id: e.subject, userId, apiTokenId, period, model, ...rest, createdAt: e.at }
    return [put(llmStepsTable, e, { userId, period, model, createdAt: e.at }, body)]
  }
})
