import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { requireUnconfined } from '../../../commands/people/token/scopes.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { isSubscribed, levelOf, type Notice, noticesOf, recipientOf, unreadOf } from '../../followers/notices/inbox.js'
import { withAllRead, withRead } from '../../followers/notices/marks.js'
import { noticeRecords } from '../../followers/notices/noticeRecords.js'
import { noticesFor } from '../../followers/notices/stream.js'
import { boundedText, LIMITS } from '../../limits.js'
import {
  notice,
  noticeCount,
  noticeEvent,
  noticePage,
  noticeSettings,
  threadSubscription
} from '../discussionAnswers.js'
import { editorNow, type LogStreams, openLogStream } from '../logStream.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { streamTicket } from './changes.js'
import { isEncrypted } from './discussions.js'
import { pageSize } from './input.js'

const CURSOR = /^\d{1,15}$/

const paging = z.object({
  limit: pageSize(LIMITS.noticePage.max, 50).describe('How many notices a page has at most.'),
  cursor: boundedText(LIMITS.cursor)
    .optional()
    .describe('The `nextCursor` of the page before, or a time: what was before it is listed.')
})
const time = z.iso.datetime()
const ticket = z.object({ ticket: streamTicket })

/** What others have done that concerns the caller, and what the caller wants to be told. */
export function noticeRoutes(app: FastifyInstance, streams: LogStreams): void {
  readingRoutes(app)
  settingRoutes(app)
  threadRoutes(app)

  const events = { 200: { 'text/event-stream': noticeEvent } }
  routes(app, 'notices')('GET', '/notices/stream', 'followNotices', events, {
    summary: 'Follow new notices as a stream of events',
    about:
      'It tells what comes while it is open, within a second. With `Last-Event-ID` it begins with what came since. It ends with the token. Streams of a token count together, eight at most.',
    resumes: true,
    query: ticket,
    takesTicket: true,
    handle: async (call) => {
      const next = noticesFor(call.hub.ledger, () => editorNow(call, streams.live))
      return openLogStream(streams, call, next)
    }
  })
}

function readingRoutes(app: FastifyInstance): void {
  const route = routes(app, 'notices')

  route('GET', '/notices', 'listNotices', noticePage, {
    summary: 'List what the caller is told, newest first',
    about:
      'What others have done in the last 30 days that concerns the caller, and that they may see now: of a request one notice, that of the last change. 50 are listed where `limit` does not say.',
    query: paging,
    handle: async ({ hub, readModel, caller, query: { limit, cursor } }) => {
      const all = await ownNotices(hub, caller)
      const from = behind(all, cursor)
      const page = from < 0 ? [] : all.slice(from, from + limit)
      const last = page.at(-1)
      const isMore = from >= 0 && from + limit < all.length
      return json({
        notices: await noticeRecords(readModel, page, isEncrypted(hub)),
        ...(isMore && last && { nextCursor: String(last.news.position) })
      })
    }
  })

  route('GET', '/notices/unread-count', 'countUnreadNotices', noticeCount, {
    summary: 'Count the notices that the caller has not read',
    about: 'It counts what `listNotices` lists.',
    handle: async ({ hub, caller }) => {
      const { board, readModel } = hub.ledger
      await board.current()
      const [recipient, marks] = await Promise.all([recipientOf(readModel, caller), board.marks.now(caller.userId)])
      return json({ count: unreadOf(board, recipient, marks) })
    }
  })

  route('POST', '/notices/:id/read', 'readNotice', notice, {
    summary: 'Mark a notice as read',
    about: 'Read again, it keeps the time of the first. 404 for one that the caller may not see now.',
    takesKey: false,
    handle: async ({ hub, readModel, caller, params }) => {
      const found = (await ownNotices(hub, caller)).find(({ id }) => id === params.id)
      if (!found) throw errors.notFound('Notice')
      const readAt = new Date(hub.ledger.now()).toISOString()
      await hub.ledger.board.marks.change(caller.userId, (marks) => withRead(marks, found.news.position, readAt))
      const [told] = await noticeRecords(readModel, [{ ...found, readAt: found.readAt ?? readAt }], isEncrypted(hub))
      if (!told) throw errors.notFound('Notice')
      return json(told)
    }
  })

  route('POST', '/notices/read-all', 'readAllNotices', noticeCount, {
    summary: 'Mark all notices as read',
    about:
      'Those that come later are unread again. 403 for a token that is limited to collections: it sees some of them.',
    takesKey: false,
    handle: async ({ hub, caller }) => {
      requireUnconfined(caller)
      const { board, now } = hub.ledger
      await board.current()
      const { position } = board
      await board.marks.change(caller.userId, (marks) => withAllRead(marks, position, new Date(now()).toISOString()))
      return json({ count: 0 })
    }
  })
}

