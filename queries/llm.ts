import { z } from 'zod'
import { callOrigin, llmStep } from '../commands/llm/events.js'
import { llmStepsTable, llmUsageTable, usageId } from '../commands/llm/table.js'
import type { ReadStore, Row } from '../src/storage/storage.js'

/** One entry of the usage log, as it is stored: who, when, which model, how much; never what was said. */
const llmEntry = llmStep
  .omit({ tokenId: true })
  .extend({ ...callOrigin.shape, id: z.string(), apiTokenId: z.string().nullable(), createdAt: z.string() })
export type LlmEntry = z.infer<typeof llmEntry>

export interface LlmFilter {
  readonly userId?: string | undefined
  readonly model?: string | undefined
  readonly period?: string | undefined
}

/** The tokens that an account has used in a month. */
export async function tokensUsed(read: ReadStore, userId: string, period: string): Promise<number> {
  return (await read.get(llmUsageTable, usageId(userId, period)))?.totalTokens ?? 0
}

/** The entries of the usage log that a filter lets through, newest first. */
export async function listLlmEntries(read: ReadStore, filter: LlmFilter): Promise<readonly LlmEntry[]> {
  const { userId, model, period } = filter
  const newestFirst = { reverse: true }
  const rows =
    userId !== undefined
      ? await read.list(llmStepsTable, 'byUser', [userId], newestFirst)
      : model !== undefined
        ? await read.list(llmStepsTable, 'byModel', [model], newestFirst)
        : period !== undefined
          ? await read.list(llmStepsTable, 'byPeriod', [period], newestFirst)
          : await read.list(llmStepsTable, 'byAge', [], newestFirst)
  const passes = (row: Row<typeof llmStepsTable.columns>) =>
    (model === undefined || row.model === model) && (period === undefined || row.period === period)
  return rows.filter(passes).map(({ body }) => llmEntry.parse(JSON.parse(body)))
}

const monthOfUse = z.object({
  userId: z.string(),
  period: z.string(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  /** Prompt and completion together: what counts against the limit. */
  totalTokens: z.number(),
  /** What was counted without a step of its own: of calls that were lost with their hub, and by an older hub. */
  unloggedTokens: z.number()
})
export type MonthOfUse = Readonly<z.infer<typeof monthOfUse>>

/** What each account has used, in one month or in all, by month and account. */
export async function listLlmUsage(read: ReadStore, period?: string): Promise<readonly MonthOfUse[]> {
  const rows =
    period === undefined
      ? await read.list(llmUsageTable, 'byMonth', [])
      : await read.list(llmUsageTable, 'byPeriod', [period])
  return rows.map((row) => monthOfUse.parse(row))
}

export interface UsageDifference {
  readonly userId: string
  readonly period: string
  readonly rollup: number
  readonly log: number
}

/** Months whose rollup is not the sum of the usage log and of what came unlogged from an older hub. */
export async function usageDifferences(read: ReadStore): Promise<readonly UsageDifference[]> {
  const months = new Map<string, { userId: string; period: string; rollup: number; log: number }>()
  const monthOf = (userId: string, period: string) => {
    const id = usageId(userId, period)
    const month = months.get(id) ?? { userId, period, rollup: 0, log: 0 }
    months.set(id, month)
    return month
  }
  for (const { userId, period, promptTokens, completionTokens } of await listLlmEntries(read, {})) {
    monthOf(userId, period).log += promptTokens + completionTokens
  }
  for (const { userId, period, totalTokens, unloggedTokens } of await listLlmUsage(read)) {
    const month = monthOf(userId, period)
    month.rollup += totalTokens
    month.log += unloggedTokens
  }
  return [...months.values()].filter(({ rollup, log }) => rollup !== log)
}
