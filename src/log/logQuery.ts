import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { errors } from '../errors.js'
import { timeText } from '../lib/clock.js'
import { isIndexed } from '../storage/search.js'
import type { LogFilter, PositionRange, Storage } from '../storage/storage.js'
import type { EventHeader, StoredEvent } from './event.js'
import { eventsAt } from './pages.js'

type Log = Pick<Storage, 'head' | 'readHeaders'>

const time = z.iso.datetime({ offset: true }).or(z.iso.date())

/** A place in the log as people name it: a position, or a time. */
export type Moment = { readonly position: number } | { readonly time: string }

const DAY_MS = 86_400_000

/**
 * Reads a moment: a position, or a time in ISO 8601. A date alone is its first moment in UTC, or its last one where `edge` says so:
 * then a range that ends with a day has all of it. Refuses with 400 what is neither. `what` names the parameter.
 */
export function momentOf(text: string, what: string, edge: 'first' | 'last' = 'first'): Moment {
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) }
  const given = time.safeParse(text)
  if (!given.success) throw errors.momentMalformed(what)
  const isWholeDay = edge === 'last' && !given.data.includes('T')
  return { time: timeText(Date.parse(given.data) + (isWholeDay ? DAY_MS - 1 : 0)) }
}

/** The last position at a moment: that of the last event at or before a time. Refuses a position that is not there yet. */
export async function positionAt(log: Log, moment: Moment, what: string): Promise<number> {
  const { position: head } = await log.head()
  if ('position' in moment) {
    if (moment.position > head) throw errors.beyondEnd(what, head)
    return moment.position
  }
  // Times never decrease along the log, so halving finds the place in some twenty reads.
  let [low, high] = [0, head]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [event] = await log.readHeaders(middle - 1, 1)
    if (event && event.at <= moment.time) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Where no index answers, one question looks at so many positions: more where that was quick, fewer where it was not, for on
 * SQLite nobody else is served meanwhile. One search looks at so many of them at most.
 */
const WINDOW_MIN = 1000
const WINDOW_MAX = 50_000
const QUICK_MS = 4
const SLOW_MS = 12
export const LOOKED_AT_MAX = 1_000_000

/** Which events are looked for, and between which moments, both included. */
export interface LogQuery {
  readonly filter?: LogFilter
  readonly from?: Moment | undefined
  readonly to?: Moment | undefined
}

export interface Page {
  readonly limit: number
  readonly newestFirst: boolean
  /** Where the page before ended, as its `next` said. */
  readonly cursor?: number | undefined
}

export interface Found {
  readonly events: readonly EventHeader[]
  /** What the next page begins with; null where nothing is left. A page may be short, or empty, and not be the last. */
  readonly next: number | null
}

export type SearchableLog = { readonly storage: Pick<Storage, 'head' | 'readHeaders' | 'searchLog'> }

type WholeLog = SearchableLog & { readonly storage: Pick<Storage, 'readAt'> }

/** One page of the events that a query wants. The work is bounded: a page of a long search may be short. */
export async function search({ storage }: SearchableLog, query: LogQuery, page: Page): Promise<Found> {
  const { limit, newestFirst, cursor } = page
  const { filter = {} } = query
  let { after, through } = await stretchOf(storage, query)
  if (cursor !== undefined && newestFirst) through = Math.min(through, cursor - 1)
  if (cursor !== undefined && !newestFirst) after = Math.max(after, cursor)
  const events: EventHeader[] = []
  let window = isIndexed(filter) ? Number.POSITIVE_INFINITY : WINDOW_MIN
  for (let lookedAt = 0; after < through && lookedAt < LOOKED_AT_MAX; ) {
    const within: PositionRange = newestFirst
      ? { after: Math.max(after, through - window), through }
      : { after, through: Math.min(through, after + window) }
    const started = performance.now()
    events.push(...(await storage.searchLog(filter, within, limit - events.length, newestFirst)))
    const last = events.at(-1)
    if (last && events.length === limit) return { events, next: last.position }
    if (newestFirst) through = within.after
    else after = within.through
    lookedAt += within.through - within.after
    const took_ms = performance.now() - started
    if (took_ms < QUICK_MS) window = Math.min(2 * window, WINDOW_MAX)
    else if (took_ms > SLOW_MS) window = Math.max(WINDOW_MIN, Math.floor(window / 2))
    await setImmediate()
  }
  return { events, next: after < through ? (newestFirst ? through + 1 : after) : null }
}

const PAGE = 500

/** Every event that a query wants, page by page from the oldest, up to where the log ends at the call. */
export async function* pagesOf(source: SearchableLog, query: LogQuery): AsyncGenerator<readonly EventHeader[]> {
  const { after, through } = await stretchOf(source.storage, query)
  const fixed = { ...query, from: { position: after + 1 }, to: { position: through } }
  for (let cursor: number | undefined; ; ) {
    const { events, next } = await search(source, fixed, { limit: PAGE, newestFirst: false, cursor })
    if (events.length > 0) yield events
    if (next === null) return
    cursor = next
  }
}

/** The same events with their texts, one by one. */
export async function* eventsOf(source: WholeLog, query: LogQuery): AsyncGenerator<StoredEvent, void> {
  for await (const page of pagesOf(source, query)) yield* eventsAt(source.storage, page)
}

/** The positions that a query is about. */
export async function stretchOf(log: Log, { from, to }: LogQuery): Promise<PositionRange> {
  const { position: head } = await log.head()
  let [after, through] = [0, head]
  if (from && 'position' in from) after = Math.max(0, from.position - 1)
  else if (from) after = await positionAt(log, { time: timeText(Date.parse(from.time) - 1) }, 'from')
  if (to && 'position' in to) through = Math.min(to.position, head)
  else if (to) through = await positionAt(log, to, 'to')
  return { after, through }
}
