import { z } from 'zod'
import { commentsTable } from '../../projections/comments.js'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Row } from '../../src/storage/storage.js'
import { type Context, requireUser } from '../context.js'
import { type Found, findDiscussed, requireSeen } from './discussed.js'
import { DEPTH_MAX, DISCUSSED_KINDS, type Discussed, emitComment } from './events.js'
import { mentionsOf } from './mentions.js'

/** What a client sends as a comment: a text, or what only hubs with encrypted discussions take. */
export interface SentComment {
  readonly body?: string | undefined
  readonly encryptedPayload?: unknown
}

export type CommentCommand =
  | { readonly type: 'WriteComment'; readonly id: string; readonly target: Discussed; readonly sent: SentComment }
  /** `commentId` is the comment that is answered, `id` that of the answer. */
  | { readonly type: 'ReplyToComment'; readonly id: string; readonly commentId: string; readonly sent: SentComment }
  | { readonly type: 'EditComment'; readonly id: string; readonly sent: SentComment }
  | { readonly type: 'RetractComment'; readonly id: string }

type CommentRow = Row<typeof commentsTable.columns>

/**
 * Decides on comments: whoever may see a thing discusses it, the author alone edits, the author or an administrator retracts.
 * What the thing is about is looked up first: a comment of what is deleted is not there, until that comes back.
 */
export async function decideComment(command: CommentCommand, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'WriteComment':
      return written(command, context)
    case 'ReplyToComment':
      return replied(command, context)
    case 'EditComment':
      return edited(command, context)
    case 'RetractComment':
      return retracted(command, context)
  }
}

type Only<T extends CommentCommand['type']> = Extract<CommentCommand, { type: T }>

async function written({ id, target, sent }: Only<'WriteComment'>, context: Context) {
  const { caller, read } = context
  requireUser(caller)
  const found = await findDiscussed(target, read)
  if (!found) throw errors.notFound('Target entity')
  requireSeen(caller, found)
  const place = { target, ...found, parentId: null, rootId: id, depth: 1 }
  const text = textOf(sent)
  const mentions = await mentionsOf(text, found, context)
  return [emitComment(id, 'CommentWritten', { ...place, text, mentions })]
}

/** Below the last level an answer stands beside the comment that it answers. */
async function replied({ id, commentId, sent }: Only<'ReplyToComment'>, context: Context) {
  requireUser(context.caller)
  const { row, target, found } = await existingComment(commentId, context)
  requireSeen(context.caller, found)
  if (row.isTombstoned) throw errors.commentRetracted()
  const isBeside = row.depth >= DEPTH_MAX
  const parentId = isBeside ? row.parentId : row.id
  const depth = isBeside ? row.depth : row.depth + 1
  const place = { target, ...found, parentId, rootId: row.rootId, depth }
  const text = textOf(sent)
  const mentions = await mentionsOf(text, found, context)
  return [emitComment(id, 'CommentWritten', { ...place, text, mentions })]
}

async function edited({ id, sent }: Only<'EditComment'>, context: Context) {
  const { caller } = context
  requireUser(caller)
  const { row, target, found } = await existingComment(id, context)
  if (row.isTombstoned) throw errors.notFound('Discussion comment')
  requireSeen(caller, found)
  const text = textOf(sent)
  if (row.authorId !== caller.userId) throw errors.commentOfAnother()
  return text === commentText(row) ? [] : [emitComment(id, 'CommentEdited', { target, ...found, text })]
}

async function retracted({ id }: Only<'RetractComment'>, context: Context) {
  const { caller } = context
  const { row, target, found } = await existingComment(id, context)
  if (caller.role !== 'admin') {
    requireSeen(caller, found)
    if (row.authorId !== caller.userId) throw errors.forbidden()
  }
  return row.isTombstoned ? [] : [emitComment(id, 'CommentRetracted', { target, ...found })]
}

/** A comment with what it is about, or 404 where either is not there. */
async function existingComment(id: string, { read }: Pick<Context, 'read'>) {
  const row = await read.get(commentsTable, id)
  const target = row && discussedBy(row)
  const found: Found | null = target && (await findDiscussed(target, read))
  if (!row || !target || !found) throw errors.notFound('Discussion comment')
  return { row, target, found }
}

const targetKind = z.enum(DISCUSSED_KINDS)

/** What the comment in a row is about. */
export function discussedBy({ targetKind: kind, targetId: id }: CommentRow): Discussed {
  return { kind: targetKind.parse(kind), id }
}

const shown = z.object({ body: z.string().nullable() })

/** The text of the comment in a row; null for one that is retracted. */
export function commentText({ body }: Pick<CommentRow, 'body'>): string | null {
  return shown.parse(JSON.parse(body)).body
}

/** The text that a client has sent, without the blanks around it: 400 where it has sent none, or an encrypted one. */
function textOf({ body, encryptedPayload }: SentComment): string {
  if (encryptedPayload !== undefined && encryptedPayload !== null) throw errors.commentEncrypted()
  const text = body?.trim() ?? ''
  if (text === '') throw errors.commentEmpty()
  return text
}
