import type { CollectionEvent } from '../commands/collection/events.js'
import type { DocumentContent, DocumentEvent } from '../commands/document/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { ImportEvent } from '../commands/import/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { RowOp } from '../src/storage/storage.js'
import { type ImportedAs, projector, remove } from './define.js'
import { bulkRemovals, itemCreated, itemImported, itemMoved, itemUpdated, orderedTable, reordered } from './item.js'

/** Collection documents, in an order that they share with the saved requests of their container. The body is the content of the record. */
export const documentsTable = orderedTable('documents')

/** The content of the record, as the body holds it. */
export const documentBody = (id: string, content: DocumentContent) => ({
  id,
  name: content.name,
  content: content.content,
  marker: content.marker
})

function takenOver(e: ImportedAs<'DocumentImported'>): readonly RowOp[] {
  return itemImported(documentsTable, e, e.data.origin, documentBody(e.subject, e.data.content))
}

export const documents = projector<DocumentEvent | FolderEvent | CollectionEvent | UserEvent | ImportEvent>(
  documentsTable,
  1,
  {
    DocumentImported: takenOver,
    DocumentRestored: takenOver,
    DocumentCreated: (e) => itemCreated(documentsTable, e, documentBody(e.subject, e.data.content)),
    DocumentUpdated: (e) => itemUpdated(documentsTable, e, documentBody(e.subject, e.data.content)),
    DocumentMoved: (e) => itemMoved(documentsTable, e),
    ItemsReordered: (e) => reordered(documentsTable, e, e.data.folderId ?? e.subject, e.data.documents),
    DocumentDeleted: (e) => [remove(documentsTable, e.subject)],
    ...bulkRemovals(documentsTable)
  }
)
