import { collectionsTable } from '../projections/collections.js'
import type { RestorableKind } from '../projections/departures.js'
import { documentsTable } from '../projections/documents.js'
import { environmentsTable } from '../projections/environments.js'
import { foldersTable } from '../projections/folders.js'
import { requestsTable } from '../projections/requests.js'
import { snippetsTable } from '../projections/snippets.js'
import type { Row, TableSpec } from '../src/storage/storage.js'
import { collectionRecord } from './collections.js'
import { environmentRecord } from './environments.js'
import { folderRecord } from './folders.js'
import { itemRecord } from './items.js'
import type { JsonText, Place } from './record.js'
import { snippetRecord } from './snippets.js'

export interface Kind {
  readonly table: TableSpec
  /** The record in a row of the table, as clients see it where the row stands at this place. */
  // A method's parameter is bivariant: the row given is one of this kind's table.
  record(row: Row, place: Place): JsonText
}

/** The kinds of record that have a history. */
export const kinds: Readonly<Record<RestorableKind, Kind>> = {
  collection: { table: collectionsTable, record: collectionRecord },
  environment: { table: environmentsTable, record: environmentRecord },
  snippet: { table: snippetsTable, record: snippetRecord },
  folder: { table: foldersTable, record: folderRecord },
  request: { table: requestsTable, record: itemRecord },
  document: { table: documentsTable, record: itemRecord }
}

export const KINDS = ['collection', 'environment', 'snippet', 'folder', 'request', 'document'] as const
