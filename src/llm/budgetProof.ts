import { z } from 'zod'
import { codec } from '../../commands/index.js'
import { llmBudgetUseTable } from '../../commands/llm/budget/table.js'
import { decoded } from '../log/codec.js'
import type { DecodedEvent } from '../log/event.js'
import { pages } from '../log/pages.js'
import type { Storage } from '../storage/storage.js'

const PAGE = 1000

/** A sum of a budget that is not what its calls come to: in whole tokens, or millionths of a dollar. */
export interface BudgetDifference {
  readonly id: string
  readonly what: 'used' | 'held'
  /** What the read tables say. */
  readonly told: number
  /** What the calls in the log come to. */
  readonly log: number
}

interface Sums {
  period: string
  used: number
  /** What each call on its way holds. */
  readonly held: Map<string, number>
}

const readBudget = z.object({ id: z.string(), period: z.string(), used: z.number(), held: z.number() })
const shares = z.object({
  budgets: z
    .array(
      z.object({
        id: z.string(),
        amount: z.number().optional(),
        used: z.number().optional(),
        period: z.string().optional()
      })
    )
    .default([])
})

/** Adds up what each call has held and used of budgets, and returns those whose sums are others. */
export async function budgetDifferences(
  storage: Pick<Storage, 'snapshot' | 'readLog'>
): Promise<readonly BudgetDifference[]> {
  const { position, rows } = await storage.snapshot(async ({ head, scan }) => {
    const found: z.infer<typeof readBudget>[] = []
    for (let page = await scan(llmBudgetUseTable, '', PAGE); page.length > 0; ) {
      found.push(...page.map((row) => readBudget.parse(row)))
      page = await scan(llmBudgetUseTable, found.at(-1)?.id ?? '', PAGE)
    }
    return { position: head.position, rows: found }
  })
  const sums = new Map<string, Sums>()
  for await (const page of pages((after, limit) => storage.readLog(after, limit), 0, position, PAGE))
    for (const event of page) if (event.type.startsWith('Llm')) take(sums, decoded(event, codec))
  return rows.flatMap(({ id, period, used, held }) => {
    const log = sums.get(id)
    const holding = [...(log?.held.values() ?? [])].reduce((sum, one) => sum + one, 0)
    const using = log?.period === period ? log.used : 0
    return [
      ...(used === using ? [] : [{ id, what: 'used' as const, told: used, log: using }]),
      ...(held === holding ? [] : [{ id, what: 'held' as const, told: held, log: holding }])
    ]
  })
}

function take(sums: Map<string, Sums>, { type, subject, data }: DecodedEvent): void {
  if (type === 'LlmBudgetCreated') sums.set(subject, { period: '', used: 0, held: new Map() })
  const holds = type === 'LlmTurnReserved' || type === 'LlmTurnExtended'
  if (!holds && !['LlmTurnReleased', 'LlmTurnExpired', 'LlmStepRecorded'].includes(type)) return
  for (const { id, amount, used, period } of shares.parse(data).budgets) {
    const budget = sums.get(id)
    if (!budget) continue
    if (holds) budget.held.set(subject, amount ?? 0)
    else budget.held.delete(subject)
    if (used === undefined || period === undefined) continue
    if (budget.period !== period) Object.assign(budget, { period, used: 0 })
    // An older hub said only what it came to.
    budget.used = amount === undefined ? used : budget.used + amount
  }
}
