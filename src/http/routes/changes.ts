import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../../errors.js'
import { feedChange } from '../../followers/feed/change.js'
import { POSITION_OR_CURSOR } from '../../followers/feed/cursor.js'
import { changesFor } from '../../followers/feed/follow.js'
import { changesAfter } from '../../followers/feed/page.js'
import { drawSecret } from '../../ledger/secrets.js'
import { boundedText, LIMITS } from '../../limits.js'
import { TICKET_SECONDS } from '../../throttle/tickets.js'
import { changePage, created } from '../answers.js'
import { callerNow, type LogStreams, openLogStream, positionAfter } from '../logStream.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { pageSize } from './input.js'

const LIMIT_MAX = 1000

/** In place of an Authorization header: see `authenticateByTicket`. */
export const streamTicket = boundedText(LIMITS.secret)
  .optional()
  .describe('A ticket of `POST /changes/tickets`, in place of a token, for a stream.')

const query = z.object({
  after: boundedText(LIMITS.label)
    .regex(POSITION_OR_CURSOR, 'after: A position of the log or a cursor is expected.')
    .optional()
    .describe(
      'A position of the log, or the `cursor` of the page before: what comes behind it is told. 0 is the beginning.'
    ),
  limit: pageSize(LIMIT_MAX, 100).describe('How many changes a page has at most. To a stream it means nothing.'),
  ticket: streamTicket
})

const issued = z.object({
  ticket: z.string().describe('The ticket, which begins with `hbt_`. It is told this once.'),
  expiresAt: z.string().describe('Until when it is good.')
})

/** What happens, as it happens or page by page: metadata of changes, of what the caller may see when they are sent. */
export function changeRoutes(app: FastifyInstance, streams: LogStreams): void {
  const route = routes(app, 'changes')

  route('POST', '/changes/tickets', 'issueTicket', created(issued), {
    summary: 'Get a ticket that opens one stream, for browsers',
    about:
      'It is good once, for 30 seconds, for a stream that sees what the token may see then: a browser cannot send a header with a stream. A token gets 100 in 30 seconds.',
    refuses: [429],
    takesKey: false,
    handle: async ({ hub, token }) => {
      const { secret, hash } = drawSecret('hbt_')
      const expiresAt = new Date(hub.ledger.now() + TICKET_SECONDS * 1000).toISOString()
      switch (await hub.throttle.tickets.issue(hash, token.id)) {
        case 'tooManyOfToken':
          throw errors.tooManyTickets(LIMITS.ticketsOfToken.max, TICKET_SECONDS)
        case 'tooMany':
          throw errors.busy()
        case 'issued':
          return json({ ticket: secret, expiresAt }, 201)
      }
    }
  })

  const pages = { 200: { 'application/json': changePage, 'text/event-stream': feedChange } }
  route('GET', '/changes', 'listChanges', pages, {
    summary: 'Follow what happens as a stream of events, or read it page by page with `after`',
    about:
      'Changes come in the order of the log, each with the access of the moment at which it is sent, and without content. Without `after`, or where `Accept` prefers `text/event-stream`, it is a stream that begins now, or behind the event that `Last-Event-ID` names; a token has eight at most. Else it is a page; pollers go on with its `cursor`. A position beyond the end of the log is 400, a cursor from before the log went back 410.',
    resumes: true,
    query,
    takesTicket: true,
    handle: async (call) => {
      const { hub, query, request } = call
      const wantsStream = query.after === undefined || (request.headers.accept?.includes('text/event-stream') ?? false)
      if (!wantsStream) {
        const after = await positionAfter(hub, query.after)
        return json(await changesAfter(hub.ledger, after, query.limit, () => callerNow(call)))
      }
      const { tail, readModel } = hub.ledger
      const next = changesFor(
        tail,
        () => readModel.head,
        () => callerNow(call)
      )
      return openLogStream(streams, call, next, query.after)
    }
  })
}
