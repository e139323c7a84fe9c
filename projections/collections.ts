import type { CollectionContent, CollectionEvent } from '../commands/collection/events.js'
import type { ImportEvent } from '../commands/import/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { RowOp } from '../src/storage/storage.js'
import {
  advance,
  attribution,
  createdBy,
  type ImportedAs,
  nullify,
  patch,
  projector,
  put,
  remove,
  table,
  updatedBy
} from './define.js'
import { sortKey } from './keys.js'

/** Collections. The body is the record without attribution and lock. */
export const collectionsTable = table({
  name: 'collections',
  columns: { sortKey: 'name', deletionLocked: 'flag', ...attribution },
  indexes: { byName: { by: [], order: ['sortKey'] } },
  scope: 'id'
})

/** The content of a collection's record, as its body holds it. */
export const collectionBody = (id: string, content: CollectionContent) => ({
  id,
  name: content.name,
  variables: content.variables,
  headers: content.headers,
  auth: content.auth,
  preRequestScript: content.preRequestScript,
  postRequestScript: content.postRequestScript,
  marker: content.marker
})

function takenOver(e: ImportedAs<'CollectionImported'>): readonly RowOp[] {
  const { content, deletionLocked, origin } = e.data
  const columns = { sortKey: sortKey(content.name), deletionLocked, ...origin }
  return [put(collectionsTable, e, columns, collectionBody(e.subject, content))]
}

export const collections = projector<CollectionEvent | UserEvent | ImportEvent>(collectionsTable, 1, {
  CollectionImported: takenOver,
  CollectionRestored: takenOver,
  CollectionCreated: (e) => [
    put(
      collectionsTable,
      e,
      { sortKey: sortKey(e.data.name), deletionLocked: false, ...createdBy(e) },
      collectionBody(e.subject, e.data)
    )
  ],
  CollectionUpdated: (e) => [
    patch(collectionsTable, e, { sortKey: sortKey(e.data.name), ...updatedBy(e) }, collectionBody(e.subject, e.data))
  ],
  CollectionDeletionLocked: (e) => [patch(collectionsTable, e, { deletionLocked: true })],
  CollectionDeletionUnlocked: (e) => [patch(collectionsTable, e, { deletionLocked: false })],
  FoldersReordered: (e) => [advance(collectionsTable, e)],
  ItemsReordered: (e) => [advance(collectionsTable, e)],
  CollectionDeleted: (e) => [remove(collectionsTable, e.subject)],
  UserDeleted: (e) => [nullify(collectionsTable, e, ['createdBy', 'updatedBy'], e.subject)]
})
