import type { BudgetPeriod } from './events.js'

// biome-ignore lint/style/noRestrictedGlobals: it reckons with days that are given, and looks at no clock.
const Calendar = Date
const DAY_MS = 86_400_000

/** The period that a moment belongs to, in UTC: `2026-11-27`, `2026-11` for a month, or for a week the Monday that it begins on. */
export function periodAt(period: BudgetPeriod, now: string): string {
  if (period === 'month') return now.slice(0, 7)
  const day = now.slice(0, 10)
  return period === 'day' ? day : dayText(Calendar.parse(day) - daysSinceMonday(day) * DAY_MS)
}

/** When the period that a moment belongs to is over, ISO 8601. */
export function periodEnd(period: BudgetPeriod, now: string): string {
  const [year = 0, month = 0, day = 0] = now.slice(0, 10).split('-').map(Number)
  if (period === 'month') return new Calendar(Calendar.UTC(year, month, 1)).toISOString()
  const days = period === 'day' ? 1 : 7 - daysSinceMonday(now.slice(0, 10))
  return new Calendar(Calendar.UTC(year, month - 1, day + days)).toISOString()
}

function daysSinceMonday(day: string): number {
  return (new Calendar(day).getUTCDay() + 6) % 7
}

function dayText(time_ms: number): string {
  return new Calendar(time_ms).toISOString().slice(0, 10)
}
