import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { id } from '../../commands/content.js'
import { usersTable } from '../../commands/people/user/table.js'
import { discussedBy } from '../../commands/talk/comment/decide.js'
import { findDiscussed, requireSeen } from '../../commands/talk/comment/discussed.js'
import type { Discussed } from '../../commands/talk/comment/events.js'
import { shownIn } from '../../commands/talk/comment/said.js'
import { commentsTable } from '../../commands/talk/comment/table.js'
import { type CommentRow, listComments } from '../../queries/comments.js'
import { errors } from '../errors.js'
import { boundedText, LIMITS } from '../limits.js'
import { cursor, fittingItems, limitOf, next, start } from './pages.js'
import { args, type Tool, type ToolContext, tool } from './tool.js'

/** What a list tells of a comment. */
const TEXT_LENGTH = 16_000

const about = z.enum(['request', 'folder', 'collection'])
const target = {
  kind: about.describe('What kind of record it is about'),
  id: id.describe('The id of that record')
}
const commentAnswer = {
  id: z.string(),
  answers: z.string().nullable().describe('The comment that it answers; null where it begins a thread'),
  author: z.string(),
  at: z.iso.datetime(),
  text: z
    .string()
    .nullable()
    .describe('What it says, cut to 16,000 characters; null where that is taken back or encrypted'),
  resolvedAt: z.iso
    .datetime()
    .nullable()
    .describe('When the thread that it begins was resolved; null where that is open, and of an answer')
}

const listCommentsTool = tool({
  name: 'list_comments',
  title: 'List comments',
  description: 'Lists what people say about a request, a folder or a collection, oldest first.',
  args: args({ ...target, cursor, limit: limitOf(50, 20) }),
  answer: z.object({ comments: z.array(z.object(commentAnswer)), next }),
  recordOf: ({ kind, id }) => ({ kind, id }),
  async run({ cursor, limit, ...target }, context) {
    await requireTarget(target, context)
    const { readModel } = context.ledger
    const last = cursor === undefined ? null : await requireAbout(cursor, target, context)
    const { table, index, under } = listComments(target)
    const after = last ? [last.createdAt, last.id] : undefined
    // One more than is shown tells whether there is more.
    const part = await readModel.listPart(table, index, under, { after, limit: limit + 1 })
    const ids = part.slice(0, limit).map(({ id }) => id)
    const comments = fittingItems(await shown(await readModel.getPage(commentsTable, ids), context))
    const next = comments.length < part.length ? (comments.at(-1)?.id ?? null) : null
    return { comments: [...comments], next }
  }
})

const writeComment = tool({
  name: 'write_comment',
  title: 'Comment',
  description:
    'Says something about a request, a folder or a collection, in a thread of its own or as an answer to a comment. @ and the whole name of somebody tells them.',
  args: args({
    ...target,
    text: boundedText(LIMITS.comment).min(1),
    answers: id.optional().describe('The comment that is answered; left out, a new thread begins')
  }),
  answer: z.object(commentAnswer),
  writes: true,
  recordOf: ({ kind, id }) => ({ kind, id }),
  async run({ text, answers, ...target }, context) {
    const id = randomUUID()
    const said = { id, sent: { body: text }, isEncrypted: context.isEncrypted }
    if (answers !== undefined) await requireAbout(answers, target, context)
    const command =
      answers === undefined
        ? ({ type: 'WriteComment', target, ...said } as const)
        : ({ type: 'ReplyToComment', commentId: answers, ...said } as const)
    const row = await context.write(command, target, commentsTable, id)
    const [comment] = await shown([row], context)
    if (!comment) throw new Error('A comment left no row.')
    return comment
  }
})

async function requireTarget(target: Discussed, { caller, ledger }: Pick<ToolContext, 'caller' | 'ledger'>) {
  const found = await findDiscussed(target, ledger.readModel)
  if (!found) throw errors.notFound('Target entity')
  requireSeen(caller, found)
}

/** The comment with this id; refused where it is about something else. */
async function requireAbout(commentId: string, { kind, id }: Discussed, { ledger }: Pick<ToolContext, 'ledger'>) {
  const row = await ledger.readModel.get(commentsTable, commentId)
  const about = row && discussedBy(row)
  if (!row || about?.kind !== kind || about.id !== id) throw errors.notFound('Discussion comment')
  return row
}

async function shown(
  rows: readonly CommentRow[],
  { ledger, isEncrypted }: Pick<ToolContext, 'ledger' | 'isEncrypted'>
) {
  const ids = [...new Set(rows.flatMap(({ authorId }) => authorId ?? []))]
  const users = await ledger.readModel.getAll(usersTable, ids, { body: false })
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    id: row.id,
    answers: row.parentId,
    author: names.get(row.authorId ?? '') ?? 'Unknown user',
    at: row.createdAt,
    resolvedAt: row.resolvedAt,
    text: isEncrypted || row.isTombstoned ? null : start(shownIn(row).body ?? '', TEXT_LENGTH)
  }))
}

/** Tools about what people say. */
export const discussionTools: readonly Tool[] = [listCommentsTool, writeComment]
