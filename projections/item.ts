import type { ItemPosition, Origin } from '../commands/content.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { attribution, createdBy, nullify, patch, patchOther, put, removeWhere, table, updatedBy } from './define.js'
import { sortKey } from './keys.js'

/** A table of things that stand in a container: `container` is the folder's id, or the collection's at the root. */
export const orderedTable = <N extends string>(name: N) =>
  table({
    name,
    columns: { collectionId: 'id', container: 'id', sortOrder: 'integer', sortKey: 'name', ...attribution },
    indexes: {
      byCollection: { by: ['collectionId'], order: ['sortOrder', 'sortKey'] },
      byContainer: { by: ['container'], order: ['sortOrder', 'sortKey'] }
    },
    scope: 'collectionId'
  })

type OrderedTable = ReturnType<typeof orderedTable>
type ItemEvent = DecodedEvent<string, ItemPosition & { readonly content: { readonly name: string } }>

const columns = ({ collectionId, folderId, sortOrder }: ItemPosition) => ({
  collectionId,
  container: folderId ?? collectionId,
  sortOrder
})

/** The row of a new item. */
export function itemCreated(table: OrderedTable, e: ItemEvent, body: object): readonly RowOp[] {
  return [put(table, e, { sortKey: sortKey(e.data.content.name), ...columns(e.data), ...createdBy(e) }, body)]
}

/** The row of an item taken over from an older hub. */
export function itemImported(table: OrderedTable, e: ItemEvent, origin: Origin, body: object): readonly RowOp[] {
  return [put(table, e, { sortKey: sortKey(e.data.content.name), ...columns(e.data), ...origin }, body)]
}

/** New content, and perhaps a new place, of an item. */
export function itemUpdated(table: OrderedTable, e: ItemEvent, body: object): readonly RowOp[] {
  return [patch(table, e, { sortKey: sortKey(e.data.content.name), ...columns(e.data), ...updatedBy(e) }, body)]
}

/** A new place of an item; nothing else about it changes. */
export function itemMoved(table: OrderedTable, e: DecodedEvent<string, ItemPosition>): readonly RowOp[] {
  return [patch(table, e, columns(e.data))]
}

/** New orders in one container, of items that may have come from another. */
export function reordered(
  table: OrderedTable,
  e: DecodedEvent,
  container: string,
  changed: readonly { readonly id: string; readonly sortOrder: number }[]
): readonly RowOp[] {
  return changed.map(({ id, sortOrder }) => patchOther(table, e, id, { container, sortOrder }))
}

/** What takes things out of their place without naming them: their folder or their collection is gone, or an account. */
export const bulkRemovals = (table: OrderedTable) => ({
  FolderDeleted: (e: DecodedEvent) => [removeWhere(table, 'container', e.subject)],
  CollectionDeleted: (e: DecodedEvent) => [removeWhere(table, 'collectionId', e.subject)],
  /** Nobody has made or changed what the account made or changed. */
  UserDeleted: (e: DecodedEvent) => [nullify(table, e, ['createdBy', 'updatedBy'], e.subject)]
})
