import type { CollectionEvent } from '../commands/collection/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { UserEvent } from '../commands/user/events.js'
import {
  attribution,
  clear,
  createdBy,
  patch,
  patchOther,
  projector,
  put,
  remove,
  removeWhere,
  table,
  updatedBy
} from './define.js'
import { sortKey } from './sortKey.js'

/** Folders. `container` is the parent folder's id, or the collection's at the root. */
export const foldersTable = table({
  name: 'folders',
  columns: { collectionId: 'id', container: 'id', sortOrder: 'integer', sortKey: 'name', ...attribution },
  indexes: {
    byCollection: { by: ['collectionId'], order: ['sortOrder', 'sortKey'] },
    byContainer: { by: ['container'], order: ['sortOrder', 'sortKey'] }
  },
  scope: 'collectionId'
})

export const folders = projector<FolderEvent | CollectionEvent | UserEvent>(foldersTable, 1, {
  FolderCreated: (e) => [
    put(
      foldersTable,
      e,
      {
        collectionId: e.data.collectionId,
        container: e.data.parentFolderId ?? e.data.collectionId,
        sortOrder: e.data.sortOrder,
        sortKey: sortKey(e.data.name),
        ...createdBy(e)
      },
      { id: e.subject, name: e.data.name, marker: e.data.marker }
    )
  ],
  FolderUpdated: (e) => [
    patch(
      foldersTable,
      e,
      { sortKey: sortKey(e.data.name), ...updatedBy(e) },
      { id: e.subject, name: e.data.name, marker: e.data.marker }
    )
  ],
  FolderMoved: (e) => [
    patch(foldersTable, e, {
      container: e.data.parentFolderId ?? e.data.collectionId,
      sortOrder: e.data.sortOrder
    })
  ],
  FoldersReordered: (e) =>
    e.data.folders.map(({ id, sortOrder }) =>
      patchOther(foldersTable, e, id, { container: e.data.parentFolderId ?? e.subject, sortOrder })
    ),
  FolderDeleted: (e) => [remove(foldersTable, e.subject)],
  CollectionDeleted: (e) => [removeWhere(foldersTable, 'collectionId', e.subject)],
  UserDeleted: (e) => [clear(foldersTable, e, ['createdBy', 'updatedBy'], e.subject)]
})
