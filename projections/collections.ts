import { type CollectionContent, collectionFields } from '../commands/records/collection/fields.js'
import { collectionsTable } from '../commands/records/collection/table.js'
import { versionOf } from '../commands/records/fields.js'
import { advance } from './define.js'
import { lockable } from './lockable.js'

export const collections = lockable<CollectionContent>('Collection', {
  table: collectionsTable,
  version: versionOf(collectionFields),
  handlers: {
    FoldersReordered: (e) => [advance(collectionsTable, e)],
    ItemsReordered: (e) => [advance(collectionsTable, e)]
  }
})
