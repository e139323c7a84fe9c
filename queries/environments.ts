import { environmentsTable } from '../projections/environments.js'
import type { Row } from '../src/storage/storage.js'
import { accessKey, type Listing, within } from './listing.js'
import { managed } from './managed.js'
import { attributionOf, type JsonText, splice } from './record.js'

/** An environment as clients see it. */
export function environmentRecord(row: Row<typeof environmentsTable.columns>): JsonText {
  const { parentUuid, deletionLocked } = row
  return splice(row.body, { parentUuid, ...attributionOf(row), deletionLocked })
}

/** The environments that an access list allows, by name. */
export function listEnvironments(access: readonly string[]): Listing {
  return {
    name: 'environments',
    key: accessKey(access),
    table: environmentsTable,
    scope: null,
    index: 'byName',
    under: [],
    selection: within(access),
    record: environmentRecord
  }
}

/** Every environment, as administrators manage them, by name. */
export const listManagedEnvironments: Listing = {
  name: 'environments',
  key: 'managed',
  table: environmentsTable,
  scope: null,
  index: 'byName',
  under: [],
  record: managed
}