function settingRoutes(app: FastifyInstance): void {
  const route = routes(app, 'notices')
  const path = '/me/notification-settings'

  route('GET', path, 'getNotificationSettings', noticeSettings, {
    summary: 'Tell which notices the caller gets',
    about: 'An account that has chosen nothing gets all of them.',
    handle: async ({ readModel, caller }) => json(await levelOf(readModel, caller.userId))
  })

  route('PUT', path, 'setNotificationSettings', noticeSettings, {
    summary: 'Choose which notices the caller gets: all, those of comments that mention them, or none',
    about: 'It counts for everything that is shown, older notices too. 403 for a token that is limited to collections.',
    body: noticeSettings.pick({ level: true }),
    handle: async ({ readModel, caller, body, run }) => {
      await run({ type: 'SetNoticeLevel', ...body })
      return json(await levelOf(readModel, caller.userId))
    }
  })
}

function threadRoutes(app: FastifyInstance): void {
  const route = routes(app, 'notices')
  const one = '/discussion-threads/:id'

  route('GET', `${one}/subscription`, 'getThreadSubscription', threadSubscription, {
    summary: 'Tell whether the caller is told of answers in a thread',
    about: 'A thread goes by the id of its first comment.',
    handle: async ({ readModel, caller, params: { id } }) =>
      json({ subscribed: await isSubscribed(readModel, caller.userId, id), rootCommentId: id })
  })

  route('POST', `${one}/subscribe`, 'subscribeToThread', threadSubscription, {
    summary: 'Be told of answers in a thread',
    about: 'Takes access to what the thread is about. To subscribe again changes nothing.',
    takesKey: false,
    handle: async ({ params: { id }, run }) => {
      await run({ type: 'SubscribeToThread', id: randomUUID(), rootId: id })
      return json({ subscribed: true, rootCommentId: id })
    }
  })

  route('POST', `${one}/unsubscribe`, 'unsubscribeFromThread', threadSubscription, {
    summary: 'Be told of no more answers in a thread, but for those that mention the caller',
    about:
      'It counts for whoever writes in the thread too, until they subscribe. To unsubscribe again changes nothing.',
    takesKey: false,
    handle: async ({ params: { id }, run }) => {
      await run({ type: 'UnsubscribeFromThread', id: randomUUID(), rootId: id })
      return json({ subscribed: false, rootCommentId: id })
    }
  })
}

/** All notices of the caller, newest first. */
async function ownNotices({ ledger: { board, readModel } }: Hub, caller: Caller): Promise<readonly Notice[]> {
  await board.current()
  const [recipient, marks] = await Promise.all([recipientOf(readModel, caller), board.marks.now(caller.userId)])
  return noticesOf(board, recipient, marks)
}

/** Where what is behind a cursor begins: that of a page, or a time; -1 for nowhere. */
function behind(all: readonly Notice[], cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  if (CURSOR.test(cursor)) {
    const last = all.findIndex(({ news }) => news.position === Number(cursor))
    return last < 0 ? all.findIndex(({ news }) => news.position < Number(cursor)) : last + 1
  }
  const before = time.safeParse(cursor).data
  if (before === undefined) throw errors.cursorMalformed()
  const at = new Date(before).toISOString()
  return all.findIndex(({ news }) => news.at < at)
}
