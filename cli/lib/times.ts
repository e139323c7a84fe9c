import { z } from 'zod'
import { type Moment, momentOf } from '../../src/log/logQuery.js'
import { CliError, didYouMean } from './errors.js'
import { milliseconds } from './option-values.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DAYS_AGO = new Map(Object.entries({ today: 0, yesterday: 1 }))

/** How options that take a time are described. */
export const TIME_HELP = 'a position, a time, a day, today, yesterday, now, or so long ago: 30m, 12h, 7d, 2w'
export const ZONE_HELP = '<ZONE> Where days and times without a zone are, such as Europe/Berlin; UTC by default'

/** What times without a zone and words such as `yesterday` go by. */
export interface Calendar {
  readonly now: Date
  /** An IANA name. */
  readonly zone: string
}

/** A time of the command line, understood. */
export interface ReadTime {
  readonly moment: Moment
  /** True where it was not said as plainly as the log has it, so that whoever typed it should see how it was understood. */
  readonly isInterpreted: boolean
}

/** The calendar of a zone that somebody names, UTC where nobody does. Throws a `CliError` where there is no such zone. */
export function calendarOf(zone: string | undefined, now = new Date()): Calendar {
  if (zone === undefined) return { now, zone: 'UTC' }
  try {
    return { now, zone: new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone }
  } catch {
    const help = didYouMean(zone, Intl.supportedValuesOf('timeZone'), String)
    throw new CliError(`Unknown time zone "${zone}". Zones are named like Europe/Berlin, or UTC.`, { help })
  }
}

const localTime = z.iso.datetime({ local: true })
const day = z.iso.date()

/**
 * Reads a time: a position, ISO 8601 with or without a zone, a day, `today`, `yesterday`, `now`, or how long ago. Of a day it is
 * the first or the last moment, as `edge` says. Throws a `CliError` that names the option for what is none of these.
 */
export function timeValue(option: string, text: string, edge: 'first' | 'last', calendar: Calendar): ReadTime {
  const at = (time_ms: number): ReadTime => {
    // The log's times have four digits for the year.
    if (!(time_ms >= 0 && time_ms < Date.UTC(9999, 0))) throw new CliError(`${option}: there is no such time: ${text}.`)
    return { moment: { time: new Date(time_ms).toISOString() }, isInterpreted: true }
  }
  const now_ms = calendar.now.getTime()
  const word = text.trim().toLowerCase()
  if (word === 'now') return at(now_ms)
  const daysAgo = DAYS_AGO.get(word)
  if (daysAgo !== undefined) {
    const today_ms = now_ms + offsetAt(now_ms, calendar.zone)
    return at(edgeOfDay((Math.floor(today_ms / DAY_MS) - daysAgo) * DAY_MS, edge, calendar.zone))
  }
  const length_ms = milliseconds(word)
  if (length_ms !== null) return at(now_ms - length_ms)
  if (day.safeParse(text).success) return at(edgeOfDay(Date.parse(text), edge, calendar.zone))
  if (localTime.safeParse(text).success && !/z$/i.test(text)) return at(inZone(Date.parse(`${text}Z`), calendar.zone))
  try {
    return { moment: momentOf(text, option), isInterpreted: !/^\d+$|Z$/.test(text) }
  } catch {
    throw new CliError(`${option} must be ${TIME_HELP}; this is none of them: ${text}`)
  }
}

/** A first and a last moment, both included, as options name them. */
export interface Range {
  readonly from: Moment | undefined
  readonly to: Moment | undefined
  /** How the options were understood, in words; null where they say it themselves. */
  readonly understood: string | null
}

/** Reads `--from` and `--to`. Throws a `CliError` where one is no time, or the end is before the beginning. */
export function rangeValue(given: { from?: string | undefined; to?: string | undefined }, calendar: Calendar): Range {
  const from = given.from === undefined ? undefined : timeValue('--from', given.from, 'first', calendar)
  const to = given.to === undefined ? undefined : timeValue('--to', given.to, 'last', calendar)
  const range = { from: from?.moment, to: to?.moment }
  if (isBackwards(range)) throw new CliError(`--from is behind --to: ${rangeText(range)}.`)
  const isInterpreted = (from?.isInterpreted ?? false) || (to?.isInterpreted ?? false)
  return { ...range, understood: isInterpreted ? rangeText(range) : null }
}

/** A range in words: `from 2026-01-30T00:00:00.000Z to now`. */
export function rangeText({ from, to }: Pick<Range, 'from' | 'to'>): string {
  const text = (moment: Moment) => ('position' in moment ? `position ${moment.position}` : moment.time)
  return `from ${from ? text(from) : 'the beginning of the log'} to ${to ? text(to) : 'now'}`
}

function isBackwards({ from, to }: Pick<Range, 'from' | 'to'>): boolean {
  if (!from || !to) return false
  if ('position' in from) return 'position' in to && from.position > to.position
  return 'time' in to && from.time > to.time
}

/** Reads how long ago something was at least: `30d`, `12h`. Resolves to the time then. Throws a `CliError`. */
export function agoValue(option: string, text: string, now = new Date()): string {
  const time_ms = now.getTime() - (milliseconds(text) ?? Number.NaN)
  if (!(time_ms >= 0)) throw new CliError(`${option} must be a length of time such as 30d, 12h or 8w.`)
  return new Date(time_ms).toISOString()
}

/** Reads how long from now something ends: `90d`, `12h`; null for `never`. Resolves to the time then. Throws a `CliError`. */
export function endValue(option: string, text: string, now_ms: number): string | null {
  if (text.trim().toLowerCase() === 'never') return null
  const time_ms = now_ms + (milliseconds(text) ?? Number.NaN)
  // The log's times have four digits for the year.
  if (!(time_ms > now_ms && time_ms < Date.UTC(9999, 0)))
    throw new CliError(`${option} must be a length of time such as 90d, 12h or 8w.`)
  return new Date(time_ms).toISOString()
}

/** The first or the last moment of the day whose date stands in a UTC time. */
function edgeOfDay(date_ms: number, edge: 'first' | 'last', zone: string): number {
  return edge === 'first' ? inZone(date_ms, zone) : inZone(date_ms + DAY_MS, zone) - 1
}

/** The time at which the clocks of a zone show what clocks of UTC show at `wall_ms`. */
function inZone(wall_ms: number, zone: string): number {
  const first = wall_ms - offsetAt(wall_ms, zone)
  // Where the clocks are changed in between, the offset is the one in force at the time itself.
  return wall_ms - offsetAt(first, zone)
}

/** How far the clocks of a zone are ahead of UTC at a time. */
function offsetAt(time_ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(time_ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // As GMT+05:30, and GMT alone where they are those of UTC.
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  const ahead_ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS
  return sign === '-' ? -ahead_ms : ahead_ms
}
