import { accountOf, type UserRow } from '../queries/callers.js'

/** What an account has spent of its monthly LLM tokens. */
export interface MonthlyUsage {
  /** The UTC month as `YYYY-MM`. */
  readonly period: string
  readonly tokens: number
}

/** The usage of an account that has spent nothing in the month of `now`. */
export function nothingUsed(now = new Date()): MonthlyUsage {
  return { period: now.toISOString().slice(0, 7), tokens: 0 }
}

/** An account as a block of lines; without `usage` the line about it is left out. */
export function userBlock(row: UserRow, usage?: MonthlyUsage): readonly string[] {
  const account = accountOf(row)
  return [
    `- id: ${row.id}`,
    `  name: ${account.name}`,
    `  role: ${account.role}`,
    `  collection access: ${entries(account.collectionAccess)}`,
    `  environment access: ${entries(account.environmentAccess)}`,
    `  snippet access: ${entries(account.snippetAccess)}`,
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
