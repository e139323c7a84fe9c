import { type CollectionContent, collectionFields } from '../commands/records/collection/fields.js'
import { versionOf } from '../commands/records/fields.js'
import { advance, table } from './define.js'
import { lockable, lockableColumns, lockableIndexes } from './lockable.js'

export const collectionsTable = table({
  name: 'collections',
  columns: lockableColumns,
  indexes: lockableIndexes,
  scope: 'id'
})

export const collections = lockable<CollectionContent>('Collection', {
  table: collectionsTable,
  version: versionOf(collectionFields),
  handlers: {
    FoldersReordered: (e) => [advance(collectionsTable, e)],
    ItemsReordered: (e) => [advance(collectionsTable, e)]
  }
})
