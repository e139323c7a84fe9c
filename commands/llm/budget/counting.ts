import { z } from 'zod'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { membershipsOf } from '../../people/group/membership.js'
import { tokensTable } from '../../people/token/table.js'
import { usersTable } from '../../people/user/table.js'
import type { BudgetSums } from '../events.js'
import { llmReservationsTable } from '../table.js'
import { amountOf, amountShown, type Price } from './amounts.js'
import { BUDGET_WARNINGS, type Budget, budget, emitBudget } from './events.js'
import { periodAt } from './period.js'
import { llmBudgetsTable, llmBudgetUseTable } from './table.js'

export type BudgetRow = Omit<Row<typeof llmBudgetsTable.columns>, 'body'>
export type ReservationRow = Row<typeof llmReservationsTable.columns>

/** Whose call it is, and which models may answer it. */
export interface Counted {
  readonly userId: string
  readonly tokenId: string | null
  readonly models: readonly string[]
}

/** The budget in this row, of which the columns are enough. */
export function budgetIn({ most, ...columns }: BudgetRow): Budget {
  const { unit } = budget.pick({ unit: true }).parse(columns)
  return budget.parse({ ...columns, limit: amountShown({ unit }, most) })
}

/** The ids of a token, of the one that has taken its place, and so on: what counts the last of them counts them all. */
export async function withSuccessors(tokenId: string | null, read: ReadStore): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let id = tokenId; id !== null && !ids.has(id); ) {
    ids.add(id)
    id = (await read.get(tokensTable, id))?.replacedBy ?? null
  }
  return ids
}

/** The budgets that count a call: those of the hub, of its account, of the groups that it is in, and of its token. */
export async function budgetsOf({ userId, tokenId, models }: Counted, read: ReadStore): Promise<readonly BudgetRow[]> {
  const all = await read.list(llmBudgetsTable, 'byName', [], { body: false })
  if (all.length === 0) return []
  const tokens = await withSuccessors(tokenId, read)
  const user = await read.get(usersTable, userId)
  const subjects = new Set([userId, ...tokens, ...(user ? membershipsOf(user).map(({ id }) => id) : [])])
  return all.filter((one) => {
    return (one.subjectId === null || subjects.has(one.subjectId)) && (one.model === null || models.includes(one.model))
  })
}

/** A budget, and its sums as a decision changes them: what is used in the period of now, and what calls on their way hold. */
export interface Tally {
  readonly row: BudgetRow
  readonly budget: Budget
  readonly period: string
  used: number
  held: number
}

/** The sums of those of these budgets that are there. */
export async function talliesOf(
  ids: Iterable<string>,
  read: ReadStore,
  now: string
): Promise<ReadonlyMap<string, Tally>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const options = { body: false }
  const rows = await read.getAll(llmBudgetsTable, wanted, options)
  const uses = new Map((await read.getAll(llmBudgetUseTable, wanted, options)).map((row) => [row.id, row]))
  return new Map(
    rows.map((row) => {
      const budget = budgetIn(row)
      const period = periodAt(budget.period, now)
      const use = uses.get(row.id)
      return [row.id, { row, budget, period, used: use?.period === period ? use.used : 0, held: use?.held ?? 0 }]
    })
  )
}

const shares = z.object({ budgets: z.array(z.object({ id: z.string(), amount: z.number() })).default([]) })

function sharesOf({ body }: ReservationRow) {
  return shares.parse(JSON.parse(body)).budgets
}

/** The ids of the budgets of which a reservation holds something. */
export function heldBy(reservation: ReservationRow): readonly string[] {
  return sharesOf(reservation).map(({ id }) => id)
}

/** So many reservations that are over are given back at a time: more than calls can be on their way when a process ends. */
const EXPIRED_MAX = 2000

/** Reservations of which nobody has said for too long that their calls are on their way, the oldest first. */
export async function expiredTurns(read: ReadStore, now: string): Promise<readonly ReservationRow[]> {
  const [oldest] = await read.list(llmReservationsTable, 'byExpiry', [], { limit: 1, body: false })
  if (!oldest || oldest.expiresAt > now) return []
  const rows = await read.list(llmReservationsTable, 'byExpiry', [], { limit: EXPIRED_MAX })
  return rows.filter(({ expiresAt }) => expiresAt <= now)
}

/** What an event says of budgets: nothing where none counts its call. */
export interface OfBudgets {
  readonly budgets?: BudgetSums[]
}

/** Takes out of the sums what a reservation holds, and tells of the budgets that are still there. */
export function givenBack(reservation: ReservationRow, tallies: ReadonlyMap<string, Tally>): OfBudgets {
  const left = sharesOf(reservation).flatMap(({ id, amount }) => {
    const tally = tallies.get(id)
    if (!tally) return []
    tally.held -= amount
    return { id, held: tally.held }
  })
  return left.length > 0 ? { budgets: left } : {}
}

/**
 * Counts as used what a call held of which nobody says any more that it is on its way, since its provider may have made all of it; in a
 * period that was over before it is only given back. With events of the budgets that have come to 80 or 100 percent.
 */
export function countedAsLost(
  reservation: ReservationRow,
  tallies: ReadonlyMap<string, Tally>
): { readonly counted: OfBudgets; readonly warnings: readonly NewEvent[] } {
  const budgets: BudgetSums[] = []
  const warnings: NewEvent[] = []
  for (const { id, amount } of sharesOf(reservation)) {
    const tally = tallies.get(id)
    if (!tally) continue
    tally.held -= amount
    const { period, budget } = tally
    const isOfNow = periodAt(budget.period, reservation.expiresAt) === period
    if (isOfNow) warnings.push(...addUse(id, tally, amount))
    budgets.push({ id, held: tally.held, ...(isOfNow && { used: tally.used, period, amount }) })
  }
  return { counted: budgets.length > 0 ? { budgets } : {}, warnings }
}

/** Puts what a call has used into the sums of the budgets that count it, with events of those that have come to 80 or 100 percent. */
export function countedIn(
  tallies: ReadonlyMap<string, Tally>,
  counting: readonly string[],
  price: Price | null,
  { promptTokens, completionTokens }: { readonly promptTokens: number; readonly completionTokens: number }
): { readonly counted: OfBudgets; readonly warnings: readonly NewEvent[] } {
  const budgets: BudgetSums[] = []
  const warnings: NewEvent[] = []
  for (const [id, tally] of tallies) {
    if (!counting.includes(id)) {
      budgets.push({ id, held: tally.held })
      continue
    }
    const amount = amountOf(tally.budget, price, promptTokens, completionTokens)
    warnings.push(...addUse(id, tally, amount))
    budgets.push({ id, held: tally.held, used: tally.used, period: tally.period, amount })
  }
  return { counted: budgets.length > 0 ? { budgets } : {}, warnings }
}

/** Adds to what is used of a budget, with the event where that has come to 80 or 100 percent of it. */
function addUse(id: string, tally: Tally, amount: number): readonly NewEvent[] {
  const { row, budget, period, used: before } = tally
  tally.used += amount
  const percent = BUDGET_WARNINGS.findLast((one) => tally.used * 100 >= row.most * one && before * 100 < row.most * one)
  if (percent === undefined) return []
  const { name, unit, limit } = budget
  const used = amountShown(budget, tally.used)
  return [emitBudget(id, 'LlmBudgetWarned', { name, unit, limit, period, percent, used })]
}
