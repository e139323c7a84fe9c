import type { SpendReport } from '../../queries/llmSpend.js'
import { csvLine } from '../lib/csv.js'

/** The lines of a report as files have them, without the sums. */
export const SPEND_FORMATS = ['csv', 'ndjson'] as const
export type SpendFormat = (typeof SPEND_FORMATS)[number]

/** A report as lines: of CSV with their titles before them, or of JSON. */
export function spendText({ by, from, to, currency, usage }: SpendReport, format: SpendFormat): string {
  const lines = usage.map(({ key, name = null, steps, promptTokens, completionTokens, totalTokens, cost }) => {
    return { from, to, [by]: key, name, steps, promptTokens, completionTokens, totalTokens, cost, currency }
  })
  if (format === 'ndjson') return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const titles = [
    'from',
    'to',
    by,
    'name',
    'steps',
    'promptTokens',
    'completionTokens',
    'totalTokens',
    'cost',
    'currency'
  ]
  return [titles, ...lines.map((line) => Object.values(line))].map(csvLine).join('')
}
