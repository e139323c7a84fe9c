import { sortKey } from '../commands/keys.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { CollectionEvent } from '../commands/records/collection/events.js'
import { versionOf } from '../commands/records/fields.js'
import { type FolderContent, type FolderEvent, folderBody } from '../commands/records/folder/events.js'
import { folderFields } from '../commands/records/folder/fields.js'
import { foldersTable } from '../commands/records/folder/table.js'
import { createdBy } from '../commands/table.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { RowOp } from '../src/storage/storage.js'
import { type ImportedAs, patch, projector, put, remove, updatedBy } from './define.js'
import { bulkRemovals, reordered } from './item.js'

const columns = (content: FolderContent) => ({
  collectionId: content.collectionId,
  container: content.parentFolderId ?? content.collectionId,
  sortOrder: content.sortOrder,
  sortKey: sortKey(content.name)
})
const body = (id: string, content: unknown) => ({ id, ...folderBody.parse(content) })

function takenOver(e: ImportedAs<'FolderImported'>): readonly RowOp[] {
  return [put(foldersTable, e, { ...columns(e.data), ...e.data.origin }, body(e.subject, e.data))]
}

export const folders = projector<FolderEvent | CollectionEvent | UserEvent | ImportEvent>(
  foldersTable,
  versionOf(folderFields),
  {
    FolderImported: takenOver,
    FolderRestored: takenOver,
    FolderCreated: (e) => [put(foldersTable, e, { ...columns(e.data), ...createdBy(e) }, body(e.subject, e.data))],
    FolderUpdated: (e) => [
      patch(foldersTable, e, { sortKey: sortKey(e.data.name), ...updatedBy(e) }, body(e.subject, e.data))
    ],
    FolderMoved: (e) => [
      patch(foldersTable, e, {
        container: e.data.parentFolderId ?? e.data.collectionId,
        sortOrder: e.data.sortOrder
      })
    ],
    FoldersReordered: (e) => reordered(foldersTable, e, e.data.parentFolderId ?? e.subject, e.data.folders),
    ...bulkRemovals(foldersTable),
    // The folders inside have events of their own.
    FolderDeleted: (e) => [remove(foldersTable, e.subject)]
  }
)
