import type { JsonText, PlacedRow } from '../../../commands/record.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, kinds, MEMBERS, type Member, type RestorableKind } from '../../../commands/records/kinds.js'
import { tombstonesTable } from '../../../commands/records/undelete/table.js'
import { contentsOf, membersIn, newestTombstones, type TombstoneRow } from '../../../queries/tombstones.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS, slices } from '../../limits.js'
import { columnsOf, wholeRows } from '../../readmodel/manyRows.js'
import { ordered, Places } from '../../readmodel/sequence.js'
import type { PagedReads, Row } from '../../storage/storage.js'
import { type HistorySource, type Past, pastOf, rowAt, rowsOf } from './past.js'
import { kindIn } from './streams.js'

/** A record that a collection held at a moment: its row of today, which has not changed since, or one of the past. No bodies. */
export interface MemberRow {
  readonly row: Row
  readonly past: Past | null
}

/** What a collection held at a moment, in no order. */
export type Members = ReadonlyMap<Member, readonly MemberRow[]>

/**
 * What a collection held at a position, of all kinds or some. What has not changed since is taken from the read tables;
 * everything else, and what has left the collection since, is looked up in the log.
 */
export async function membersAt(
  source: HistorySource,
  collectionId: string,
  position: number,
  wanted: readonly Member[] = MEMBERS
): Promise<Members> {
  const { readModel } = source
  const same = new Map<Member, readonly MemberRow[]>()
  const changed = new Set<string>()
  for (const kind of wanted) {
    const rows = await columnsOf(readModel, kinds[kind].table, 'byCollection', [collectionId])
    const unchanged = rows.filter(({ revision }) => revision <= position)
    same.set(
      kind,
      unchanged.map((row) => ({ row, past: null }))
    )
    for (const { id, revision } of rows) if (revision > position) changed.add(`${kind}-${id}`)
    await giveWay()
  }
  // After the rows, so that nothing can leave in between unseen.
  for await (const departure of tombstonesFrom(readModel, collectionId, position)) {
    const { kind, subject: id } = departure
    for (const one of [...membersIn(contentsOf(departure)), ...(isMember(kind) ? [{ kind, id }] : [])])
      if (wanted.includes(one.kind)) changed.add(`${one.kind}-${one.id}`)
    await giveWay()
  }
  // All at once: the reorders of the collection are gone through one time for everything in it.
  const pasts = await pastOf(
    source,
    [...changed].map((stream) => ({ stream, at: position }))
  )
  const held = pasts.flatMap((past) => {
    const { outline: row, gone } = past
    return row && !gone && itemPositionOf(row).collectionId === collectionId ? [{ row, past }] : []
  })
  const of = (kind: Member) => held.filter(({ past }) => kindIn(past.stream) === kind)
  return new Map([...same].map(([kind, rows]) => [kind, [...rows, ...of(kind)]]))
}

/** What has left a collection after a position, the newest first, with what went with it. */
export async function* tombstonesFrom(
  read: Pick<PagedReads, 'getPage' | 'listPart'>,
  collectionId: string,
  position = 0
): AsyncGenerator<TombstoneRow, void> {
  for await (const page of newestTombstones(read, 'byCollection', [collectionId])) {
    const since = page.filter((row) => row.position > position)
    const ids = since.map(({ id }) => id)
    yield* wholeRows(read, tombstonesTable, ids)
    if (since.length < page.length) return
  }
}

/** The sequence that the rows of one kind stood in, among the members of their collection. */
export function sequenceAmong(members: Members, kind: Member): Places {
  const spec = kinds[kind].sequence
  const rowsIn = (name: string) => [...members].find(([one]) => kinds[one].table.name === name)?.[1] ?? []
  return new Places(
    spec,
    spec.tables.map(({ name }) => rowsIn(name).map(({ row }) => ordered(row)))
  )
}

