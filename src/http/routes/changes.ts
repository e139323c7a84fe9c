import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { asEditor } from '../../../commands/user/system.js'
import { tokensTable } from '../../../projections/tokens.js'
import { callerOf } from '../../../queries/callers.js'
import { errors } from '../../errors.js'
import { changesFor, follow } from '../../feed/follow.js'
import { changesAfter } from '../../feed/page.js'
import type { Subscriptions } from '../../feed/subscriptions.js'
import type { Hub } from '../../hub.js'
import { drawSecret } from '../../issue.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { HubProvider } from '../../live.js'
import { TICKET_SECONDS } from '../../throttle/tickets.js'
import { change, changePage } from '../answers.js'
import { mayEdit } from '../auth.js'
import { rateLimitHeaders } from '../rateLimit.js'
import { json } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

const LIMIT_MAX = 1000
const POSITION = /^\d{1,15}$/

const query = z.object({
  after: boundedText(LIMITS.label).regex(POSITION, 'after: A position of the log is expected.').optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(100),
  /** In place of an Authorization header: see `authenticateByTicket`. */
  ticket: boundedText(LIMITS.secret).optional()
})

const issued = z.object({ ticket: z.string(), expiresAt: z.string() })

type FeedCall = Pick<RouteCall<unknown, unknown>, 'hub' | 'token' | 'request' | 'reply'>

/** What happens, as it happens or page by page: metadata of changes, of what the caller may see when they are sent. */
export function changeRoutes(app: FastifyInstance, live: HubProvider, subscriptions: Subscriptions): void {
  const route = routes(app, 'changes')

  const ticket = {
    operation: 'issueTicket',
    summary: 'A ticket that opens one stream of changes, for browsers',
    answers: { 201: issued },
    refuses: [429],
    access: 'any',
    takesKey: false
  } as const
  route('POST', '/changes/tickets', ticket, async ({ hub, token }) => {
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
  })

  const feed = {
    operation: 'listChanges',
    summary: 'Follow what happens as a stream of events, or read it page by page with `after`',
    answers: { 200: { 'application/json': changePage, 'text/event-stream': change } },
    resumes: true,
    query,
    access: 'any',
    takesTicket: true
  } as const
  route('GET', '/changes', feed, async (call) => {
    const { hub, query, request, reply, token } = call
    const wantsStream = query.after === undefined || (request.headers.accept?.includes('text/event-stream') ?? false)
    // Who asks for the head alone would never see the end of a stream.
    if (!wantsStream || request.method === 'HEAD') {
      const after = afterOf(hub, query.after)
      return json(await changesAfter(hub.ledger, after, query.limit, () => callerNow(call)))
    }
    const start = startOf(hub, request.headers['last-event-id'], query.after)
    const { left, max } = subscriptions.left(token.id)
    const quota = { name: 'streams', quota: max, left: left - 1, unit: 'concurrent-requests' } as const
    reply.raw.setHeaders(new Map(Object.entries(rateLimitHeaders([quota]))))
    const { ended, leave } = subscriptions.enter(token.id, hub.ledger.now())
    reply.hijack()
    try {
      const { tail, view } = hub.ledger
      const followed = {
        tail,
        head: () => view.head.position,
        next: changesFor(tail, () => callerNow(call)),
        isLive: () => live.hub.ledger === hub.ledger
      }
      await follow(reply.raw, start, followed, ended)
    } catch (err) {
      if (!app.outages.takes(err)) request.log.error({ err }, 'a stream of changes failed')
      reply.raw.destroy()
    } finally {
      leave()
    }
    return null
  })
}

/** The account behind the call with the access that it has now; null where it has none any more. */
export async function callerNow({ hub, token }: FeedCall): Promise<Caller | null> {
  const { view } = hub.ledger
  await view.current()
  return callerOf(view, await view.get(tokensTable, token.id))
}

/** The same, where administrators may work on records as users. */
export async function editorNow(call: FeedCall): Promise<Caller | null> {
  const caller = await callerNow(call)
  return caller && mayEdit(caller, call.hub.config) ? asEditor(caller) : caller
}

/** Where a stream begins: behind the last event that the client has, else behind `after`, else at the end of the log. */
export function startOf(hub: Hub, lastEventId: string | string[] | undefined, after: string | undefined): number {
  if (lastEventId === undefined) return afterOf(hub, after)
  if (typeof lastEventId !== 'string' || !POSITION.test(lastEventId)) throw errors.lastEventMalformed()
  return inLog(hub, Number(lastEventId), 'Last-Event-ID')
}

function afterOf(hub: Hub, after: string | undefined): number {
  return after === undefined ? hub.ledger.view.head.position : inLog(hub, Number(after), 'after')
}

/** Beyond the end is a position of another log, or of this one before it was put back: what was missed is not known. */
function inLog({ ledger }: Hub, position: number, name: string): number {
  const end = ledger.view.head.position
  if (position > end) throw errors.beyondEnd(name, end)
  return position
}
