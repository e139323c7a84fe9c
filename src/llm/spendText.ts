import type { SpendReport } from '../../queries/llmSpend.js'
import { csvLine } from '../lib/csv.js'

/** A report as lines, without its sums: of CSV with their titles before them, or of JSON. */
export function spendText({ by, from, to, currency, usage }: SpendReport, format: 'csv' | 'ndjson'): string {
  const lines = usage.map(({ key, name = null, steps, promptTokens, completionTokens, totalTokens, cost }) => {
    return { from, to, [by]: key, name, steps, promptTokens, completionTokens, totalTokens, cost, currency }
  })
  if (format === 'ndjson') return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const counts = ['steps', 'promptTokens', 'completionTokens', 'totalTokens', 'cost']
  const titles = ['from', 'to', by, 'name', ...counts, 'currency']
  return [titles, ...lines.map((line) => Object.values(line))].map(csvLine).join('')
}
