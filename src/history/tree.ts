import { departuresTable, type RestorableKind } from '../../projections/departures.js'
import { contentsOf } from '../../queries/departures.js'
import { kinds } from '../../queries/kinds.js'
import type { JsonText } from '../../queries/record.js'
import { indexOf, inOrder } from '../storage/order.js'
import type { ReadStore, Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { type Moment, type Past, pastOf, rowAt, rowsOf, type Source } from './past.js'

export type Member = Extract<RestorableKind, 'folder' | 'request' | 'document'>

/** A collection with all that it held at one moment. */
export interface Tree {
  readonly collection: JsonText
  /** The records of one kind in the order that clients get them, a few at a time: they are read when they are asked for. */
  records(kind: Member): AsyncGenerator<readonly JsonText[], void>
}

/** So many rows are read at a time: how large each is shows when it is there, and none is larger than a body may be. */
const ROWS = 8
const COLUMNS = 500
const DEPARTURES = 500

/** Where a record of the tree comes from: its row of today, which has not changed since, or the log. */
type Place = { readonly row: Row; readonly past: Past | null }

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
  for (const kind of ['folder', 'request', 'document'] as const) {
    const now = present[kind].filter(({ revision }) => revision > position).map(({ id }) => id)
    const here = new Set(present[kind].map(({ id }) => id))
    const gone = [...left[kind]].filter((id) => !here.has(id))
    for (const id of [...now, ...gone]) changed.push({ kind, id, at: position })
    await giveWay()
  }
  // All at once: the reorders of the collection are gone through one time for everything in it.
  const pasts = await pastOf(source, changed)
  const places = (kind: Member): readonly Place[] => {
    const same = present[kind].filter(({ revision }) => revision <= position).map((row) => ({ row, past: null }))
    const then = pasts.flatMap((past) => {
      const { outline: row, gone } = past
      return past.kind === kind && row && !gone && isIn(row, collectionId) ? [{ row, past }] : []
    })
    const order = inOrder(indexOf(kinds[kind].table, 'byCollection'))
    return [...same, ...then].sort((a, b) => order(a.row, b.row))
  }
  return {
    collection: kinds.collection.record(collection),
    records: (kind) => recordsOf(source, kind, position, places(kind))
  }
}

/** What is in a collection now, without bodies, some at a time: a database in the process answers in one turn. */
async function columnsOf(view: Source['view'], kind: Member, collectionId: string): Promise<readonly Row[]> {
  const { table } = kinds[kind]
  const ids = (await view.outline(table, 'byCollection', [collectionId])).map(({ id }) => id)
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += COLUMNS) {
    rows.push(...(await view.getAll(table, ids.slice(from, from + COLUMNS), { body: false })))
    await giveWay()
  }
  return rows
}

/** Reads records in their order, a few at a time. */
async function* recordsOf(
  source: Source,
  kind: Member,
  position: number,
  places: readonly Place[]
): AsyncGenerator<readonly JsonText[], void> {
  for (let from = 0; from < places.length; from += ROWS) {
    const some = places.slice(from, from + ROWS)
    const rows = await bodiesOf(source, kind, position, some)
    yield some.flatMap(({ row: { id } }) => {
      const row = rows.get(id)
      return row ? [kinds[kind].record(row)] : []
    })
    await giveWay()
  }
}

async function bodiesOf({ storage, view }: Source, kind: Member, position: number, places: readonly Place[]) {
  const { table } = kinds[kind]
  const rows = new Map<string, Row>()
  const pasts = places.flatMap(({ past }) => past ?? [])
  const same = places.flatMap(({ row, past }) => (past ? [] : [row.id]))
  for (const row of await view.getAll(table, same)) if (row.revision <= position) rows.set(row.id, row)
  // What has changed or gone since it was listed is in the log by now.
  const late = same.filter((id) => !rows.has(id)).map((id) => ({ kind, id, at: position }))
  if (late.length > 0) pasts.push(...(await pastOf({ storage }, late)).filter(({ gone }) => !gone))
  for await (const page of rowsOf(storage, pasts)) for (const { row } of page) rows.set(row.id, row)
  return rows
}

/** The ids of what has been in a collection and left it after a position. */
async function leftSince(view: Pick<ReadStore, 'list'>, collectionId: string, position: number) {
  const left = { folder: new Set<string>(), request: new Set<string>(), document: new Set<string>() }
  for (const row of await departuresSince(view, collectionId, position)) {
    const { folders, requests, documents } = contentsOf(row)
    for (const id of folders) left.folder.add(id)
    for (const id of requests) left.request.add(id)
    for (const id of documents) left.document.add(id)
    if (row.kind === 'folder' || row.kind === 'request' || row.kind === 'document') left[row.kind].add(row.subject)
    await giveWay()
  }
  return left
}

/** The newest departures, as many as reach back to the position. */
async function departuresSince(view: Pick<ReadStore, 'list'>, collectionId: string, position: number) {
  for (let limit = DEPARTURES; ; limit *= 4) {
    const rows = await view.list(departuresTable, 'byCollection', [collectionId], { reverse: true, limit })
    const since = rows.filter((row) => row.position > position)
    if (since.length < rows.length || rows.length < limit) return since
  }
}

/** True where the row is one of this collection. */
function isIn(row: Row, collectionId: string): boolean {
  return 'collectionId' in row && row.collectionId === collectionId
}
