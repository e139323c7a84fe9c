import { amountShown } from '../commands/llm/budget/amounts.js'
import {
  type BudgetRow,
  budgetIn,
  budgetsOf,
  type Counted,
  countedAsLost,
  expiredTurns,
  talliesOf
} from '../commands/llm/budget/counting.js'
import type { Budget } from '../commands/llm/budget/events.js'
import { periodEnd } from '../commands/llm/budget/period.js'
import { llmBudgetsTable } from '../commands/llm/budget/table.js'
import type { ReadStore } from '../src/storage/storage.js'

/** A budget with what is used of it in the period of now, in its unit. */
export interface BudgetState extends Budget {
  readonly id: string
  /** What calls have used that are over. */
  readonly used: number
  /** What calls on their way may use at most. */
  readonly held: number
  /** When the period is over, and nothing is used any more. */
  readonly endsAt: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Budgets with what is used of them, as they come. */
export async function budgetStates(
  rows: readonly BudgetRow[],
  read: ReadStore,
  now: string
): Promise<readonly BudgetState[]> {
  const tallies = await talliesOf(
    rows.map(({ id }) => id),
    read,
    now
  )
  // The log tells of these with the next call that is admitted, which may be none for long.
  for (const lost of await expiredTurns(read, now)) countedAsLost(lost, tallies)
  return rows.map((row) => {
    const budget = budgetIn(row)
    const { used = 0, held = 0 } = tallies.get(row.id) ?? {}
    return {
      ...{ id: row.id, ...budget, used: amountShown(budget, used), held: amountShown(budget, held) },
      ...{ endsAt: periodEnd(budget.period, now), createdAt: row.createdAt, updatedAt: row.updatedAt }
    }
  })
}

/** All budgets, by name. */
export async function allBudgets(read: ReadStore, now: string): Promise<readonly BudgetState[]> {
  return budgetStates(await read.list(llmBudgetsTable, 'byName', [], { body: false }), read, now)
}

/** The budgets that count what somebody uses of some of these models. */
export async function ownBudgets(who: Counted, read: ReadStore, now: string): Promise<readonly BudgetState[]> {
  return budgetStates(await budgetsOf(who, read), read, now)
}
