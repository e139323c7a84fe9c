import { z } from 'zod'
import { usersTable } from '../../../commands/people/user/table.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { LOOKED_AT_MAX, type LogQuery, type SearchableLog, search, stretchOf } from '../../log/logQuery.js'
import { who } from '../../records/history/history.js'
import { kindIn } from '../../records/history/streams.js'
import { isIndexed } from '../../storage/search.js'
import type { ReadStore } from '../../storage/storage.js'

/** How often what happened; each in the order in which it came. */
export interface Counts {
  readonly events: number
  readonly kinds: ReadonlyMap<string, number>
  readonly types: ReadonlyMap<string, number>
  readonly actors: ReadonlyMap<string, number>
  /** By day, in UTC. */
  readonly days: ReadonlyMap<string, number>
}

/** Counts events by kind of stream, by type, by account and by day. Others have their turn in between. */
export async function countsOf(pages: AsyncIterable<readonly EventHeader[]>): Promise<Counts> {
  const kinds = new Map<string, number>()
  const types = new Map<string, number>()
  const actors = new Map<string, number>()
  const days = new Map<string, number>()
  let events = 0
  for await (const page of pages) {
    events += page.length
    for (const { stream, type, actorId, at } of page) {
      countIn(kinds, kindIn(stream))
      countIn(types, type)
      countIn(actors, actorId)
      countIn(days, at.slice(0, 10))
    }
    await giveWay()
  }
  return { events, kinds, types, actors, days }
}

/** What was counted with how often, the most frequent first. */
export function byFrequency(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a)
}

function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const count = z.int().min(0)
const counted = count.describe('How many entries of those that were counted have it.')

/** What a search of the log finds, counted: the most frequent first, and days in their order. */
export const auditFacets = z.object({
  counted: count.describe('How many entries were counted: the newest ones.'),
  isWhole: z.boolean().describe('False where there are more than were counted.'),
  kinds: z
    .array(z.object({ kind: z.string().describe('A kind of thing, such as `request`.'), count: counted }))
    .describe('By the kind of what it happened to, the most frequent first.'),
  types: z
    .array(z.object({ type: z.string().describe('What happened, such as `RequestUpdated`.'), count: counted }))
    .describe('By what happened, the most frequent first.'),
  actors: z
    .array(z.object({ ...who.shape, count: counted }))
    .describe('By account, with the name that it has now, the most frequent first.'),
  days: z
    .array(z.object({ day: z.iso.date().describe('A day in UTC.'), count: counted }))
    .describe('By day, in their order.'),
  more: z
    .object({
      kinds: count.describe('How many more kinds.'),
      types: count.describe('How many more types.'),
      actors: count.describe('How many more accounts.'),
      days: count.describe('How many more days.')
    })
    .describe('How many values of each there are beside those that are listed.')
})
export type Facets = Frozen<z.infer<typeof auditFacets>>

interface FacetSource extends SearchableLog {
  readonly readModel: Pick<ReadStore, 'getAll'>
}

interface FacetBounds {
  readonly events: number
  readonly values: number
}
const BOUNDS: FacetBounds = { events: LIMITS.facetEvents.max, values: LIMITS.facetValues.max }

/**
 * Counts the newest events that a query wants, so many at most. Of each only the header is read, a page at a time. Where no index
 * answers, as many of the newest positions are looked at as by one search. Before a cursor, as a page of the search has it, are those
 * that are counted.
 */
export async function facetsOf(
  source: FacetSource,
  query: LogQuery,
  { events: most, values }: FacetBounds = BOUNDS,
  cursor = Number.POSITIVE_INFINITY
): Promise<Facets> {
  const { after, through: end } = await stretchOf(source.storage, query)
  const through = Math.min(end, cursor - 1)
  const from = isIndexed(query.filter ?? {}) ? after : Math.max(after, through - LOOKED_AT_MAX)
  const walk = { isWhole: from === after }
  const fixed = { filter: query.filter, from: { position: from + 1 }, to: { position: through } }
  const counts = await countsOf(newest(source, fixed, most, walk))
  const first = (counted: ReadonlyMap<string, number>) => byFrequency(counted).slice(0, values)
  const beyond = (counted: ReadonlyMap<string, number>, listed = values) => Math.max(0, counted.size - listed)
  const { events: counted, kinds, types, actors, days } = counts
  const lastDays = [...days].sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, LIMITS.facetDays.max)
  return {
    counted,
    isWhole: walk.isWhole,
    kinds: first(kinds).map(([kind, count]) => ({ kind, count })),
    types: first(types).map(([type, count]) => ({ type, count })),
    actors: await named(source, first(actors)),
    days: lastDays.reverse().map(([day, count]) => ({ day, count })),
    more: {
      ...{ kinds: beyond(kinds), types: beyond(types), actors: beyond(actors) },
      days: beyond(days, LIMITS.facetDays.max)
    }
  }
}

async function named({ readModel }: FacetSource, actors: readonly (readonly [string, number])[]) {
  const ids = actors.map(([id]) => id)
  const accounts = await readModel.getAll(usersTable, ids, { body: false })
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return actors.map(([id, count]) => ({ id, name: names.get(id) ?? null, count }))
}

const PAGE = 500

/** The newest events of a query, page by page, as many as are counted; whether these are all is noted. */
async function* newest(
  source: SearchableLog,
  query: LogQuery,
  most: number,
  walk: { isWhole: boolean }
): AsyncGenerator<readonly EventHeader[], void> {
  let cursor: number | undefined
  for (let left = most; ; ) {
    // One more than is counted, which tells whether there are more.
    const { events, next } = await search(source, query, { limit: Math.min(PAGE, left + 1), newestFirst: true, cursor })
    yield events.slice(0, left)
    if (events.length > left) walk.isWhole = false
    left -= events.length
    if (next === null || left < 0) return
    cursor = next
  }
}
