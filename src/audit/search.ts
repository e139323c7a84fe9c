import { usersTable } from '../../projections/users.js'
import { type Moment, positionAt } from '../history/moment.js'
import type { EventHeader } from '../log/event.js'
import type { LogFilter, ReadStore, Storage, Stretch } from '../storage/storage.js'

/** One question to the database looks at this many positions, and one search asks at most so many of them. */
const WINDOW = 50_000
const WINDOWS_MAX = 20

/** The kinds of stream that there are. */
export const STREAM_KINDS = [
  'user',
  'token',
  'invitation',
  'collection',
  'folder',
  'request',
  'document',
  'environment',
  'snippet',
  'runresult',
  'llmstep',
  'llmusage',
  'projections',
  'audit',
  'key'
] as const

/** What an administrator looks for in the log. All that is given must hold. */
export interface AuditQuery {
  /** The id of an account: see `accountId`. */
  readonly actor?: string | undefined
  /** The id of a token. */
  readonly token?: string | undefined
  /** A type of event. */
  readonly type?: string | undefined
  readonly kind?: (typeof STREAM_KINDS)[number] | undefined
  readonly id?: string | undefined
  readonly address?: string | undefined
  readonly request?: string | undefined
  /** The first and the last moment, both included. */
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
export async function search({ storage }: Source, query: AuditQuery, page: Page): Promise<Found> {
  const { limit, newestFirst, cursor } = page
  const filter = filterOf(query)
  let { after, through } = await stretchOf(storage, query)
  if (cursor !== undefined && newestFirst) through = Math.min(through, cursor - 1)
  if (cursor !== undefined && !newestFirst) after = Math.max(after, cursor)
  const events: EventHeader[] = []
  for (let windows = 0; after < through && windows < WINDOWS_MAX; windows++) {
    const within: Stretch = newestFirst
      ? { after: Math.max(after, through - WINDOW), through }
      : { after, through: Math.min(through, after + WINDOW) }
    events.push(...(await storage.searchLog(filter, within, limit - events.length, newestFirst)))
    const last = events.at(-1)
    if (last && events.length === limit) return { events, next: last.position }
    if (newestFirst) through = within.after
    else after = within.through
  }
  return { events, next: after < through ? (newestFirst ? through + 1 : after) : null }
}

const PAGE = 500

/** Every event that a query wants, page by page from the oldest, up to where the log ends at the call. */
export async function* pagesOf(source: Source, query: AuditQuery): AsyncGenerator<readonly EventHeader[]> {
  const { through } = await stretchOf(source.storage, query)
  const fixed = { ...query, to: { position: through } }
  for (let cursor: number | undefined; ; ) {
    const { events, next } = await search(source, fixed, { limit: PAGE, newestFirst: false, cursor })
    if (events.length > 0) yield events
    if (next === null) return
    cursor = next
  }
}

/** The positions that a query is about. */
export async function stretchOf(log: Source['storage'], { from, to }: AuditQuery): Promise<Stretch> {
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

function filterOf(query: AuditQuery): LogFilter {
  const { actor: actorId, token: tokenId, type, kind, id, address, request: requestId } = query
  const resource =
    id !== undefined
      ? { streams: [...(kind === undefined ? STREAM_KINDS : [kind]), 'audit'].map((one) => `${one}-${id}`) }
      : { streamPrefix: kind && `${kind}-` }
  const types = type === undefined ? undefined : [type]
  return { actorId, tokenId, types, address, requestId, ...resource }
}

/**
 * The id of an account that somebody names by its id or by the name that it has now. Ids come first: nobody hides behind
 * the id of another by taking it for a name. What is neither is taken for the id of an account that is gone.
 */
export async function accountId(actor: string, view: ReadStore): Promise<string> {
  if (await view.get(usersTable, actor)) return actor
  const [named] = await view.list(usersTable, 'byUniqueName', [actor], { limit: 1, body: false })
  return named?.id ?? actor
}
