import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { tokensTable } from '../../../projections/tokens.js'
import { callerOf } from '../../../queries/callers.js'
import { errors } from '../../errors.js'
import { type FeedChange, seenBy } from '../../feed/change.js'
import { follow } from '../../feed/follow.js'
import { Subscriptions } from '../../feed/subscriptions.js'
import type { Hub } from '../../hub.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { HubProvider } from '../../live.js'
import { change, changePage } from '../answers.js'
import { json } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

const LIMIT_MAX = 1000
const PAGES_MAX = 10
const POSITION = /^\d{1,15}$/

const query = z.object({
  after: boundedText(LIMITS.label).regex(POSITION, 'after: A position of the log is expected.').optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(100)
})

type FeedCall = Pick<RouteCall<unknown, unknown>, 'hub' | 'token' | 'request' | 'reply'>

/** What happens, as it happens or page by page: metadata of changes, of what the caller may see when they are sent. Returns how many follow. */
export function changeRoutes(app: FastifyInstance, live: HubProvider): Pick<Subscriptions, 'count'> {
  const subscriptions = new Subscriptions()
  // Open streams would hold up the end of the process.
  app.addHook('preClose', async () => subscriptions.end())

  const feed = {
    operation: 'listChanges',
    summary: 'Follow what happens as a stream of events, or read it page by page with `after`',
    answers: { 200: { 'application/json': changePage, 'text/event-stream': change } },
    resumes: true,
    query,
    access: 'any'
  } as const
  routes(app, 'changes')('GET', '/changes', feed, async (call) => {
    const { hub, query, request, reply, token } = call
    const wantsStream = query.after === undefined || (request.headers.accept?.includes('text/event-stream') ?? false)
    // Who asks for the head alone would never see the end of a stream.
    if (!wantsStream || request.method === 'HEAD') return json(await page(call, afterOf(hub, query.after), query.limit))
    const start = startOf(hub, request.headers['last-event-id'], query.after)
    const { ended, leave } = subscriptions.enter(token.id)
    reply.hijack()
    try {
      const { tail, view } = hub.ledger
      const followed = {
        tail,
        head: () => view.head.position,
        callerNow: () => callerNow(call),
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
  return subscriptions
}

/** One page for pollers. `position` is where the next begins; a page may be empty and `more` true. */
async function page(call: FeedCall, after: number, limit: number) {
  const { tail, view } = call.hub.ledger
  let position = after
  const changes: FeedChange[] = []
  for (let pages = 0; pages < PAGES_MAX && changes.length < limit; pages++) {
    const entries = await tail.after(position)
    if (entries.length === 0) return { changes, position, more: false }
    const caller = await callerNow(call)
    // The position of an empty page would say that there was nothing to see.
    if (!caller) throw errors.unauthorized()
    for (const entry of entries) {
      if (changes.length === limit) break
      position = entry.change.position
      const change = seenBy(entry, caller)
      if (change) changes.push(change)
    }
  }
  return { changes, position, more: position < view.head.position }
}

/** The account behind the call with the access that it has now; null where it has none any more. */
async function callerNow({ hub, token }: FeedCall): Promise<Caller | null> {
  const { view } = hub.ledger
  await view.current()
  return callerOf(view, await view.get(tokensTable, token.id))
}

/** Where a stream begins: behind the last event that the client has, else behind `after`, else at the end of the log. */
function startOf(hub: Hub, lastEventId: string | string[] | undefined, after: string | undefined): number {
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
