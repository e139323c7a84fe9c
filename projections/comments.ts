import type { ErasureEvent } from '../commands/log/erasure/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import type { CommentEvent, WrittenComment } from '../commands/talk/comment/events.js'
import type { EncryptedPayload } from '../commands/talk/comment/payload.js'
import { commentsTable } from '../commands/talk/comment/table.js'
import { nullify, patch, projector, put, remove } from './define.js'

export const comments = projector<CommentEvent | ErasureEvent | UserEvent | ImportEvent>(commentsTable, 2, {
  CommentWritten: (e) => {
    const made = { ...OPEN, isTombstoned: false, authorId: e.actorId, createdAt: e.at, updatedAt: e.at }
    return [put(commentsTable, e, { ...placeOf(e.data), ...made }, shownOf(e.data))]
  },
  CommentImported: (e) => {
    const { isRetracted: isTombstoned, authorId, createdAt, updatedAt } = e.data
    const made = { ...OPEN, isTombstoned, authorId, createdAt, updatedAt }
    return [put(commentsTable, e, { ...placeOf(e.data), ...made }, isTombstoned ? NOTHING_SAID : shownOf(e.data))]
  },
  CommentEdited: (e) => {
    const isEncrypted = e.data.encrypted !== undefined
    return [patch(commentsTable, e, { updatedAt: e.at, isEncrypted }, shownOf(e.data))]
  },
  CommentRetracted: (e) => [patch(commentsTable, e, { isTombstoned: true, updatedAt: e.at }, NOTHING_SAID)],
  // Not a change of what it says: whoever reads `updatedAt` takes it for an edit.
  ThreadResolved: (e) => [patch(commentsTable, e, { resolvedAt: e.at, resolvedBy: e.actorId })],
  ThreadReopened: (e) => [patch(commentsTable, e, OPEN)],
  PayloadsErased: (e) => (e.data.kind === 'comment' ? [remove(commentsTable, e.data.id)] : []),
  UserDeleted: (e) => [nullify(commentsTable, e, ['authorId', 'resolvedBy'], e.subject)]
})

function placeOf({ target, parentId, rootId, depth, ...said }: WrittenComment) {
  const mentions = said.mentions.join(' ')
  const isEncrypted = said.encrypted !== undefined
  return { targetKind: target.kind, targetId: target.id, parentId, rootId, depth, mentions, isEncrypted }
}

const OPEN = { resolvedAt: null, resolvedBy: null }
const NOTHING_SAID = { body: null, encryptedPayload: null }

/** What an event says, as clients get it: a text or what is encrypted. */
function shownOf({ text, encrypted }: { readonly text: string; readonly encrypted?: EncryptedPayload | undefined }) {
  return encrypted ? { body: null, encryptedPayload: encrypted } : { body: text, encryptedPayload: null }
}
