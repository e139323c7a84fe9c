import { requestsTable } from '../projections/requests.js'
import type { Row } from '../src/storage/storage.js'
import type { Listing } from './listing.js'
import { attributionOf, type JsonText, splice } from './record.js'

/** A saved request as clients see it. */
export function requestRecord(row: Row<typeof requestsTable.columns>): JsonText {
  const { collectionId, container, sortOrder } = row
  const folderId = container === collectionId ? null : container
  return splice(row.body, { collectionId, folderId, sortOrder, ...attributionOf(row) })
}

/** All saved requests of a collection, by order and name. */
export function listRequests(collectionId: string): Listing {
  return {
    name: 'requests',
    key: '',
    table: requestsTable,
    scope: collectionId,
    read: async (read) => (await read.list(requestsTable, 'byCollection', [collectionId])).map(requestRecord)
  }
}
