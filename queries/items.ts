import { documentsTable } from '../projections/documents.js'
import { requestsTable } from '../projections/requests.js'
import { itemSequence } from '../projections/sequences.js'
import type { Row } from '../src/storage/storage.js'
import type { Listing } from './listing.js'
import { attributionOf, type JsonText, type Place, splice } from './record.js'

type ItemTable = typeof requestsTable

/** A saved request or a document as clients see it: its order is its place among all items of its container. */
export function itemRecord(row: Row<ItemTable['columns']>, place: Place): JsonText {
  const { collectionId, container } = row
  const sortOrder = place ?? row.sortOrder
  const folderId = container === collectionId ? null : container
  return splice(row.body, { collectionId, folderId, sortOrder, ...attributionOf(row) })
}

/** All saved requests of a collection, by place and name. */
export const listRequests = (collectionId: string): Listing => listItems('requests', requestsTable, collectionId)

/** All documents of a collection, by place and name. */
export const listDocuments = (collectionId: string): Listing => listItems('documents', documentsTable, collectionId)

function listItems(name: string, table: ItemTable, collectionId: string): Listing {
  return {
    name,
    key: '',
    table,
    scope: collectionId,
    index: 'byCollection',
    under: [collectionId],
    sequence: itemSequence,
    record: itemRecord
  }
}
