import type { CollectionEvent } from '../commands/collection/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { createdBy, patch, projector, put, remove, updatedBy } from './define.js'
import { emptied, forgotten, orderedTable, reordered } from './item.js'
import { sortKey } from './sortKey.js'

/** Folders, in an order of their own below each parent. */
export const foldersTable = orderedTable('folders')

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
  FoldersReordered: (e) => reordered(foldersTable, e, e.data.parentFolderId ?? e.subject, e.data.folders),
  FolderDeleted: (e) => [remove(foldersTable, e.subject)],
  CollectionDeleted: (e) => emptied(foldersTable, e),
  UserDeleted: (e) => forgotten(foldersTable, e)
})
