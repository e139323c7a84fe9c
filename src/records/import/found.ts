import { codec } from '../../../commands/index.js'
import { collectionsTable } from '../../../commands/records/collection/table.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { kinds, MEMBERS, type Member, type RestorableKind } from '../../../commands/records/kinds.js'
import { sourceEvents } from '../../../commands/records/source/events.js'
import { contentsOf, deletionOf, membersIn, type TombstoneRow } from '../../../queries/tombstones.js'
import type { Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { decoded } from '../../log/codec.js'
import { subjectOf } from '../../log/event.js'
import { columnsOf, wholeRows } from '../../readmodel/manyRows.js'
import { WHOLE_LOG } from '../../storage/search.js'
import type { Row } from '../../storage/storage.js'
import { pastOf, rowAt } from '../history/past.js'
import { versionTypes } from '../history/streams.js'
import { type MemberRow, membersAt, rowsThen, sequenceAmong } from '../history/tree.js'
import type { DeletedRecord, Found, Previous } from './plan.js'
import type { ImportRecord } from './records.js'

/** So many streams are looked for at a time. */
const AT_ONCE = 500

/** What a collection holds, without bodies, by the ids of what is in it. */
export type Held = ReadonlyMap<string, { readonly kind: Member; readonly row: Row }>

/** A collection at one moment, as an import compares with it. */
export interface CollectionState {
  /** How far the log goes that is of that moment or before it. */
  readonly through: number
  readonly held: Held
  /** Its own row; null where it was not there. */
  readonly collection: Row | null
  /** Which of these records were there then, whatever they were in. */
  there(kind: Member, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The whole rows of these, in no order; what is gone or erased by the time that it is read is left out. */
  whole(kind: Member, ids: readonly string[]): AsyncGenerator<Row, void>
}

/** A collection as it is. */
export async function collectionNow(ledger: Ledger, collectionId: string): Promise<CollectionState> {
  const { readModel } = ledger
  return {
    through: WHOLE_LOG.through,
    held: await heldIn(ledger, collectionId),
    collection: (await readModel.get(collectionsTable, collectionId)) ?? null,
    there: async (kind, ids) => {
      const rows: readonly Row[] = await readModel.getAll(kinds[kind].table, ids, { body: false })
      return new Set(rows.map(({ id }) => id))
    },
    whole: (kind, ids) => wholeRows(readModel, kinds[kind].table, ids)
  }
}

/** A collection as it was at a position. */
export async function collectionAt(ledger: Ledger, collectionId: string, position: number): Promise<CollectionState> {
  const members = await membersAt(ledger, collectionId, position)
  const held = new Map<string, { readonly kind: Member; readonly row: Row }>()
  const byId = new Map<string, MemberRow>()
  for (const [kind, all] of members) {
    for (const one of all) byId.set(one.row.id, one)
    const rows = all.map(({ row }) => row)
    for (const { row } of sequenceAmong(members, kind).inOrder(kinds[kind].table, rows)) held.set(row.id, { kind, row })
    await giveWay()
  }
  return {
    through: position,
    held,
    collection: await rowAt(ledger, 'collection', collectionId, position),
    there: async (kind, ids) => {
      const moments = ids.map((id) => ({ id, stream: `${kind}-${id}`, at: position }))
      const pasts = await pastOf(ledger, moments)
      return new Set(pasts.flatMap(({ id, outline, gone }) => (outline && !gone ? [id] : [])))
    },
    whole: (kind, ids) => {
      const wanted = ids.flatMap((id) => byId.get(id) ?? [])
      return rowsThen(ledger, kind, position, wanted)
    }
  }
}

/** Everything in a collection, without bodies. */
async function heldIn({ readModel }: Pick<Ledger, 'readModel'>, collectionId: string): Promise<Held> {
  const held = new Map<string, { readonly kind: Member; readonly row: Row }>()
  for (const kind of MEMBERS) {
    for (const row of await columnsOf(readModel, kinds[kind].table, 'byCollection', [collectionId]))
      held.set(row.id, { kind, row })
    await giveWay()
  }
  return held
}

/**
 * What the last import of a source up to a position has brought; null where there was none, or nothing is known of it any more.
 */
export async function previousOf(
  { storage }: Pick<Ledger, 'storage'>,
  sourceId: string,
  through: number
): Promise<Previous | null> {
  const range = { after: 0, through }
  const [header] = await storage.searchLog({ streams: [`source-${sourceId}`] }, range, 1, true)
  return header ? importAt({ storage }, header.position) : null
}

/** What the event of an import at a position says; null where that is erased, or there is none. */
export async function importAt({ storage }: Pick<Ledger, 'storage'>, position: number): Promise<Previous | null> {
  const [event] = await storage.readAt([position])
  if (event?.type !== 'SourceImported' || event.payload.text === null) return null
  return { position, data: sourceEvents.SourceImported.data.parse(decoded(event, codec).data) }
}

/** What a collection holds of all that a file brings to it; null where it is not there. */
export async function foundIn(
  ledger: Ledger,
  standing: CollectionState,
  previous: Previous | null,
  records: readonly ImportRecord[]
): Promise<Found | null> {
  const { held, collection, whole } = standing
  if (!collection) return null
  const rows = new Map(held)
  const known = previous ? [...previous.data.folders, ...previous.data.requests, ...previous.data.documents] : []
  const wanted = new Set([...records.map(({ id }) => id), ...known])
  for (const kind of MEMBERS) {
    const ids = [...wanted].filter((id) => held.get(id)?.kind === kind)
    for await (const row of whole(kind, ids)) rows.set(row.id, { kind, row })
  }
  const others = records.filter(({ id }) => !held.has(id))
  const touched = previous ? await touchedAmong(ledger, [...wanted], standing, previous) : new Set<string>()
  return { collection, rows, previous, touched, ...(await leftAmong(ledger, others, standing)) }
}

/**
 * The collection, and those of these records in it, that have a later revision than the import before and no later event of their
 * own, and stand where they stood then.
 */
async function touchedAmong(
  { storage }: Pick<Ledger, 'storage'>,
  ids: readonly string[],
  { held, collection, through }: CollectionState,
  previous: Previous
): Promise<ReadonlySet<string>> {
  const touched = new Set<string>()
  const isLater = (row: Row | null | undefined) => row != null && row.revision > previous.position
  const lookUp = async (kind: RestorableKind, ids: readonly string[]) => {
    for (const some of slices(ids, AT_ONCE)) {
      const streams = some.map((id) => `${kind}-${id}`)
      for (const { stream, position } of await storage.lastOf(streams, versionTypes(kind), through))
        if (position <= previous.position) touched.add(subjectOf(stream))
    }
  }
  if (collection && isLater(collection)) await lookUp('collection', [collection.id])
  for (const kind of MEMBERS) {
    const there = ids.filter((id) => held.get(id)?.kind === kind)
    await lookUp(
      kind,
      there.filter((id) => isLater(held.get(id)?.row))
    )
  }
  // An order of very many says of what comes from elsewhere, too, that somebody has moved it.
  const moments = [...touched].flatMap((id) => {
    const now = held.get(id)
    return now ? [{ now, stream: `${now.kind}-${id}`, at: previous.position }] : []
  })
  for (const { now, outline } of await pastOf({ storage }, moments))
    if (!outline || itemPositionOf(outline).inside !== itemPositionOf(now.row).inside) touched.delete(now.row.id)
  return touched
}

/**
 * The records among these that were there before: somebody has deleted them, or what they were in, or has moved them away. One that was
 * deleted elsewhere is not brought back here: what it was there is for those who may see that.
 */
async function leftAmong(
  { storage, readModel }: Ledger,
  records: readonly ImportRecord[],
  { through, there, collection }: CollectionState
): Promise<Pick<Found, 'deleted' | 'elsewhere'>> {
  const elsewhere = new Set<string>()
  const deleted = new Map<string, DeletedRecord>()
  for (const kind of MEMBERS) {
    const ids = records.filter((one) => one.kind === kind).map(({ id }) => id)
    for (const some of slices(ids, AT_ONCE)) {
      const streams = some.map((id) => `${kind}-${id}`)
      const known = await storage.lastOf(streams, versionTypes(kind), through)
      const still = await there(
        kind,
        known.map(({ stream }) => subjectOf(stream))
      )
      for (const id of still) elsewhere.add(id)
      const gone = known.filter(({ stream }) => !still.has(subjectOf(stream)))
      const pasts = await pastOf(
        { storage },
        gone.map(({ stream, version }) => ({ stream, version, at: through }))
      )
      for (const { stream, version, outline } of pasts) {
        const id = subjectOf(stream)
        if (outline && itemPositionOf(outline).collectionId !== collection?.id) {
          elsewhere.add(id)
          continue
        }
        const deletion = await deletionOf(readModel, kind, id)
        deleted.set(id, {
          follows: version,
          deletion: deletion && { position: deletion.position, took: tookOf(deletion) }
        })
        await giveWay()
      }
    }
  }
  return { deleted, elsewhere }
}

const tookOf = (deletion: TombstoneRow) => [...membersIn(contentsOf(deletion))].map(({ id }) => id)
