const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const dayInYear = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** A time as people say it, seen from `now_ms`: minutes and hours ago, then the day, in the reader's language and zone. */
export function ago(at: string, now_ms: number): string {
  const then = new Date(at)
  const past_ms = now_ms - then.getTime()
  if (Number.isNaN(past_ms)) return at
  // A clock that is behind the hub's by a little is no future.
  if (Math.abs(past_ms) < MINUTE_MS) return relative.format(0, 'second')
  if (past_ms < 0) return `${day.format(then)}, ${clock.format(then)}`
  if (past_ms < HOUR_MS) return relative.format(-Math.floor(past_ms / MINUTE_MS), 'minute')
  if (past_ms < 12 * HOUR_MS) return relative.format(-Math.floor(past_ms / HOUR_MS), 'hour')
  if (past_ms < 6 * DAY_MS) {
    const days = calendarDays(then, new Date(now_ms))
    return `${relative.format(-days, 'day')}, ${clock.format(then)}`
  }
  const isThisYear = then.getFullYear() === new Date(now_ms).getFullYear()
  return `${(isThisYear ? dayInYear : day).format(then)}, ${clock.format(then)}`
}

/** A time to the second, with its day and zone. */
export function exactly(at: string): string {
  const then = new Date(at)
  return Number.isNaN(then.getTime()) ? at : exact.format(then)
}

function calendarDays(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / DAY_MS)
}
