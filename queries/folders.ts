import { foldersTable } from '../projections/folders.js'
import type { Row } from '../src/storage/storage.js'
import type { Listing } from './listing.js'
import { attributionOf, type JsonText, splice } from './record.js'

/** A folder as clients see it. */
export function folderRecord(row: Row<typeof foldersTable.columns>): JsonText {
  const { collectionId, container, sortOrder } = row
  const parentFolderId = container === collectionId ? null : container
  return splice(row.body, { collectionId, parentFolderId, sortOrder, ...attributionOf(row) })
}

/** All folders of a collection, by order and name. */
export function listFolders(collectionId: string): Listing {
  return {
    name: 'folders',
    key: '',
    table: foldersTable,
    scope: collectionId,
    index: 'byCollection',
    under: [collectionId],
    record: folderRecord
  }
}
