import { z } from 'zod'
import { usersTable } from '../../../commands/people/user/table.js'
import { kinds, MEMBERS } from '../../../commands/records/kinds.js'
import { nameInColumns } from '../../../queries/names.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { newestFirst } from '../../log/pages.js'
import type { PositionRange } from '../../storage/storage.js'
import { who } from './history.js'
import type { HistorySource } from './past.js'
import { type PastMember, pastMembers, presence } from './pastMembers.js'
import { newestOf, versionTypes } from './streams.js'

/** One thing that happened in a collection. */
const happened = z.object({
  position: z.int().min(0).describe('The position of the event in the log.'),
  at: z.iso.datetime().describe('When it happened.'),
  type: z.string().describe('What happened, such as `RequestUpdated`.'),
  kind: z.enum(['collection', ...MEMBERS]).describe('What kind of record it happened to.'),
  id: z.string().describe('The id of the record.'),
  name: z
    .string()
    .nullable()
    .describe('Its name now, or when it was deleted; null where it is elsewhere, or went with what it was in.'),
  actor: who.describe('The account that did it, with its name now.'),
  commandId: z.string().describe('The id of the command. What happened by one command has the same.')
})
export type Activity = Frozen<z.infer<typeof happened>>

/** One page of what happened, the newest first. `next` is the `before` of the page behind it; null where nothing is left. */
export const activity = z.object({
  events: z.array(happened).describe('What happened, the newest first.'),
  next: z.int().min(0).nullable().describe('The `before` of the next page; null on the last one.')
})
export type ActivityPage = Frozen<z.infer<typeof activity>>

/** So many records are looked at together, and the streams of so many are read at once. */
const TOGETHER = 200
const AT_ONCE = 16
/** Of the whole hub's imports so many are looked at. */
const IMPORTS_MAX = 5000

/**
 * What happened to a collection and in it before a position: to its folders, requests and documents while they were there, and
 * imports into it. Only headers are read. No index tells the events of a collection, so they are looked for record by record, the
 * one that was touched last first, until no other can have a newer event than the page has. The first page so costs little more
 * than itself. One further back looks at the last event before it of each record that the collection has or had, at most
 * `LIMITS.activityTombstones` of those that left it, and at all events of a record only where they may be on the page.
 */
export async function activityOf(
  source: HistorySource,
  collectionId: string,
  { limit, before = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly before?: number | undefined }
): Promise<ActivityPage> {
  const { storage, readModel } = source
  const through = Math.min(before - 1, (await storage.head()).position)
  const known = new Map<string, PastMember>()
  // One more than the page has, which tells whether another one follows.
  let page: readonly EventHeader[] = []
  const add = (found: readonly EventHeader[]) => {
    page = [...page, ...found].sort((a, b) => b.position - a.position).slice(0, limit + 1)
  }
  /** Only events after this position can be on the page. */
  const floor = () => page[limit]?.position ?? 0
  const eventsOf = async (stream: string, through: number, isIn: (header: EventHeader) => boolean = () => true) => {
    const events: EventHeader[] = []
    for await (const header of newestFirst(storage, { streams: [stream] }, { after: floor(), through })) {
      if (isIn(header)) events.push(header)
      if (events.length > limit) break
      await giveWay()
    }
    return events
  }
  add(await eventsOf(`collection-${collectionId}`, through))
  for await (const some of inChunks(pastMembers(readModel, collectionId, through))) {
    if (some.every(({ last }) => last <= floor())) break
    const fresh: PastMember[] = []
    for (const one of some) {
      if (known.has(one.stream)) continue
      known.set(one.stream, one)
      fresh.push(one)
    }
    for (const group of slices(await byLastEvent(source, fresh, through), AT_ONCE)) {
      const wanted = group.filter(({ last }) => last > floor())
      if (wanted.length === 0) break
      const read = wanted.map(async (one) =>
        eventsOf(one.stream, one.last, await presence(readModel, collectionId, one))
      )
      add((await Promise.all(read)).flat())
      await giveWay()
    }
  }
  const { imports, from } = await importsBehind(storage, { after: floor(), through }, page)
  add(imports)
  page = page.filter(({ position }) => position >= from)
  const events = await entriesOf(source, collectionId, page.slice(0, limit), known)
  return { events, next: (page.length > limit ? events.at(-1)?.position : from) || null }
}

async function* inChunks<T>(all: AsyncIterable<T>): AsyncGenerator<readonly T[], void> {
  let chunk: T[] = []
  for await (const one of all) {
    chunk.push(one)
    if (chunk.length < TOGETHER) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** These records in the order of the last event that each has up to a position, the newest first. */
async function byLastEvent({ storage }: HistorySource, some: readonly PastMember[], through: number) {
  const asked = some.map((one) => ({ ...one, types: versionTypes(one.kind), at: through }))
  const newest = [...(await newestOf(storage, asked))]
  const dated = newest.map(([one, { position }]) => ({ ...one, last: Math.min(one.last, position) }))
  return dated.sort((a, b) => b.last - a.last)
}

/**
 * The imports in a range of the log that did some of these events, and the position before which none was looked at; 0 where all were.
 * The event of an import is of the stream of its source, and comes right behind what the import did last.
 */
async function importsBehind(
  storage: HistorySource['storage'],
  within: PositionRange,
  did: readonly EventHeader[]
): Promise<{ readonly imports: readonly EventHeader[]; readonly from: number }> {
  const commands = new Map(did.map(({ position, commandId }) => [position, commandId]))
  const imports: EventHeader[] = []
  let looked = 0
  for await (const header of newestFirst(storage, { types: ['SourceImported'] }, within)) {
    if (commands.get(header.position - 1) === header.commandId) imports.push(header)
    if (++looked === IMPORTS_MAX) return { imports, from: header.position }
  }
  return { imports, from: 0 }
}

/** These events as they are told, with the names of now. */
async function entriesOf(
  { readModel }: HistorySource,
  collectionId: string,
  events: readonly EventHeader[],
  known: ReadonlyMap<string, PastMember>
): Promise<readonly Activity[]> {
  const actorIds = [...new Set(events.map(({ actorId }) => actorId))]
  const accounts = await readModel.getAll(usersTable, actorIds, { body: false })
  const actors = new Map(accounts.map(({ id, name }) => [id, name]))
  const collection = { kind: 'collection', id: collectionId, name: null, isHere: true } as const
  // An import is told as something that happened to the collection.
  const records = events.map(({ stream }) => known.get(stream) ?? collection)
  const names = new Map<string, string>()
  for (const kind of ['collection', ...MEMBERS] as const) {
    // What has left may be called by another name elsewhere, which is not for everybody who sees this.
    const ids = new Set(records.flatMap((one) => (one.isHere && one.kind === kind ? one.id : [])))
    for (const row of await readModel.getAll(kinds[kind].table, [...ids], { body: false }))
      names.set(`${kind}-${row.id}`, nameInColumns(row))
  }
  return events.map(({ position, at, type, actorId, commandId }, i) => {
    const { kind, id, name } = records[i] ?? collection
    const actor = { id: actorId, name: actors.get(actorId) ?? null }
    return { position, at, type, kind, id, name: names.get(`${kind}-${id}`) ?? name, actor, commandId }
  })
}
