import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { CommentCommand } from '../../../commands/talk/comment/decide.js'
import { findDiscussed, requireSeen } from '../../../commands/talk/comment/discussed.js'
import type { Discussed, DiscussedKind } from '../../../commands/talk/comment/events.js'
import type { SentComment } from '../../../commands/talk/comment/said.js'
import { commentsTable } from '../../../commands/talk/comment/table.js'
import { type CommentRow, commentRecords, listComments } from '../../../queries/comments.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { boundedText, freeObject, LIMITS } from '../../limits.js'
import { comment, commentPage } from '../discussionAnswers.js'
import { madeRow } from '../made.js'
import { cursorOf, type ListOf, openPageReply, pageOf } from '../paging.js'
import { json, type Reply } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
import { pageSize } from './input.js'

/** Behind every id of a comment. */
const LAST_ID = '~'

const paging = z.object({
  limit: pageSize(LIMITS.commentPage.max, 50).describe('How many comments a page has at most.'),
  cursor: boundedText(LIMITS.cursor)
    .optional()
    .describe('The `nextCursor` of the page before, or a time: what was written after it is listed.')
})
const time = z.iso.datetime()

const sent = z.object({
  body: boundedText(LIMITS.comment).optional().describe('The text. Left out where the comment is encrypted.'),
  // Hubs that do not encrypt take it to refuse it with a text.
  encryptedPayload: freeObject('encryptedPayload must be a JSON object.')
    .nullish()
    .describe('What a device has encrypted, as `EncryptedPayload`, on hubs that take nothing else.')
})

const FORM =
  'A comment is text without the blanks around it. Where `collaboration.e2ee` is on, it comes as `encryptedPayload` instead.'
const TEXT = `${FORM} \`@\` and a whole name tell that account.`

/** What can be discussed: where its routes are, and what operations call it. */
const DISCUSSED: readonly (readonly [path: string, kind: DiscussedKind, name: string, words: string])[] = [
  ['requests', 'request', 'Request', 'a request'],
  ['collections', 'collection', 'Collection', 'a collection'],
  ['folders', 'folder', 'Folder', 'a folder'],
  ['run-results', 'runResult', 'RunResult', 'a run result']
]

/** What people say about requests, folders, collections and run results. */
export function discussionRoutes(app: FastifyInstance): void {
  const route = routes(app, 'discussions')
  const writing = { body: sent, takes: 'content' } as const

  for (const [path, kind, name, words] of DISCUSSED) {
    route('GET', `/${path}/:id/discussions`, `list${name}Comments`, commentPage, {
      summary: `List the comments on ${words}, oldest first`,
      about:
        'Whoever may see it reads what is said about it. All threads are in one list, 50 comments a page where `limit` does not say.',
      isTagged: true,
      query: paging,
      handle: async ({ params, query, caller, hub, readModel }) => {
        const target = { kind, id: params.id }
        const found = await findDiscussed(target, readModel)
        if (!found) throw errors.notFound('Target entity')
        requireSeen(caller, found)
        return commentsPage(hub, target, query)
      }
    })

    route('POST', `/${path}/:id/discussions`, `commentOn${name}`, comment, {
      summary: `Comment on ${words}`,
      about: `It begins a thread. ${TEXT}`,
      ...writing,
      handle: ({ params, body, ...call }) =>
        written(call, {
          type: 'WriteComment',
          id: randomUUID(),
          target: { kind, id: params.id },
          ...saying(body, call)
        })
    })
  }

  const one = '/discussion-comments/:id'
  route('POST', `${one}/replies`, 'replyToComment', comment, {
    summary: 'Answer a comment',
    about: `Answers nest three levels deep; an answer to the last one stands beside it. ${TEXT}`,
    ...writing,
    handle: ({ params, body, ...call }) =>
      written(call, { type: 'ReplyToComment', id: randomUUID(), commentId: params.id, ...saying(body, call) })
  })

  route('PUT', one, 'editComment', comment, {
    summary: 'Replace the text of a comment of one’s own',
    about: `Only its author may, others are refused with 403. ${FORM} A name that it has anew tells nobody.`,
    ...writing,
    handle: ({ params, body, ...call }) => changed(call, { type: 'EditComment', ...params, ...saying(body, call) })
  })

  route('DELETE', one, 'deleteComment', comment, {
    summary: 'Take back the text of a comment: it keeps its place and its answers',
    about: 'Its author may, and any administrator. Deleted again, it answers the same. It cannot be brought back.',
    refuses: [403],
    handle: ({ params, ...call }) => changed(call, { type: 'RetractComment', ...params })
  })

  const thread = '/discussion-threads/:id'
  route('POST', `${thread}/resolve`, 'resolveThread', comment, {
    summary: 'Mark a thread as resolved',
    about:
      'Whoever may comment there may. It answers with the first comment of the thread, by whose id a thread goes. Nothing is hidden, and answers leave it resolved. Resolved again, it keeps who was first.',
    takesKey: false,
    handle: ({ params, ...call }) => changed(call, { type: 'ResolveThread', ...params })
  })

  route('POST', `${thread}/reopen`, 'reopenThread', comment, {
    summary: 'Open a resolved thread again',
    about:
      'Whoever may comment there may. It answers with the first comment of the thread. Where the thread is open, nothing changes.',
    takesKey: false,
    handle: ({ params, ...call }) => changed(call, { type: 'ReopenThread', ...params })
  })
}

/** What a client has said, and whether the hub wants it encrypted. */
function saying(sent: SentComment, { hub }: Pick<Writing, 'hub'>) {
  return { sent, isEncrypted: isEncrypted(hub) }
}

type Writing = Pick<RouteCall<unknown, unknown>, 'hub' | 'run'>

/** Writes a comment, and answers with it; where the request repeats one, as it was when it was written. */
async function written({ hub, run }: Writing, command: CommentCommand): Promise<Reply> {
  return shown(hub, await madeRow(hub, await run(command), 'comment', commentsTable, command.id))
}

/** Changes a comment, and answers with it as it is then. */
async function changed({ hub, change }: Pick<RouteCall<unknown, unknown>, 'hub' | 'change'>, command: CommentCommand) {
  return shown(hub, await change(command, commentsTable))
}

async function shown(hub: Hub, row: CommentRow): Promise<Reply> {
  return json((await commentRecords(hub.ledger.readModel, [row], isEncrypted(hub)))[0])
}

/** True where comments are taken as clients have encrypted them, and as nothing else. */
export function isEncrypted({ config }: Hub): boolean {
  return config.collaboration.e2ee
}

/** A page of a discussion. A time in place of a cursor stands for whatever was written up to then. */
async function commentsPage(hub: Hub, target: Discussed, { limit, cursor }: z.infer<typeof paging>) {
  const { readModel } = hub.ledger
  const list: ListOf = {
    ...listComments(target),
    name: 'comments',
    fields: [],
    records: (rows: readonly CommentRow[]) => commentRecords(readModel, rows, isEncrypted(hub))
  }
  const from = time.safeParse(cursor).data
  const asked = from === undefined ? cursor : cursorOf(list, [new Date(from).toISOString(), LAST_ID])
  return openPageReply(list.name, await pageOf(readModel, list, null, { limit, cursor: asked || undefined }))
}
