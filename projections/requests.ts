import type { CollectionEvent } from '../commands/collection/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { ImportEvent } from '../commands/import/events.js'
import type { RequestContent, RequestEvent } from '../commands/request/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { RowOp } from '../src/storage/storage.js'
import { type ImportedAs, projector, remove } from './define.js'
import { bulkRemovals, itemCreated, itemImported, itemMoved, itemUpdated, orderedTable, reordered } from './item.js'

/** Saved requests, in an order that they share with the documents of their container. The body is the content of the record. */
export const requestsTable = orderedTable('requests')

/** The content of the record, as the body holds it. */
export const requestBody = (id: string, content: RequestContent) => ({
  id,
  name: content.name,
  method: content.method,
  url: content.url,
  headers: content.headers,
  params: content.params,
  auth: content.auth,
  body: content.body,
  bodyType: content.bodyType,
  preRequestScript: content.preRequestScript,
  postRequestScript: content.postRequestScript,
  comment: content.comment,
  protocol: content.protocol,
  marker: content.marker
})

function takenOver(e: ImportedAs<'RequestImported'>): readonly RowOp[] {
  return itemImported(requestsTable, e, e.data.origin, requestBody(e.subject, e.data.content))
}

export const requests = projector<RequestEvent | FolderEvent | CollectionEvent | UserEvent | ImportEvent>(
  requestsTable,
  1,
  {
    RequestImported: takenOver,
    RequestRestored: takenOver,
    RequestCreated: (e) => itemCreated(requestsTable, e, requestBody(e.subject, e.data.content)),
    RequestUpdated: (e) => itemUpdated(requestsTable, e, requestBody(e.subject, e.data.content)),
    RequestMoved: (e) => itemMoved(requestsTable, e),
    ItemsReordered: (e) => reordered(requestsTable, e, e.data.folderId ?? e.subject, e.data.requests),
    RequestDeleted: (e) => [remove(requestsTable, e.subject)],
    ...bulkRemovals(requestsTable)
  }
)
