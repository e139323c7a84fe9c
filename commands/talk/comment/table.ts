import { table } from '../../table.js'

/**
 * Comments, the retracted ones among them. The body holds what clients get of what it says. What a comment is about may be gone, and
 * come back: whoever reads looks for that first, and nothing here is taken away before it is erased.
 */
export const commentsTable = table({
  name: 'comments',
  columns: {
    targetKind: 'id',
    targetId: 'id',
    parentId: 'id?',
    rootId: 'id',
    depth: 'integer',
    isTombstoned: 'flag',
    /** Ids of accounts, with blanks between them. */
    mentions: 'text',
    isEncrypted: 'flag',
    authorId: 'id?',
    createdAt: 'time',
    updatedAt: 'time',
    /** When the thread that it begins was resolved, and by whom. */
    resolvedAt: 'time?',
    resolvedBy: 'id?'
  },
  indexes: {
    byTarget: { by: ['targetKind', 'targetId'], order: ['createdAt'] },
    byThread: { by: ['rootId'], order: ['createdAt'] }
  },
  scope: 'targetId'
})
