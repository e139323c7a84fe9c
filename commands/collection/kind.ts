import { collectionsTable } from '../../projections/collections.js'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import type { TableSpec } from '../../src/storage/storage.js'
import type { LockableKind } from '../kind.js'
import { lockableKind } from '../lockable.js'
import { nameOf } from '../named.js'
import { type CollectionContent, collectionContent, emitCollection } from './events.js'

export const collectionKind: LockableKind<'Collection', CollectionContent, typeof collectionsTable.columns> =
  lockableKind({
    emit: emitCollection,
    label: 'Collection',
    plural: 'collections',
    access: 'collectionAccess',
    table: collectionsTable,
    listed: 'byName',
    content: collectionContent,
    columns: [],
    update: (command) => ({ type: 'UpdateCollection', ...command }),
    /** It tells all that goes with the collection, so that it can be brought back. */
    async deletion(row, read) {
      const idsOf = async (table: TableSpec) =>
        (await read.list(table, 'byCollection', [row.id], { body: false })).map(({ id }) => id)
      const [folders = [], requests = [], documents = []] = await Promise.all(
        [foldersTable, requestsTable, documentsTable].map(idsOf)
      )
      return emitCollection(row.id, 'CollectionDeleted', { name: nameOf(row), folders, requests, documents })
    }
  })
