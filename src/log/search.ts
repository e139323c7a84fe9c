import { setImmediate } from 'node:timers/promises'
import { isIndexed } from '../storage/search.js'
import type { LogFilter, Storage, Stretch } from '../storage/storage.js'
import type { EventHeader } from './event.js'
import { type Moment, positionAt } from './moment.js'

/**
 * Where no index answers, one question looks at so many positions: more where that was quick, fewer where it was not, for on
 * SQLite nobody else is served meanwhile. One search looks at so many of them at most.
 */
const WINDOW_MIN = 1000
const WINDOW_MAX = 50_000
const QUICK_MS = 4
const SLOW_MS = 12
const LOOKED_AT_MAX = 1_000_000

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

type Source = { readonly storage: Pick<Storage, 'head' | 'readHeaders' | 'searchLog'> }

/** One page of the events that a query wants. The work is bounded: a page of a long search may be short. */
export async function search({ storage }: Source, query: LogQuery, page: Page): Promise<Found> {
  const { limit, newestFirst, cursor } = page
  const { filter = {} } = query
  let { after, through } = await stretchOf(storage, query)
  if (cursor !== undefined && newestFirst) through = Math.min(through, cursor - 1)
  if (cursor !== undefined && !newestFirst) after = Math.max(after, cursor)
  const events: EventHeader[] = []
  let window = isIndexed(filter) ? Number.POSITIVE_INFINITY : WINDOW_MIN
  for (let lookedAt = 0; after < through && lookedAt < LOOKED_AT_MAX; ) {
    const within: Stretch = newestFirst
      ? { after: Math.max(after, through - window), through }
      : { after, through: Math.min(through, after + window) }
    const started = performance.now()
    events.push(...(await storage.searchLog(filter, within, limit - events.length, newestFirst)))
    const last = events.at(-1)
    if (last && events.length === limit) return { events, next: last.position }
    if (newestFirst) through = within.after
    else after = within.through
    lookedAt += within.through - within.after
    window = nextWindow(window, performance.now() - started)
    await setImmediate()
  }
  return { events, next: after < through ? (newestFirst ? through + 1 : after) : null }
}

function nextWindow(window: number, took_ms: number): number {
  if (took_ms < QUICK_MS) return Math.min(2 * window, WINDOW_MAX)
  return took_ms > SLOW_MS ? Math.max(WINDOW_MIN, Math.floor(window / 2)) : window
}

const PAGE = 500

/** Every event that a query wants, page by page from the oldest, up to where the log ends at the call. */
export async function* pagesOf(source: Source, query: LogQuery): AsyncGenerator<readonly EventHeader[]> {
  const { after, through } = await stretchOf(source.storage, query)
  const fixed = { ...query, from: { position: after + 1 }, to: { position: through } }
  for (let cursor: number | undefined; ; ) {
    const { events, next } = await search(source, fixed, { limit: PAGE, newestFirst: false, cursor })
    if (events.length > 0) yield events
    if (next === null) return
    cursor = next
  }
}

/** The positions that a query is about. */
export async function stretchOf(log: Source['storage'], { from, to }: LogQuery): Promise<Stretch> {
  const { position: head } = await log.head()
  return { after: await before(log, from), through: to === undefined ? head : await until(log, to, head) }
}

async function before(log: Source['storage'], from: Moment | undefined): Promise<number> {
  if (from === undefined) return 0
  if ('position' in from) return Math.max(0, from.position - 1)
  return positionAt(log, { time: new Date(Date.parse(from.time) - 1).toISOString() }, 'from')
}

async function until(log: Source['storage'], to: Moment, head: number): Promise<number> {
  return 'position' in to ? Math.min(to.position, head) : positionAt(log, to, 'to')
}
