import type { CollectionContent } from '../commands/collection/events.js'
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
  version: 1,
  handlers: {
    FoldersReordered: (e) => [advance(collectionsTable, e)],
    ItemsReordered: (e) => [advance(collectionsTable, e)]
  }
})
