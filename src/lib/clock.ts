const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

/** The machine's two clocks, in milliseconds: what it says the time is, and what only ever goes on. */
export interface Clocks {
  readonly wall: () => number
  readonly monotonic: () => number
}

const system: Clocks = { wall: Date.now, monotonic: performance.now.bind(performance) }

/**
 * The time that a running hub goes by: the wall clock's. `say` is told where it jumps by more than an hour against the
 * monotonic clock. A leap of more than a year, in either direction, is not followed: time goes on from where it was by the
 * monotonic clock until the wall clock is back within a year of it.
 */
export function steadyClock(say: (text: string) => void, { wall, monotonic }: Clocks = system): () => number {
  let [time, at] = [wall(), monotonic()]
  let isLeft = false
  return () => {
    const [now, passed] = [wall(), monotonic() - at]
    const due = Math.round(time + passed)
    at += passed
    const jump = now - due
    if (Math.abs(jump) > YEAR_MS) {
      if (!isLeft) say(`${jumped(jump, 'leapt', now)} It is not followed: time goes on from ${timeText(due)}.`)
      isLeft = true
      time = due
      return time
    }
    if (isLeft) say(`The clock is followed again: it is ${timeText(now)}.`)
    else if (Math.abs(jump) > HOUR_MS) say(jumped(jump, 'jumped', now))
    isLeft = false
    time = now
    return time
  }
}

/** The clock says that the log has been silent for more than a year, and nobody has said that this is so. */
export class ClockRefused extends Error {
  override readonly name = 'ClockRefused'
}

/**
 * Compares the time with the end of a log before something is written to it: null where both agree, or what is to be said
 * loudly. Throws `ClockRefused` when the time is more than a year later, unless it is `accepted`: what is written once with
 * a wrong time stays in the log, and what expires by it is gone. An empty log agrees with any time.
 */
export function clockDoubt(
  now: number,
  { position, at }: { readonly position: number; readonly at: string },
  accepted: boolean
): string | null {
  const after = now - Date.parse(at)
  if (position === 0 || (after >= -MINUTE_MS && after <= YEAR_MS)) return null
  const said = `The clock says ${timeText(now)}, ${duration(after)} ${after < 0 ? 'before' : 'after'} the last event of the log, which is of ${at}.`
  if (after < 0) return `${said} Set the clock right; until it has passed that time, events get that time.`
  if (!accepted) throw new ClockRefused(`${said} Set the clock right; if it is, add --accept-clock.`)
  return said
}

function jumped(by_ms: number, verb: string, to_ms: number): string {
  return `The clock has ${verb} ${by_ms < 0 ? 'back' : 'ahead'} by ${duration(by_ms)}, to ${timeText(to_ms)}.`
}

function duration(time_ms: number): string {
  const length = Math.abs(time_ms)
  if (length >= 2 * DAY_MS) return `${Math.round(length / DAY_MS)} days`
  if (length >= 2 * HOUR_MS) return `${Math.round(length / HOUR_MS)} hours`
  return `${Math.round(length / MINUTE_MS)} minutes`
}

/** A time as the log has it: ISO 8601 in UTC, with milliseconds. */
export function timeText(time_ms: number): string {
  return new Date(time_ms).toISOString()
}
