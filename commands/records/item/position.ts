import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { OrderedReads } from '../../../src/readmodel/sequence.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import type { ItemPosition } from '../../content.js'
import { emitCollection } from '../collection/events.js'
import { documentsTable } from '../document/table.js'
import { foldersTable } from '../folder/table.js'
import { MOVES_MAX, type Ordered, orderAfter, orderAll, orderAt, orderBetween } from '../order.js'
import { requestsTable } from '../request/table.js'
import { folderSequence, itemSequence, lastOrderIn } from '../sequences.js'
import type { ItemKind, ItemRow } from './kind.js'

/** The kinds of item, in the order that decides between items of one place. */
const itemTables = { request: requestsTable, document: documentsTable } as const
type Kind = ItemKind['kind']
type Item = Ordered & { readonly kind: Kind; readonly sortKey: string }

/** Refuses a folder that is not of the collection. Null is the collection's root. */
export async function requireFolder(collectionId: string, folderId: string | null, read: ReadStore): Promise<void> {
  if (folderId === null) return
  const folder = await read.get(foldersTable, folderId)
  if (folder?.collectionId !== collectionId) throw errors.notFound('Folder')
}

/** The order of an item put behind all others of a container of a collection. */
export async function endOf(collectionId: string, container: string, read: OrderedReads): Promise<number> {
  return orderAfter(await lastOrderIn(itemSequence, collectionId, container, read))
}

/** The order of a folder put behind all others of a container of a collection. */
export async function endOfFolders(collectionId: string, container: string, read: OrderedReads): Promise<number> {
  return orderAfter(await lastOrderIn(folderSequence, collectionId, container, read))
}

/** Where a move puts an item, and what must be spaced anew before it can stand there; null where it stands there already. */
export async function positionAt(
  { kind }: ItemKind,
  row: ItemRow,
  { folderId, index }: { readonly folderId: string | null; readonly index: number },
  read: OrderedReads
): Promise<{ readonly place: ItemPosition; readonly respaced: readonly NewEvent[] } | null> {
  const { id, collectionId } = row
  const container = folderId ?? collectionId
  await requireFolder(collectionId, folderId, read)
  const known = await read.ordersIn(itemSequence, collectionId, container)
  if (known) {
    const others = known.filter((order) => row.container !== container || order !== row.sortOrder)
    const at = Math.min(index, others.length)
    if (row.container === container && known[at] === row.sortOrder) return null
    const between = orderBetween(others[at - 1] ?? null, others[at] ?? null)
    if (between !== null) return { place: { collectionId, folderId, sortOrder: between }, respaced: [] }
  }
  const items = await itemsOf(container, read)
  const isThis = (item: Item) => item.id === id && item.kind === kind
  const at = items.findIndex(isThis)
  if (at >= 0 && at === Math.min(index, items.length - 1)) return null
  const others = items.filter((item) => !isThis(item))
  const { own, respaced } = orderAt(others, index)
  return {
    place: { collectionId, folderId, sortOrder: own },
    respaced: reordered(collectionId, folderId, respaced, others)
  }
}

/**
 * Puts the items of one kind into the given order in a container, taking in those that come from elsewhere in the
 * collection: these have moved, and their own streams say so. Items that are not listed follow in the order that they have;
 * those of the other kind keep their places.
 */
export async function inOrder(
  { kind, label, table, moved }: ItemKind,
  collectionId: string,
  folderId: string | null,
  listed: readonly string[],
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const names = new Set(listed)
  if (names.size !== listed.length) throw errors.itemTwice(kind)
  await requireFolder(collectionId, folderId, read)
  const held = await itemsOf(folderId ?? collectionId, read)
  const own = held.filter((item) => item.kind === kind)
  const here = new Set(own.map(({ id }) => id))
  const elsewhere = listed.filter((id) => !here.has(id))
  const found = await read.getAll(table, elsewhere, { body: false })
  if (found.filter((row) => row.collectionId === collectionId).length < elsewhere.length) {
    throw errors.notFound(label)
  }
  const wanted = [...listed, ...own.map(({ id }) => id).filter((id) => !names.has(id))]
  const slots = wanted.values()
  const sequence = held.map((item) => (item.kind === kind ? (slots.next().value ?? item.id) : item.id))
  const arriving = found.map(({ id, sortOrder, sortKey }): Item => ({ id, kind, sortOrder, sortKey }))
  const changed = orderAll([...sequence, ...slots], held)
  if (elsewhere.length > MOVES_MAX) return reordered(collectionId, folderId, changed, [...held, ...arriving])
  const isArriving = new Set(elsewhere)
  const staying = changed.filter(({ id }) => !isArriving.has(id))
  const moves = changed.filter(({ id }) => isArriving.has(id))
  return [
    ...reordered(collectionId, folderId, staying, held),
    ...moves.map(({ id, sortOrder }) => moved(id, { collectionId, folderId, sortOrder }))
  ]
}

function reordered(
  collectionId: string,
  folderId: string | null,
  changed: readonly Ordered[],
  items: readonly Item[]
): readonly NewEvent[] {
  if (changed.length === 0) return []
  const kinds = new Map(items.map(({ id, kind }) => [id, kind]))
  const of = (kind: Kind) => changed.filter(({ id }) => kinds.get(id) === kind)
  const data = { folderId, requests: of('request'), documents: of('document') }
  return [emitCollection(collectionId, 'ItemsReordered', data)]
}

/** Everything in a container, in its order: a request stands before a document of the same order. */
async function itemsOf(container: string, read: ReadStore): Promise<readonly Item[]> {
  const lists = await Promise.all(
    (['request', 'document'] as const).map(async (kind) => {
      const rows = await read.list(itemTables[kind], 'byContainer', [container], { body: false })
      return rows.map(({ id, sortOrder, sortKey }): Item => ({ id, kind, sortOrder, sortKey }))
    })
  )
  // A stable sort: lists come in order of kind, and each in the order of its table.
  return lists.flat().sort((a, b) => a.sortOrder - b.sortOrder)
}
