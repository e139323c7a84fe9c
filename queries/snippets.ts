import { snippetsTable } from '../projections/snippets.js'
import type { Row } from '../src/storage/storage.js'
import { accessKey, type Listing, within } from './listing.js'
import { attributionOf, type JsonText, splice } from './record.js'

/** A snippet as clients see it. */
export function snippetRecord(row: Row<typeof snippetsTable.columns>): JsonText {
  const { sortOrder, deletionLocked } = row
  return splice(row.body, { sortOrder, ...attributionOf(row), deletionLocked })
}

/** The snippets that an access list allows, by order and name. */
export function listSnippets(access: readonly string[]): Listing {
  return {
    name: 'snippets',
    key: accessKey(access),
    table: snippetsTable,
    scope: null,
    index: 'byOrder',
    under: [],
    selection: within(access),
    record: snippetRecord
  }
}
