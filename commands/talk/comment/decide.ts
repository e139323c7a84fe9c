import { z } from 'zod'
import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Values } from '../../../src/storage/storage.js'
import { type Context, type Deciders, requireUser } from '../../context.js'
import { asEditor } from '../../people/user/system.js'
import type { AboutColumns } from '../about.js'
import { type Found, findDiscussed, requireSayer, requireSeen } from './discussed.js'
import { DEPTH_MAX, DISCUSSED_KINDS, type Discussed, emitComment, type WrittenComment } from './events.js'
import { mentionsOf } from './mentions.js'
import { requireSender, type SentComment, saidIn, saysIt } from './said.js'
import { commentsTable } from './table.js'

/** What is said, and whether the hub's discussions are encrypted: it takes nothing else then. They are not by default. */
interface Saying {
  readonly sent: SentComment
  readonly isEncrypted?: boolean
}

export type CommentCommand =
  | ({ readonly type: 'WriteComment'; readonly id: string; readonly target: Discussed } & Saying)
  /** `commentId` is the comment that is answered, `id` that of the answer. */
  | ({ readonly type: 'ReplyToComment'; readonly id: string; readonly commentId: string } & Saying)
  | ({ readonly type: 'EditComment'; readonly id: string } & Saying)
  | { readonly type: 'RetractComment'; readonly id: string }
  /** A thread goes by the comment that it begins with. */
  | { readonly type: 'ResolveThread'; readonly id: string }
  | { readonly type: 'ReopenThread'; readonly id: string }

/**
 * Decides on comments: whoever may change what is in a collection discusses it, the author alone edits, the author or an administrator retracts.
 * Whoever may say something resolves a thread and reopens it; answers leave it as it is.
 * What the thing is about is looked up first: a comment of what is deleted is not there, until that comes back.
 */
export const commentDeciders: Deciders<CommentCommand> = {
  async WriteComment(command, context) {
    const { id, target } = command
    const { caller, read } = context
    requireUser(caller)
    const found = await findDiscussed(target, read)
    if (!found) throw errors.notFound('Target entity')
    requireSayer(caller, found)
    return written(command, { ...about(target, found), parentId: null, rootId: id, depth: 1 }, context)
  },

  /** Below the last level an answer stands beside the comment that it answers. */
  async ReplyToComment(command, context) {
    const { caller, read } = context
    requireUser(caller)
    const { row, target, found } = await existingComment(command.commentId, read)
    requireSayer(caller, found)
    if (row.isTombstoned) throw errors.commentRetracted()
    const isBeside = row.depth >= DEPTH_MAX
    const parentId = isBeside ? row.parentId : row.id
    const depth = isBeside ? row.depth : row.depth + 1
    return written(command, { ...about(target, found), parentId, rootId: row.rootId, depth }, context)
  },

  async EditComment({ id, sent, isEncrypted }, { caller, read }) {
    requireUser(caller)
    const { row, target, found } = await existingComment(id, read)
    if (row.isTombstoned) throw errors.notFound('Discussion comment')
    requireSayer(caller, found)
    const said = saidIn(sent, target, isEncrypted)
    if (row.authorId !== caller.userId) throw errors.commentOfAnother()
    await requireSender(said, caller, read)
    return saysIt(row, said) ? [] : [emitComment(id, 'CommentEdited', { ...about(target, found), ...said })]
  },

  async RetractComment({ id }, { caller, read }) {
    const { row, target, found } = await existingComment(id, read)
    requireSeen(caller.role === 'admin' ? asEditor(caller) : caller, found)
    if (caller.role !== 'admin' && row.authorId !== caller.userId) throw errors.forbidden()
    return row.isTombstoned ? [] : [emitComment(id, 'CommentRetracted', about(target, found))]
  },

  ResolveThread: ({ id }, context) => marked(id, 'ThreadResolved', context),
  ReopenThread: ({ id }, context) => marked(id, 'ThreadReopened', context)
}

/** What every event of a comment says of the thing that it is about. */
function about(target: Discussed, { collectionId }: Found) {
  return { target, collectionId }
}

/** The event by which a thread is resolved or open again; none where it is so already. */
async function marked(
  id: string,
  type: 'ThreadResolved' | 'ThreadReopened',
  { caller, read }: Context
): Promise<readonly NewEvent[]> {
  requireUser(caller)
  const thread = await findThread(id, read)
  if (!thread) throw errors.notFound('Discussion thread')
  const { row, target, found } = thread
  requireSayer(caller, found)
  const isResolved = row.resolvedAt !== null
  return isResolved === (type === 'ThreadResolved') ? [] : [emitComment(id, type, about(target, found))]
}

/** The event of a new comment in this place. */
async function written(
  { id, sent, isEncrypted }: Saying & { readonly id: string },
  place: Omit<WrittenComment, 'text' | 'encrypted' | 'mentions'>,
  context: Context
): Promise<readonly NewEvent[]> {
  const said = saidIn(sent, place.target, isEncrypted)
  await requireSender(said, context.caller, context.read)
  const mentions = await mentionsOf(said.text, place, context)
  return [emitComment(id, 'CommentWritten', { ...place, ...said, mentions })]
}

/** A comment with what it is about; null where either is not there. */
async function findComment(id: string, read: ReadStore) {
  const row = await read.get(commentsTable, id)
  const target = row && discussedBy(row)
  const found: Found | null = target && (await findDiscussed(target, read))
  return row && target && found ? { row, target, found } : null
}

/** The same, or 404 where either is not there. */
async function existingComment(id: string, read: ReadStore) {
  const comment = await findComment(id, read)
  if (!comment) throw errors.notFound('Discussion comment')
  return comment
}

/** The comment that a thread begins with, and what it is about; null where that is not there, or where it begins none. */
export async function findThread(rootId: string, read: ReadStore) {
  const root = await findComment(rootId, read)
  return root?.row.rootId === rootId ? root : null
}

const targetKind = z.enum(DISCUSSED_KINDS)

/** What the comment, or whatever else, in a row is about. */
export function discussedBy({ targetKind: kind, targetId: id }: Values<AboutColumns>): Discussed {
  return { kind: targetKind.parse(kind), id }
}
