import type { CommentEvent } from '../commands/comment/events.js'
import type { EncryptedPayload } from '../commands/comment/payload.js'
import type { ErasureEvent } from '../commands/erasure/events.js'
import type { UserEvent } from '../commands/user/events.js'
import { nullify, patch, projector, put, remove, table } from './define.js'

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
    const { target, parentId, rootId, depth } = e.data
    const mentions = e.data.mentions.join(' ')
    const place = { targetKind: target.kind, targetId: target.id, parentId, rootId, depth, mentions }
    const made = { isTombstoned: false, authorId: e.actorId, createdAt: e.at, updatedAt: e.at }
    const isEncrypted = e.data.encrypted !== undefined
    return [put(commentsTable, e, { ...place, ...made, isEncrypted }, shownOf(e.data))]
  },
  CommentEdited: (e) => {
    const isEncrypted = e.data.encrypted !== undefined
    return [patch(commentsTable, e, { updatedAt: e.at, isEncrypted }, shownOf(e.data))]
  },
  CommentRetracted: (e) => [patch(commentsTable, e, { isTombstoned: true, updatedAt: e.at }, NOTHING_SAID)],
  PayloadsErased: (e) => (e.data.kind === 'comment' ? [remove(commentsTable, e.data.id)] : []),
  UserDeleted: (e) => [nullify(commentsTable, e, ['authorId'], e.subject)]
})

const NOTHING_SAID = { body: null, encryptedPayload: null }

/** What an event says, as clients get it: a text or what is encrypted. */
function shownOf({ text, encrypted }: { readonly text: string; readonly encrypted?: EncryptedPayload | undefined }) {
  return encrypted ? { body: null, encryptedPayload: encrypted } : { body: text, encryptedPayload: null }
}
