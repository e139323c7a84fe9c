import type { CommentEvent } from '../commands/comment/events.js'
import type { ErasureEvent } from '../commands/erasure/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { nullify, patch, projector, put, remove, table } from './define.js'

/**
 * Comments, the retracted ones among them. The body holds the text alone. What a comment is about may be gone, and come back:
 * whoever reads looks for that first, and nothing here is taken away before it is erased.
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
    authorId: 'id?',
    createdAt: 'time',
    updatedAt: 'time'
  },
  indexes: {
    byTarget: { by: ['targetKind', 'targetId'], order: ['createdAt'] },
    byThread: { by: ['rootId'], order: ['createdAt'] }
  },
  scope: 'targetId'
})

export const comments = projector<CommentEvent | ErasureEvent | UserEvent>(commentsTable, 1, {
  CommentWritten: (e) => {
    const { target, parentId, rootId, depth, text } = e.data
    const mentions = e.data.mentions.join(' ')
    const place = { targetKind: target.kind, targetId: target.id, parentId, rootId, depth, mentions }
    const made = { isTombstoned: false, authorId: e.actorId, createdAt: e.at, updatedAt: e.at }
    return [put(commentsTable, e, { ...place, ...made }, { body: text })]
  },
  CommentEdited: (e) => [patch(commentsTable, e, { updatedAt: e.at }, { body: e.data.text })],
  CommentRetracted: (e) => [patch(commentsTable, e, { isTombstoned: true, updatedAt: e.at }, { body: null })],
  PayloadsErased: (e) => (e.data.kind === 'comment' ? [remove(commentsTable, e.data.id)] : []),
  UserDeleted: (e) => [nullify(commentsTable, e, ['authorId'], e.subject)]
})
