import type { CallOrigin, LlmEvent, LlmStep, TurnLinks } from '../commands/llm/events.js'
import { llmReservationsTable, llmStepsTable, llmUsageTable, usageId } from '../commands/llm/table.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { DecodedEvent } from '../src/log/event.js'
import { patch, projector, put, putOther, remove } from './define.js'

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
