import { collectionsTable } from '../projections/collections.js'
import type { Row } from '../src/storage/storage.js'
import { accessKey, type Listing, within } from './listing.js'
import { managed } from './managed.js'
import { attributionOf, type JsonText, splice } from './record.js'

type CollectionRow = Row<typeof collectionsTable.columns>

/** A collection as clients see it. */
export function collectionRecord(row: CollectionRow): JsonText {
  return splice(row.body, { ...attributionOf(row), deletionLocked: row.deletionLocked })
}

/** The collections that an access list allows, by name. */
export function listCollections(access: readonly string[]): Listing {
  return {
    name: 'collections',
    key: accessKey(access),
    table: collectionsTable,
    scope: null,
    index: 'byName',
    under: [],
    selection: within(access),
    record: collectionRecord
  }
}

/** Every collection, as administrators manage them, by name. */
export const listManagedCollections: Listing = {
  name: 'collections',
  key: 'managed',
  table: collectionsTable,
  scope: null,
  index: 'byName',
  under: [],
  record: managed
}