/** A record as it was at a position, exactly, and its place then; null where it was not there, or is erased. */
export async function placedAt(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  position: number
): Promise<PlacedRow | null> {
  const row = await rowAt(source, kind, id, position)
  if (!row || !isMember(kind)) return row && { row, place: null }
  const { collectionId } = itemPositionOf(row)
  const siblings = MEMBERS.filter((one) => kinds[one].sequence === kinds[kind].sequence)
  const members = await membersAt(source, collectionId, position, siblings)
  return { row, place: sequenceAmong(members, kind).placeOf(kinds[kind].table, ordered(row)) }
}

/** The whole rows of members of one kind as they were at a position, in no order; what is erased meanwhile is left out. */
export async function* rowsThen(
  source: HistorySource,
  kind: Member,
  position: number,
  held: readonly MemberRow[]
): AsyncGenerator<Row, void> {
  const unread = new Set(held.flatMap(({ row, past }) => (past ? [] : row.id)))
  for await (const row of wholeRows(source.readModel, kinds[kind].table, [...unread])) {
    if (row.revision > position) continue
    unread.delete(row.id)
    yield row
  }
  // What has changed or gone since it was listed is in the log by now.
  const late = await pastOf(
    source,
    [...unread].map((id) => ({ stream: `${kind}-${id}`, at: position }))
  )
  const pasts = [...held.flatMap(({ past }) => past ?? []), ...late.filter(({ gone }) => !gone)]
  for await (const { row } of rowsOf(source.storage, pasts)) yield row
}

/** A collection with all that it held at one moment. */
export interface Tree {
  readonly collection: JsonText
  /** How large the largest part of `records` is, about. */
  readonly partBytes: number
  /**
   * The records of one kind, or those of them that are wanted, in the order that clients get them, a few at a time: they are read when
   * they are asked for.
   */
  records(kind: Member, isWanted?: (row: Row) => boolean): AsyncGenerator<readonly JsonText[], void>
}

/** So many rows are read at a time, and fewer where they are larger than a page together. */
const ROWS = 100

/** A record of the tree without its content, its place, and how large it is. */
type Listed = MemberRow & { readonly place: number; readonly bytes: number }

/** The tree of a collection as it was at a position; null where the collection was not there then. */
export async function treeAt(source: HistorySource, collectionId: string, position: number): Promise<Tree | null> {
  const collection = await rowAt(source, 'collection', collectionId, position)
  if (!collection) return null
  const members = await membersAt(source, collectionId, position)
  const found = new Map<Member, readonly Listed[]>()
  for (const kind of MEMBERS) {
    const { table } = kinds[kind]
    const pasts = new Map((members.get(kind) ?? []).map(({ row, past }) => [row, past]))
    const outline = await source.readModel.outline(table, 'byCollection', [collectionId])
    const sizes = new Map(outline.map(({ id, bytes }) => [id, bytes]))
    const listed = sequenceAmong(members, kind).inOrder(table, [...pasts.keys()])
    const withSizes = listed.map(({ row, place }) => {
      const past = pasts.get(row) ?? null
      return { row, place, past, bytes: past?.bytes ?? sizes.get(row.id) ?? 0 }
    })
    found.set(kind, withSizes)
  }
  return {
    collection: kinds.collection.record(collection, null),
    partBytes: largestPart([...found.values()].flat()),
    records(kind, isWanted = () => true) {
      const wanted = (found.get(kind) ?? []).filter(({ row }) => isWanted(row))
      return recordsOf(source, kind, position, wanted)
    }
  }
}

function largestPart(listed: readonly Listed[]): number {
  const sum = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = listed.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  return Math.min(sum, Math.max(largest, LIMITS.page.max))
}

/** Reads records in their order, a part at a time. */
async function* recordsOf(
  source: HistorySource,
  kind: Member,
  position: number,
  listed: readonly Listed[]
): AsyncGenerator<readonly JsonText[], void> {
  for (const part of slices(listed, ROWS, LIMITS.page.max, ({ bytes }) => bytes)) {
    const rows = new Map<string, Row>()
    for await (const row of rowsThen(source, kind, position, part)) rows.set(row.id, row)
    yield part.flatMap(({ row: { id }, place }) => {
      const row = rows.get(id)
      return row ? [kinds[kind].record(row, place)] : []
    })
    await giveWay()
  }
}
