import { lockables } from '../commands/kinds.js'
import { accountOf, type UserRow } from '../queries/callers.js'
import { tokensUsed } from '../queries/llm.js'
import type { ReadStore } from '../src/storage/storage.js'

/** What an account has spent of its monthly LLM tokens. */
export interface MonthlyUsage {
  /** The UTC month as `YYYY-MM`. */
  readonly period: string
  readonly tokens: number
}

/** What an account has spent in the month of `now`. */
export async function usedThisMonth(read: ReadStore, userId: string, now = new Date()): Promise<MonthlyUsage> {
  const period = now.toISOString().slice(0, 7)
  return { period, tokens: await tokensUsed(read, userId, period) }
}

/** An account as a block of lines; without `usage` the line about it is left out. */
export function userBlock(row: UserRow, usage?: MonthlyUsage): readonly string[] {
  const account = accountOf(row)
  return [
    `- id: ${row.id}`,
    `  name: ${account.name}`,
    `  role: ${account.role}`,
    ...lockables.map(({ kind, access }) => `  ${kind} access: ${entries(account[access])}`),
    `  llm access: ${account.llmAccess ? 'enabled' : 'disabled'}`,
    `  llm models: ${entries(account.llmModels)}`,
    `  llm monthly tokens: ${account.llmMonthlyTokenLimit ?? 'unlimited'}`,
    ...(usage ? [`  llm tokens used (${usage.period}): ${usage.tokens}`] : []),
    `  created: ${row.createdAt}`,
    `  updated: ${row.updatedAt}`
  ]
}

function entries(list: readonly string[]): string {
  return list.join(', ') || '-'
}
