import { attribution, table } from '../table.js'

/** A table of things that stand in a container: `container` is the folder's id, or the collection's at the root. */
export const orderedTable = <N extends string>(name: N) =>
  table({
    name,
    columns: { collectionId: 'id', container: 'id', sortOrder: 'integer', sortKey: 'name', ...attribution },
    indexes: {
      byCollection: { by: ['collectionId'], order: ['sortOrder', 'sortKey'] },
      byContainer: { by: ['container'], order: ['sortOrder', 'sortKey'] }
    },
    scope: 'collectionId'
  })

/** The columns that a kind has which stands on its own, and the index that lists go by. */
export const lockableColumns = { sortKey: 'name', deletionLocked: 'flag', ...attribution } as const
export const lockableIndexes = { byName: { by: [], order: ['sortKey'] } } as const
