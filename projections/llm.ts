import type { CallOrigin, LlmEvent, LlmStep, TurnLinks } from '../commands/llm/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { DecodedEvent } from '../src/log/event.js'
import { patch, projector, put, putOther, remove, table } from './define.js'

/** Turns that are admitted and not settled. */
export const llmReservationsTable = table({
  name: 'llmReservations',
  columns: { userId: 'id', period: 'id', tokens: 'integer', expiresAt: 'time' },
  indexes: { byUser: { by: ['userId'], order: ['expiresAt'] }, byExpiry: { by: [], order: ['expiresAt'] } },
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
    totalTokens: 'integer',
    unloggedTokens: 'integer'
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

export const llmReservations = projector<LlmEvent>(llmReservationsTable, 4, {
  LlmTurnReserved: (e) => {
    const { budgets, isMost, ...columns } = e.data
    return [put(llmReservationsTable, e, columns, { ...(budgets && { budgets }), ...(isMost && { isMost }) })]
  },
  LlmTurnExtended: (e) => {
    const { budgets, ...columns } = e.data
    return [patch(llmReservationsTable, e, columns, budgets && { budgets })]
  },
  LlmTurnReleased: (e) => [remove(llmReservationsTable, e.subject)],
  LlmTurnExpired: (e) => [remove(llmReservationsTable, e.subject)],
  LlmStepRecorded: (e) => [remove(llmReservationsTable, e.subject)]
})

export const llmUsage = projector<LlmEvent | ImportEvent>(llmUsageTable, 2, {
  LlmUsageImported: (e) => [put(llmUsageTable, e, e.data, {})],
  LlmTurnExpired: (e) => {
    const { month } = e.data
    return month ? [putOther(llmUsageTable, e, usageId(month.userId, month.period), month, {})] : []
  },
  LlmStepRecorded: (e) => {
    const { userId, period, usage } = e.data
    return [putOther(llmUsageTable, e, usageId(userId, period), { userId, period, ...usage }, {})]
  }
})

export const llmSteps = projector<LlmEvent | ImportEvent>(llmStepsTable, 2, {
  LlmStepImported: (e) => [stepRow(e, e.data, e.data.createdAt)],
  LlmStepRecorded: (e) => {
    const { usage: _, budgets: __, ...step } = e.data
    return [stepRow(e, step, e.at)]
  }
})

function stepRow(
  e: DecodedEvent,
  { userId, period, model, tokenId: apiTokenId, ...rest }: LlmStep & TurnLinks & CallOrigin,
  createdAt: string
) {
  const body = { id: e.subject, userId, apiTokenId, period, model, ...rest, createdAt }
  return put(llmStepsTable, e, { userId, period, model, createdAt }, body)
}
