import { nameKey, sortKey } from '../commands/keys.js'
import { mostOf } from '../commands/llm/budget/amounts.js'
import type { Budget, BudgetEvent } from '../commands/llm/budget/events.js'
import { llmBudgetsTable, llmBudgetUseTable } from '../commands/llm/budget/table.js'
import type { BudgetSums, LlmEvent } from '../commands/llm/events.js'
import type { GroupEvent } from '../commands/people/group/events.js'
import type { TokenEvent } from '../commands/people/token/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { advance, patch, patchOther, projector, put, putOther, remove, removeWhere } from './define.js'

export const llmBudgets = projector<BudgetEvent | UserEvent | GroupEvent | TokenEvent>(llmBudgetsTable, 1, {
  LlmBudgetCreated: (e) => [
    put(llmBudgetsTable, e, { createdAt: e.at, updatedAt: e.at, ...columnsOf(e.data) }, { id: e.subject, ...e.data })
  ],
  LlmBudgetUpdated: (e) => [
    patch(llmBudgetsTable, e, { updatedAt: e.at, ...columnsOf(e.data) }, { id: e.subject, ...e.data })
  ],
  LlmBudgetDeleted: (e) => [remove(llmBudgetsTable, e.subject)],
  LlmBudgetWarned: (e) => [advance(llmBudgetsTable, e)],
  UserDeleted: (e) => [removeWhere(llmBudgetsTable, 'subjectId', e.subject)],
  GroupDeleted: (e) => [removeWhere(llmBudgetsTable, 'subjectId', e.subject)],
  TokenDeleted: (e) => [removeWhere(llmBudgetsTable, 'subjectId', e.subject)]
})

export const llmBudgetUse = projector<BudgetEvent | LlmEvent | UserEvent | GroupEvent | TokenEvent>(
  llmBudgetUseTable,
  3,
  {
    LlmBudgetCreated: (e) => {
      const { subjectId } = e.data
      return [putOther(llmBudgetUseTable, e, e.subject, { subjectId, period: '', used: 0, held: 0 }, {})]
    },
    LlmBudgetUpdated: (e) => [patchOther(llmBudgetUseTable, e, e.subject, { subjectId: e.data.subjectId })],
    LlmTurnReserved: (e) => sumsAfter(e, e.data.budgets),
    LlmTurnExtended: (e) => sumsAfter(e, e.data.budgets),
    LlmTurnReleased: (e) => sumsAfter(e, e.data.budgets),
    LlmTurnExpired: (e) => sumsAfter(e, e.data.budgets),
    LlmStepRecorded: (e) => sumsAfter(e, e.data.budgets),
    LlmBudgetDeleted: (e) => [remove(llmBudgetUseTable, e.subject)],
    UserDeleted: (e) => [removeWhere(llmBudgetUseTable, 'subjectId', e.subject)],
    GroupDeleted: (e) => [removeWhere(llmBudgetUseTable, 'subjectId', e.subject)],
    TokenDeleted: (e) => [removeWhere(llmBudgetUseTable, 'subjectId', e.subject)]
  }
)

function columnsOf({ name, subject, subjectId, model, unit, period, ...rest }: Budget) {
  const most = mostOf({ unit, ...rest })
  return { name, nameKey: nameKey(name), sortKey: sortKey(name), subject, subjectId, model, unit, period, most }
}

/** The sums of budgets as an event leaves them. */
function sumsAfter(event: DecodedEvent, budgets: readonly BudgetSums[] = []): readonly RowOp[] {
  return budgets.map(({ id, held, used, period }) =>
    patchOther(llmBudgetUseTable, event, id, {
      held,
      ...(used !== undefined && { used }),
      ...(period !== undefined && { period })
    })
  )
}
