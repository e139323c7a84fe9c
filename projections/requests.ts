import type { CollectionEvent } from '../commands/collection/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { RequestContent, RequestEvent } from '../commands/request/events.js'
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

/** Saved requests. `container` is the folder's id, or the collection's at the root. */
export const requestsTable = table({
  name: 'requests',
  columns: { collectionId: 'id', container: 'id', sortOrder: 'integer', sortKey: 'name', ...attribution },
  indexes: {
    byCollection: { by: ['collectionId'], order: ['sortOrder', 'sortKey'] },
    byContainer: { by: ['container'], order: ['sortOrder', 'sortKey'] }
  },
  scope: 'collectionId'
})

/** The content of a saved request's record, as its body holds it. */
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

const place = (at: { collectionId: string; folderId: string | null; sortOrder: number }) => ({
  collectionId: at.collectionId,
  container: at.folderId ?? at.collectionId,
  sortOrder: at.sortOrder
})

export const requests = projector<RequestEvent | FolderEvent | CollectionEvent | UserEvent>(requestsTable, 1, {
  RequestCreated: (e) => [
    put(
      requestsTable,
      e,
      { ...place(e.data), sortKey: sortKey(e.data.content.name), ...createdBy(e) },
      requestBody(e.subject, e.data.content)
    )
  ],
  RequestUpdated: (e) => [
    patch(
      requestsTable,
      e,
      { ...place(e.data), sortKey: sortKey(e.data.content.name), ...updatedBy(e) },
      requestBody(e.subject, e.data.content)
    )
  ],
  RequestMoved: (e) => [patch(requestsTable, e, place(e.data))],
  ItemsReordered: (e) =>
    e.data.requests.map(({ id, sortOrder }) =>
      patchOther(requestsTable, e, id, { container: e.data.folderId ?? e.subject, sortOrder })
    ),
  RequestDeleted: (e) => [remove(requestsTable, e.subject)],
  FolderDeleted: (e) => [removeWhere(requestsTable, 'container', e.subject)],
  CollectionDeleted: (e) => [removeWhere(requestsTable, 'collectionId', e.subject)],
  UserDeleted: (e) => [clear(requestsTable, e, ['createdBy', 'updatedBy'], e.subject)]
})
