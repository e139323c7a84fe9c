import { kinds, MEMBERS, type Member } from '../../commands/kinds.js'
import { usersTable } from '../../projections/users.js'
import { nameInColumns } from '../../queries/names.js'
import { slices } from '../limits.js'
import type { EventHeader } from '../log/event.js'
import type { PagedReads, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { importsBehind } from './imports.js'
import { NewestEvents } from './newestEvents.js'
import { newestFirst, versionTypes } from './streams.js'
import { type Touched, touchedIn } from './touched.js'
import { whereabouts } from './whereabouts.js'

/** One thing that happened in a collection. */
export interface Activity {
  readonly position: number
  readonly at: string
  readonly type: string
  readonly kind: 'collection' | Member
  readonly id: string
  /** What the record is called now, or was when it was deleted; null where it is elsewhere, or went with what it was in. */
  readonly name: string | null
  /** The account with the name that it has now; null where it is gone. */
  readonly actor: { readonly id: string; readonly name: string | null }
  /** What happened by one command has the same. */
  readonly commandId: string
}

/** One page of what happened, the newest first. `next` is the `before` of the page behind it; null where nothing is left. */
export interface ActivityPage {
  readonly events: readonly Activity[]
  readonly next: number | null
}

export interface ActivitySource {
  readonly storage: Pick<Storage, 'head' | 'searchLog' | 'lastOf'>
  readonly view: Pick<PagedReads, 'list' | 'outline' | 'getAll' | 'getPage' | 'listPart'>
}

/** So many records are looked at together, and the streams of so many are read at once. */
const TOGETHER = 200
const AT_ONCE = 16

/**
 * What happened to a collection and in it before a position: to its folders, requests and documents while they were there, and
 * imports into it. Only headers are read. No index tells the events of a collection, so they are looked for record by record, the
 * one that was touched last first, until no other can have a newer event than the page has. The first page so costs little more
 * than itself. One further back looks at the last event before it of each record that the collection has or had, at most
 * `LIMITS.activityTombstones` of those that left it, and at all events of a record only where they may be on the page.
 */
export async function activityOf(
  source: ActivitySource,
  collectionId: string,
  { limit, before = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly before?: number | undefined }
): Promise<ActivityPage> {
  const { storage, view } = source
  const through = Math.min(before - 1, (await storage.head()).position)
  // One more than the page has, which tells whether another one follows.
  const page = new NewestEvents(limit + 1)
  const known = new Map<string, Touched>()
  const isIn = whereabouts(view, collectionId, known)
  page.add(await eventsOf(source, `collection-${collectionId}`, { after: 0, through }, limit + 1, isIn))
  for await (const some of inChunks(touchedIn(view, collectionId, through))) {
    if (some.every(({ last }) => last <= page.floor)) break
    for (const one of some) known.set(streamOf(one), one)
    for (const group of slices(await byLastEvent(source, some, through), AT_ONCE)) {
      const after = page.floor
      const wanted = group.filter(({ last }) => last > after)
      if (wanted.length === 0) break
      const read = wanted.map(({ stream, last }) => eventsOf(source, stream, { after, through: last }, limit + 1, isIn))
      page.add((await Promise.all(read)).flat())
      await giveWay()
    }
  }
  const imports = await importsBehind(storage, { after: page.floor, through }, page.events)
  page.add(imports.events)
  if (imports.from !== null) page.cut(imports.from)
  const events = await told(source, collectionId, page.events.slice(0, limit), known)
  const last = page.events.length > limit ? events.at(-1)?.position : page.from
  return { events, next: last ?? null }
}

const streamOf = ({ kind, id }: Touched) => `${kind}-${id}`

async function* inChunks(all: AsyncIterable<Touched>): AsyncGenerator<readonly Touched[], void> {
  let chunk: Touched[] = []
  for await (const one of all) {
    chunk.push(one)
    if (chunk.length < TOGETHER) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** The streams of these records in the order of the last event that each has up to a position, the newest first. */
async function byLastEvent({ storage }: ActivitySource, some: readonly Touched[], through: number) {
  const unsure = some.filter(({ isExact }) => !isExact)
  // Kind by kind, since what a database is asked for has to be searched once for each type on some of them.
  const asked = MEMBERS.map((kind) => {
    const streams = unsure.filter((one) => one.kind === kind).map(streamOf)
    return streams.length === 0 ? [] : storage.lastOf(streams, versionTypes(kind), through)
  })
  const found = (await Promise.all(asked)).flat()
  const sure = some.filter(({ isExact }) => isExact).map((one) => ({ stream: streamOf(one), last: one.last }))
  const last = found.map(({ stream, position }) => ({ stream, last: position }))
  return [...sure, ...last].sort((a, b) => b.last - a.last)
}

async function eventsOf(
  { storage }: ActivitySource,
  stream: string,
  { after, through }: { readonly after: number; readonly through: number },
  limit: number,
  isIn: (header: EventHeader) => Promise<boolean>
): Promise<readonly EventHeader[]> {
  const events: EventHeader[] = []
  for await (const header of newestFirst({ storage }, stream, undefined, through)) {
    if (header.position <= after || events.length === limit) break
    if (await isIn(header)) events.push(header)
    await giveWay()
  }
  return events
}

/** These events as they are told, with the names of now. */
async function told(
  { view }: ActivitySource,
  collectionId: string,
  events: readonly EventHeader[],
  known: ReadonlyMap<string, Touched>
): Promise<readonly Activity[]> {
  const actorIds = [...new Set(events.map(({ actorId }) => actorId))]
  const accounts = await view.getAll(usersTable, actorIds, { body: false })
  const actors = new Map(accounts.map(({ id, name }) => [id, name]))
  const collection = { kind: 'collection', id: collectionId, name: null, isHere: true } as const
  // An import is told as something that happened to the collection.
  const records = events.map(({ stream }) => known.get(stream) ?? collection)
  // What has left may be called by another name elsewhere, which is not for everybody who sees this.
  const names = await namesOf(
    view,
    records.filter(({ isHere }) => isHere)
  )
  return events.map(({ position, at, type, actorId, commandId }, i) => {
    const { kind, id, name } = records[i] ?? collection
    const actor = { id: actorId, name: actors.get(actorId) ?? null }
    return { position, at, type, kind, id, name: names.get(`${kind}-${id}`) ?? name, actor, commandId }
  })
}

/** What these are called now, by kind and id. */
async function namesOf(view: ActivitySource['view'], records: readonly Pick<Activity, 'kind' | 'id'>[]) {
  const names = new Map<string, string>()
  for (const kind of ['collection', ...MEMBERS] as const) {
    const ids = [...new Set(records.flatMap((one) => (one.kind === kind ? one.id : [])))]
    for (const row of await view.getAll(kinds[kind].table, ids, { body: false }))
      names.set(`${kind}-${row.id}`, nameInColumns(row))
  }
  return names
}
