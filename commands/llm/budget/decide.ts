import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { Columns, ReadStore } from '../../../src/storage/storage.js'
import { type Deciders, requireAdmin } from '../../context.js'
import { nameKey } from '../../keys.js'
import { groupsTable } from '../../people/group/table.js'
import { tokensTable } from '../../people/token/table.js'
import { usersTable } from '../../people/user/table.js'
import { existing } from '../../records/kind.js'
import { mostOf } from './amounts.js'
import { budgetIn } from './counting.js'
import { type Budget, emitBudget } from './events.js'
import { llmBudgetsTable } from './table.js'

export type BudgetCommand =
  | { readonly type: 'CreateLlmBudget'; readonly id: string; readonly budget: Budget }
  /** What a budget counts stays as it was made. */
  | { readonly type: 'UpdateLlmBudget'; readonly id: string; readonly changes: BudgetChanges }
  | { readonly type: 'DeleteLlmBudget'; readonly id: string }

export interface BudgetChanges {
  readonly name?: string | undefined
  readonly limit?: number | undefined
}

/** Decides on budgets of models, which administrators keep. */
export const budgetDeciders: Deciders<BudgetCommand> = {
  async CreateLlmBudget({ id, budget }, { caller, read, models }) {
    requireAdmin(caller)
    const all = await read.list(llmBudgetsTable, 'byName', [], { body: false })
    if (all.length >= LIMITS.llmBudgets.max) throw errors.tooManyBudgets()
    await requireNew(budget.name, read)
    await requireSubject(budget, read)
    requireCountable(budget)
    if (budget.model !== null && models && !models.has(budget.model))
      throw errors.unknownIds('LLM model', [budget.model])
    return [emitBudget(id, 'LlmBudgetCreated', budget)]
  },
  async UpdateLlmBudget({ id, changes }, { caller, read }) {
    requireAdmin(caller)
    const row = await existing(BUDGET, id, read)
    const before = budgetIn(row)
    const { name = before.name, limit = before.limit } = changes
    if (nameKey(name) !== row.nameKey) await requireNew(name, read)
    const updated = { ...before, name, limit }
    requireCountable(updated)
    return name === before.name && limit === before.limit ? [] : [emitBudget(id, 'LlmBudgetUpdated', updated)]
  },
  async DeleteLlmBudget({ id }, { caller, read }) {
    requireAdmin(caller)
    await existing(BUDGET, id, read)
    return [emitBudget(id, 'LlmBudgetDeleted', {})]
  }
}

/** A budget, as refusals name it. */
export const BUDGET = { title: 'Budget', table: llmBudgetsTable } as const

async function requireNew(name: string, read: ReadStore): Promise<void> {
  if (nameKey(name) === '') throw errors.nameEmpty()
  const [taken] = await read.list(llmBudgetsTable, 'byNameKey', [nameKey(name)], { limit: 1 })
  if (taken) throw errors.budgetNameTaken(name)
}

/** Sums are kept in whole tokens and in millionths of a dollar: a limit is one of these at least. */
function requireCountable({ unit, limit }: Budget): void {
  if (unit === 'tokens' && !Number.isInteger(limit)) throw errors.budgetLimitNotWhole()
  if (mostOf({ unit, limit }) < 1) throw errors.budgetLimitTooSmall()
}

async function requireSubject({ subject, subjectId }: Budget, read: ReadStore): Promise<void> {
  if ((subject === 'hub') !== (subjectId === null)) throw errors.budgetSubjectMalformed()
  if (subjectId === null) return
  const table = { hub: null, user: usersTable, group: groupsTable, token: tokensTable }[subject]
  if (table && !(await read.get<Columns>(table, subjectId))) throw errors.budgetSubjectGone(subject)
}
