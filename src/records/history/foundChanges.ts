import { z } from 'zod'
import { codec } from '../../../commands/index.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, kindOfStream, kinds, MEMBERS, type RestorableKind } from '../../../commands/records/kinds.js'
import { tombstonesTable } from '../../../commands/records/undelete/table.js'
import { membersIn } from '../../../queries/tombstones.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { decoded } from '../../log/codec.js'
import { type EventHeader, type StoredEvent, subjectOf } from '../../log/event.js'
import { type LogQuery, pagesOf } from '../../log/logQuery.js'
import { eventsAt, newestFirst } from '../../log/pages.js'
import type { LogFilter } from '../../storage/storage.js'
import { orphansOf } from './orphans.js'
import type { RecordPast } from './past.js'
import { versionTypes } from './streams.js'

/** A record that something was done to, and where in the log the first and the last of it is. */
export interface FoundChanges {
  readonly kind: RestorableKind
  readonly id: string
  readonly first: number
  readonly last: number
}

/** What moves records without being of their streams: it is in those of their collections. */
const REORDERS = [...new Set(MEMBERS.map((kind) => kinds[kind].reordered))]
/** What takes records with it. */
const DELETIONS = ['FolderDeleted', 'CollectionDeleted']
/** So many streams are asked about at once. */
const TOGETHER = 500

/** How many events, and how many records, a query may find at most. */
export interface FoundMost {
  readonly events: number
  readonly records: number
}
const ANY: FoundMost = { events: Number.POSITIVE_INFINITY, records: Number.POSITIVE_INFINITY }

/** What a query finds, as positions, and the records that it was about, by stream. Refuses with 413 where that is more than `most`. */
export async function changesFoundBy(ledger: Ledger, query: LogQuery, most: FoundMost = ANY) {
  const isOurs = new Set<number>()
  const records = new Map<string, FoundChanges>()
  const add = (kind: RestorableKind, id: string, position: number) => {
    const { first = position, last = position } = records.get(`${kind}-${id}`) ?? {}
    records.set(`${kind}-${id}`, { kind, id, first: Math.min(first, position), last: Math.max(last, position) })
    if (records.size > most.records) throw errors.undoTooLarge(most)
  }
  const parentsGone: number[] = []
  for await (const page of pagesOf(ledger, query)) {
    for (const { position, type } of page) {
      isOurs.add(position)
      if (type === 'EnvironmentDeleted') parentsGone.push(position)
    }
    if (isOurs.size > most.events) throw errors.undoTooLarge(most)
    for await (const { kind, id, position } of touchesIn(ledger, page)) add(kind, id, position)
  }
  const environments = [...records.values()].flatMap(({ kind, id }) => (kind === 'environment' ? [id] : []))
  for await (const { id, position } of orphansOf(ledger, parentsGone, environments)) add('environment', id, position)
  return { isOurs, records }
}

/**
 * Where somebody else has touched a record last since it was found to be touched first, by stream; records that nobody has are left
 * out. `nows` are the records as they are at the end of the log.
 */
export async function foreignTouches(
  ledger: Ledger,
  records: ReadonlyMap<string, FoundChanges>,
  nows: readonly RecordPast[],
  isOurs: ReadonlySet<number>
): Promise<ReadonlyMap<string, number>> {
  const touches = new Map<string, number>()
  const touch = (stream: string, position = 0) => {
    if (position > (records.get(stream)?.first ?? position) && !isOurs.has(position))
      touches.set(stream, Math.max(touches.get(stream) ?? 0, position))
  }
  const collections = new Set<string>()
  for (const { kind, id, stream, at, gone, outline } of nows) {
    touch(stream, gone?.position)
    if (outline && isMember(kind)) {
      collections.add(`collection-${itemPositionOf(outline).collectionId}`)
      const left = await ledger.readModel.list(tombstonesTable, 'bySubject', [id], { body: false })
      for (const { collectionId } of left) collections.add(`collection-${collectionId}`)
    }
    const own = { streams: [stream], types: versionTypes(kind) }
    for await (const { position } of newestFirst(ledger.storage, own, { after: 0, through: at })) {
      touch(stream, position)
      if (!isOurs.has(position) || position <= (records.get(stream)?.first ?? 0)) break
    }
    await giveWay()
  }
  const start = [...records.values()].reduce((min, { first }) => Math.min(min, first), Number.POSITIVE_INFINITY)
  const filters: LogFilter[] = records.size > 0 ? DELETIONS.map((type) => ({ types: [type] })) : []
  for (const streams of slices([...collections], TOGETHER)) filters.push({ streams, types: REORDERS })
  for (const filter of filters) {
    for await (const page of pagesOf(ledger, { filter, from: { position: start } })) {
      const theirs = page.filter(({ position }) => !isOurs.has(position))
      for await (const { stream, position } of touchesIn(ledger, theirs)) touch(stream, position)
    }
  }
  return touches
}

/** What these events were about, record by record, the oldest event first. */
async function* touchesIn({ storage }: Ledger, headers: readonly EventHeader[]) {
  for await (const event of eventsAt(storage, headers)) {
    for (const { kind, id } of recordsIn(event)) yield { stream: `${kind}-${id}`, kind, id, position: event.position }
    await giveWay()
  }
}

// Reorders name what they move as objects, deletions what they take with them as ids.
const members = z.array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])).default([])
const others = z.object({ folders: members, requests: members, documents: members })

/** The records that an event is about: that of its stream, and those that it reorders or takes with it. */
function* recordsIn(event: StoredEvent): Generator<{ kind: RestorableKind; id: string }> {
  const { stream, type, payload } = event
  const kind = kindOfStream(stream)
  // A collection's stream also has the orders of what is in it, which change nothing in its own record.
  if (kind && !type.endsWith('Reordered')) yield { kind, id: subjectOf(stream) }
  if (!/(Reordered|Deleted)$/.test(type) || payload.text === null) return
  yield* membersIn(others.parse(decoded(event, codec).data))
}
