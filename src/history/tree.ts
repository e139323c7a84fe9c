import { departuresTable, type RestorableKind } from '../../projections/departures.js'
import { contentsOf } from '../../queries/departures.js'
import { kinds } from '../../queries/kinds.js'
import type { JsonText } from '../../queries/record.js'
import { fitting, LIMITS } from '../limits.js'
import { indexOf, inOrder } from '../storage/order.js'
import type { Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { type Moment, type Past, pastOf, rowAt, rowsOf, type Source } from './past.js'

export type Member = Extract<RestorableKind, 'folder' | 'request' | 'document'>
const MEMBERS = ['folder', 'request', 'document'] as const satisfies readonly Member[]

/** A collection with all that it held at one moment. */
export interface Tree {
  readonly collection: JsonText
  /** How large the bodies are that are read at a time: no more than `LIMITS.page`, or a single larger one. */
  readonly partBytes: number
  /** The records of one kind in the order that clients get them, a part at a time: they are read when they are asked for. */
  records(kind: Member): AsyncGenerator<readonly JsonText[], void>
}

/** So many rows are read at a time, and fewer where they are larger than a page together. */
const ROWS = 100
const COLUMNS = 500
const DEPARTURES = 500

/** Where a record of the tree comes from: its row of today, which has not changed since, or the log; and how large it is. */
type Place = { readonly row: Row; readonly bytes: number; readonly past: Past | null }

/**
 * The tree of a collection as it was at a position; null where the collection was not there then. What has not changed since
 * is taken from the read tables; everything else, and what has left the collection since, is found by one pass over the log.
 */
export async function treeAt(source: Source, collectionId: string, position: number): Promise<Tree | null> {
  const collection = await rowAt(source, 'collection', collectionId, position)
  if (!collection) return null
  const { view } = source
  const folder = await columnsOf(view, 'folder', collectionId)
  const request = await columnsOf(view, 'request', collectionId)
  const document = await columnsOf(view, 'document', collectionId)
  // After the rows, so that nothing can leave in between unseen.
  const left = await leftSince(view, collectionId, position)
  const present = { folder, request, document }
  const changed: Moment[] = []
  for (const kind of MEMBERS) {
    const now = present[kind].filter(({ row }) => row.revision > position).map(({ row }) => row.id)
    const here = new Set(present[kind].map(({ row }) => row.id))
    const gone = [...left[kind]].filter((id) => !here.has(id))
    for (const id of [...now, ...gone]) changed.push({ kind, id, at: position })
    await giveWay()
  }
  // All at once: the reorders of the collection are gone through one time for everything in it.
  const pasts = await pastOf(source, changed)
  const places = (kind: Member): readonly Place[] => {
    const same = present[kind].filter(({ row }) => row.revision <= position)
    const then = pasts.flatMap((past): readonly Place[] => {
      const { outline: row, bytes, gone } = past
      return past.kind === kind && row && !gone && isIn(row, collectionId) ? [{ row, bytes, past }] : []
    })
    const order = inOrder(indexOf(kinds[kind].table, 'byCollection'))
    return [...same, ...then].sort((a, b) => order(a.row, b.row))
  }
  const found = { folder: places('folder'), request: places('request'), document: places('document') }
  return {
    collection: kinds.collection.record(collection),
    partBytes: largestPart(Object.values(found).flat()),
    records: (kind) => recordsOf(source, kind, position, found[kind])
  }
}

function largestPart(places: readonly Place[]): number {
  const sum = places.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = places.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  return Math.min(sum, Math.max(largest, LIMITS.page.max))
}

/** What is in a collection now, without bodies, some at a time: a database in the process answers in one turn. */
async function columnsOf(view: Source['view'], kind: Member, collectionId: string): Promise<readonly Place[]> {
  const { table } = kinds[kind]
  const outline = await view.outline(table, 'byCollection', [collectionId])
  const places: Place[] = []
  for (let from = 0; from < outline.length; from += COLUMNS) {
    const some = outline.slice(from, from + COLUMNS)
    const bytes = new Map(some.map((one) => [one.id, one.bytes]))
    const rows = await view.getAll(table, [...bytes.keys()], { body: false })
    for (const row of rows) places.push({ row, bytes: bytes.get(row.id) ?? 0, past: null })
    await giveWay()
  }
  return places
}

/** Reads records in their order, a part at a time. */
async function* recordsOf(
  source: Source,
  kind: Member,
  position: number,
  places: readonly Place[]
): AsyncGenerator<readonly JsonText[], void> {
  for (let from = 0; from < places.length; ) {
    const { rows, length } = await partOf(source, kind, position, places.slice(from, from + ROWS))
    yield rows.map((row) => kinds[kind].record(row))
    from += length
    await giveWay()
  }
}

/** The rows of the first of these places, as many as make up a page, and how many places those are: one at least. */
async function partOf({ storage, view }: Source, kind: Member, position: number, places: readonly Place[]) {
  const unchanged = places.flatMap(({ row, past }) => (past ? [] : [row.id]))
  const page = unchanged.length > 0 ? await view.getPage(kinds[kind].table, unchanged) : []
  const rows = new Map(page.filter(({ revision }) => revision <= position).map((row) => [row.id, row]))
  // The page may end before the last of them; what it lacks before its end has gone since it was listed.
  const last = page.at(-1)?.id
  const unread = new Set(last === undefined ? [] : unchanged.slice(unchanged.indexOf(last) + 1))
  const end = places.findIndex(({ row }) => unread.has(row.id))
  const reached = end < 0 ? places : places.slice(0, end)
  // What has changed or gone since it was listed is in the log by now.
  const late = reached
    .filter(({ row, past }) => !past && !rows.has(row.id))
    .map(({ row: { id } }) => ({ kind, id, at: position }))
  const pasts = new Map(
    [...reached.flatMap(({ past }) => past ?? []), ...(late.length > 0 ? await pastOf({ storage }, late) : [])]
      .filter(({ gone }) => !gone)
      .map((past) => [past.id, past])
  )
  const sizeOf = ({ row: { id } }: Place) => pasts.get(id)?.bytes ?? rows.get(id)?.body.length ?? 0
  const part = fitting(reached, LIMITS.page, sizeOf)
  const wanted = part.flatMap(({ row: { id } }) => pasts.get(id) ?? [])
  for await (const some of rowsOf(storage, wanted)) for (const { row } of some) rows.set(row.id, row)
  return { rows: part.flatMap(({ row: { id } }) => rows.get(id) ?? []), length: part.length }
}

/** The ids of what has been in a collection and left it after a position. */
async function leftSince(view: Source['view'], collectionId: string, position: number) {
  const left = { folder: new Set<string>(), request: new Set<string>(), document: new Set<string>() }
  const since = await departuresSince(view, collectionId, position)
  for (let rest = since; rest.length > 0; ) {
    const page = await view.getPage(departuresTable, rest.slice(0, DEPARTURES))
    const last = page.at(-1)?.id
    for (const row of page) {
      const { folders, requests, documents } = contentsOf(row)
      for (const id of folders) left.folder.add(id)
      for (const id of requests) left.request.add(id)
      for (const id of documents) left.document.add(id)
      if (row.kind === 'folder' || row.kind === 'request' || row.kind === 'document') left[row.kind].add(row.subject)
      await giveWay()
    }
    rest = rest.slice(last === undefined ? DEPARTURES : rest.indexOf(last) + 1)
  }
  return left
}

/** The ids of the newest departures, as many as reach back to the position. */
async function departuresSince(
  view: Source['view'],
  collectionId: string,
  position: number
): Promise<readonly string[]> {
  for (let limit = DEPARTURES; ; limit *= 4) {
    const options = { reverse: true, limit, body: false }
    const rows = await view.list(departuresTable, 'byCollection', [collectionId], options)
    const since = rows.filter((row) => row.position > position)
    if (since.length < rows.length || rows.length < limit) return since.map(({ id }) => id)
  }
}

/** True where the row is one of this collection. */
function isIn(row: Row, collectionId: string): boolean {
  return 'collectionId' in row && row.collectionId === collectionId
}
