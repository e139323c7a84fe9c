import type { ItemPosition, Origin } from '../commands/content.js'
import { sortKey } from '../commands/keys.js'
import type { orderedTable } from '../commands/records/tables.js'
import { createdBy } from '../commands/table.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { nullify, type Projector, patch, patchOther, put, remove, removeWhere, updatedBy } from './define.js'

type OrderedTable = ReturnType<typeof orderedTable>
type Named = { readonly name: string }
type ItemEvent = DecodedEvent<string, ItemPosition & { readonly content: Named }>
type Orders = readonly { readonly id: string; readonly sortOrder: number }[]

const columns = ({ collectionId, folderId, sortOrder }: ItemPosition) => ({
  collectionId,
  container: folderId ?? collectionId,
  sortOrder
})

/** New orders in one container, of items that may have come from another. */
export function reordered(table: OrderedTable, e: DecodedEvent, container: string, changed: Orders): readonly RowOp[] {
  return changed.map(({ id, sortOrder }) => patchOther(table, e, id, { container, sortOrder }))
}

/** What takes things out of their place without naming them: their folder or their collection is gone, or an account. */
export const bulkRemovals = (table: OrderedTable) => ({
  FolderDeleted: (e: DecodedEvent) => [removeWhere(table, 'container', e.subject)],
  CollectionDeleted: (e: DecodedEvent) => [removeWhere(table, 'collectionId', e.subject)],
  /** Nobody has made or changed what the account made or changed. */
  UserDeleted: (e: DecodedEvent) => [nullify(table, e, ['createdBy', 'updatedBy'], e.subject)]
})

/** What an event that makes a whole item brings. */
type Whole = DecodedEvent<string, ItemPosition & { readonly content: Named; readonly origin: Origin }>
/** A reorder, which names the items of each kind that it moved. */
type Reorder = DecodedEvent<
  string,
  { readonly folderId: string | null } & Readonly<Record<'requests' | 'documents', Orders>>
>

/**
 * The projector of a kind of item, `label` being how the names of its events begin. The body is the content of the record, in the
 * order of its schema.
 */
export function item(label: string, table: OrderedTable, version: number, listed: 'requests' | 'documents'): Projector {
  const bodyOf = (e: ItemEvent) => ({ id: e.subject, ...e.data.content })
  const columnsOf = (e: ItemEvent) => ({ sortKey: sortKey(e.data.content.name), ...columns(e.data) })
  const whole = (e: Whole) => [put(table, e, { ...columnsOf(e), ...e.data.origin }, bodyOf(e))]
  return {
    table,
    version,
    handlers: {
      [`${label}Created`]: (e: ItemEvent) => [put(table, e, { ...columnsOf(e), ...createdBy(e) }, bodyOf(e))],
      [`${label}Updated`]: (e: ItemEvent) => [patch(table, e, { ...columnsOf(e), ...updatedBy(e) }, bodyOf(e))],
      // Nothing else about it changes.
      [`${label}Moved`]: (e: DecodedEvent<string, ItemPosition>) => [patch(table, e, columns(e.data))],
      [`${label}Deleted`]: (e) => [remove(table, e.subject)],
      [`${label}Restored`]: whole,
      [`${label}Imported`]: whole,
      ItemsReordered: (e: Reorder) => reordered(table, e, e.data.folderId ?? e.subject, e.data[listed]),
      ...bulkRemovals(table)
    }
  }
}
