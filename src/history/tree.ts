import { collectionsTable } from '../../projections/collections.js'
import { departuresTable, type RestorableKind } from '../../projections/departures.js'
import { contentsOf } from '../../queries/departures.js'
import { kinds } from '../../queries/kinds.js'
import type { JsonText } from '../../queries/record.js'
import { indexOf, inOrder } from '../storage/order.js'
import type { ReadStore, Row, Storage } from '../storage/storage.js'
import { type Tracer, tracer } from './trace.js'

type Member = Extract<RestorableKind, 'folder' | 'request' | 'document'>

/** A collection with all that it held at one moment, each list in the order that clients get it. */
export interface Tree {
  readonly collection: JsonText
  readonly folders: readonly JsonText[]
  readonly requests: readonly JsonText[]
  readonly documents: readonly JsonText[]
}

const PARALLEL = 16

/**
 * The tree of a collection as it was at a position; null where the collection was not there then. What has not changed
 * since is taken from the read tables; everything else, and what has left the collection since, is followed through the log.
 */
export async function treeAt(
  source: { readonly storage: Storage; readonly view: ReadStore },
  collectionId: string,
  position: number
): Promise<Tree | null> {
  const trace = tracer(source)
  const { view } = source
  const now = await view.get(collectionsTable, collectionId)
  const collection = await past(trace, 'collection', collectionId, now, position)
  if (!collection) return null
  const present = async (kind: Member) => view.list(kinds[kind].table, 'byCollection', [collectionId])
  const rows = {
    folder: await present('folder'),
    request: await present('request'),
    document: await present('document')
  }
  // After the rows, so that nothing can leave in between unseen.
  const left = await leftSince(view, collectionId, position)
  const listOf = async (kind: Member): Promise<readonly JsonText[]> => {
    const { table, record } = kinds[kind]
    const known = new Map(rows[kind].map((row) => [row.id, row]))
    const ids = [...new Set([...known.keys(), ...left[kind]])]
    const found: Row[] = []
    for (let i = 0; i < ids.length; i += PARALLEL) {
      const states = ids.slice(i, i + PARALLEL).map((id) => past(trace, kind, id, known.get(id) ?? null, position))
      for (const row of await Promise.all(states)) if (row && isIn(row, collectionId)) found.push(row)
    }
    return found.sort(inOrder(indexOf(table, 'byCollection'))).map(record)
  }
  return {
    collection: kinds.collection.record(collection),
    folders: await listOf('folder'),
    requests: await listOf('request'),
    documents: await listOf('document')
  }
}

/** A row that has not changed since is its own past. */
async function past(trace: Tracer, kind: RestorableKind, id: string, now: Row | null, position: number) {
  if (now && now.revision <= position) return now
  return (await trace.states(kind, id, position)).at(-1)?.row ?? null
}

/** The ids of what has been in a collection and left it after a position. */
async function leftSince(view: ReadStore, collectionId: string, position: number) {
  const left = { folder: new Set<string>(), request: new Set<string>(), document: new Set<string>() }
  for (const row of await view.list(departuresTable, 'byCollection', [collectionId])) {
    if (row.position <= position) continue
    const { folders, requests, documents } = contentsOf(row)
    for (const id of folders) left.folder.add(id)
    for (const id of requests) left.request.add(id)
    for (const id of documents) left.document.add(id)
    if (row.kind === 'folder' || row.kind === 'request' || row.kind === 'document') left[row.kind].add(row.subject)
  }
  return left
}

function isIn(row: Row, collectionId: string): boolean {
  return 'collectionId' in row && row.collectionId === collectionId
}
