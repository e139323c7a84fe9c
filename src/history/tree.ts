import { kinds, MEMBERS, type Member } from '../../commands/kinds.js'
import type { JsonText } from '../../projections/record.js'
import { fitting, LIMITS } from '../limits.js'
import { giveWay } from '../turns.js'
import { type MemberRow, membersAt, sequenceAmong } from './members.js'
import { type HistorySource, pastOf, rowAt, rowsOf } from './past.js'

/** A collection with all that it held at one moment. */
export interface Tree {
  readonly collection: JsonText
  /** How large the largest part of `records` is, about. */
  readonly partBytes: number
  /** The records of one kind in the order that clients get them, a few at a time: they are read when they are asked for. */
  records(kind: Member): AsyncGenerator<readonly JsonText[], void>
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
  const listed = async (kind: Member): Promise<readonly Listed[]> => {
    const { table } = kinds[kind]
    const pasts = new Map((members.get(kind) ?? []).map(({ row, past }) => [row, past]))
    const outline = await source.view.outline(table, 'byCollection', [collectionId])
    const sizes = new Map(outline.map(({ id, bytes }) => [id, bytes]))
    const inOrder = sequenceAmong(members, kind).inOrder(table, [...pasts.keys()])
    return inOrder.map(({ row, place }) => {
      const past = pasts.get(row) ?? null
      return { row, place, past, bytes: past?.bytes ?? sizes.get(row.id) ?? 0 }
    })
  }
  const found = new Map<Member, readonly Listed[]>()
  for (const kind of MEMBERS) found.set(kind, await listed(kind))
  return {
    collection: kinds.collection.record(collection, null),
    partBytes: largestPart([...found.values()].flat()),
    records: (kind) => recordsOf(source, kind, position, found.get(kind) ?? [])
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
  for (let from = 0; from < listed.length; ) {
    const { records, length } = await partOf(source, kind, position, listed.slice(from, from + ROWS))
    yield records
    from += length
    await giveWay()
  }
}

/** The records of the first of these, as many as make up a page, and how many were gone through for them: one at least. */
async function partOf({ storage, view }: HistorySource, kind: Member, position: number, listed: readonly Listed[]) {
  const unchanged = listed.flatMap(({ row, past }) => (past ? [] : [row.id]))
  const page = unchanged.length > 0 ? await view.getPage(kinds[kind].table, unchanged) : []
  const rows = new Map(page.filter(({ revision }) => revision <= position).map((row) => [row.id, row]))
  // The page may end before the last of them; what it lacks before its end has gone since it was listed.
  const last = page.at(-1)?.id
  const unread = new Set(last === undefined ? [] : unchanged.slice(unchanged.indexOf(last) + 1))
  const end = listed.findIndex(({ row }) => unread.has(row.id))
  const reached = end < 0 ? listed : listed.slice(0, end)
  // What has changed or gone since it was listed is in the log by now.
  const late = reached
    .filter(({ row, past }) => !past && !rows.has(row.id))
    .map(({ row: { id } }) => ({ kind, id, at: position }))
  const pasts = new Map(
    [...reached.flatMap(({ past }) => past ?? []), ...(late.length > 0 ? await pastOf({ storage }, late) : [])]
      .filter(({ gone }) => !gone)
      .map((past) => [past.id, past])
  )
  const sizeOf = ({ row: { id } }: Listed) => pasts.get(id)?.bytes ?? rows.get(id)?.body.length ?? 0
  const part = fitting(reached, LIMITS.page, sizeOf)
  const wanted = part.flatMap(({ row: { id } }) => pasts.get(id) ?? [])
  for await (const some of rowsOf(storage, wanted)) for (const { row } of some) rows.set(row.id, row)
  const records = part.flatMap(({ row: { id }, place }) => {
    const row = rows.get(id)
    return row ? [kinds[kind].record(row, place)] : []
  })
  return { records, length: part.length }
}
