import { foldersTable } from '../projections/folders.js'
import { folderSequence } from '../projections/sequences.js'
import type { Row } from '../src/storage/storage.js'
import type { Listing } from './listing.js'
import { attributionOf, type JsonText, type Place, splice } from './record.js'

/** A folder as clients see it: its order is its place among the folders of its parent. */
export function folderRecord(row: Row<typeof foldersTable.columns>, place: Place): JsonText {
  const { collectionId, container } = row
  const sortOrder = place ?? row.sortOrder
  const parentFolderId = container === collectionId ? null : container
  return splice(row.body, { collectionId, parentFolderId, sortOrder, ...attributionOf(row) })
}

/** All folders of a collection, by place and name. */
export function listFolders(collectionId: string): Listing {
  return {
    name: 'folders',
    key: '',
    table: foldersTable,
    scope: collectionId,
    index: 'byCollection',
    under: [collectionId],
    sequence: folderSequence,
    record: folderRecord
  }
}
