import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { tokensTable } from '../../../projections/tokens.js'
import { callerOf } from '../../../queries/callers.js'
import { errors } from '../../errors.js'
import { type Change, type Noted, seenBy } from '../../feed/change.js'
import { Subscriptions } from '../../feed/subscriptions.js'
import type { Hub } from '../../hub.js'
import type { Entrance } from '../../live.js'
import { openEventStream } from '../../sse.js'
import { json } from '../reply.js'
import { type Call, routes } from '../route.js'

const LIMIT_MAX = 1000
const PAGES_MAX = 10
const HEARTBEAT_MS = 15_000
const POSITION = /^\d{1,15}$/

const query = z.object({
  after: z.string().regex(POSITION, 'after: A position of the log is expected.').optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(100)
})

type FeedCall = Pick<Call<unknown, unknown>, 'hub' | 'token' | 'request' | 'reply'>

/** What happens, as it happens or page by page: metadata of changes, of what the caller may see when they are sent. */
export function changeRoutes(app: FastifyInstance, live: Entrance): void {
  const subscriptions = new Subscriptions()
  // Open streams would hold up the end of the process.
  app.addHook('preClose', async () => subscriptions.end())

  routes(app)('GET', '/changes', { query, access: 'any' }, async (call) => {
    const { hub, query, request, reply, token } = call
    const wantsStream = request.headers.accept?.includes('text/event-stream') ?? false
    if (query.after !== undefined && !wantsStream) return json(await page(call, Number(query.after), query.limit))
    const start = startOf(hub, request.headers['last-event-id'] ?? query.after)
    const { ended, leave } = subscriptions.enter(token.id)
    reply.hijack()
    try {
      await follow(call, start, ended, () => live.hub.ledger === hub.ledger)
    } catch (err) {
      request.log.error({ err }, 'a stream of changes failed')
      reply.raw.destroy()
    } finally {
      leave()
    }
    return null
  })
}

/** One page for pollers. `position` is where the next begins; a page may be empty and `more` true. */
async function page(call: FeedCall, after: number, limit: number) {
  const { tail, view } = call.hub.ledger
  let position = Math.min(after, view.head.position)
  const changes: Change[] = []
  for (let pages = 0; pages < PAGES_MAX && changes.length < limit; pages++) {
    const entries = await tail.after(position)
    if (entries.length === 0) return { changes, position, more: false }
    const caller = await callerNow(call)
    for (const entry of entries) {
      if (changes.length === limit) break
      position = entry.change.position
      const change = caller && seenBy(entry, caller)
      if (change) changes.push(change)
    }
  }
  return { changes, position, more: position < view.head.position }
}

/** Sends what happens from a position on, until the client leaves, its access ends or the hub is another. */
async function follow(call: FeedCall, start: number, ended: AbortSignal, isLive: () => boolean): Promise<void> {
  const { tail, view } = call.hub.ledger
  let position = start
  const stream = openEventStream(call.reply.raw, {
    heartbeat_ms: HEARTBEAT_MS,
    // With the position, and no data: a client that comes back is not shown again what it was not to see.
    heartbeat: () => `: heartbeat\nid: ${position}\n\n`
  })
  const over = AbortSignal.any([ended, stream.left])
  await stream.write(`id: ${position}\n\n`)
  while (!over.aborted && isLive()) {
    await tail.moved(position, over)
    if (over.aborted || view.head.position <= position) continue
    const entries = await tail.after(position)
    // Behind the reading, so that what took access away before an entry counts for it.
    const caller = await callerNow(call)
    if (!caller) break
    const last = entries.at(-1)
    if (!last) continue
    const frames = framesOf(entries, caller)
    position = last.change.position
    if (frames !== '') await stream.write(frames)
  }
  await stream.end([])
}

function framesOf(entries: readonly Noted[], caller: Caller): string {
  let frames = ''
  for (const entry of entries) {
    const change = seenBy(entry, caller)
    if (change) frames += `id: ${change.position}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`
  }
  return frames
}

/** The account behind the call with the access that it has now; null where it has none any more. */
async function callerNow({ hub, token }: FeedCall): Promise<Caller | null> {
  const { view } = hub.ledger
  await view.current()
  return callerOf(view, await view.get(tokensTable, token.id))
}

function startOf({ ledger }: Hub, given: string | string[] | undefined): number {
  const { position } = ledger.view.head
  if (given === undefined) return position
  if (typeof given !== 'string' || !POSITION.test(given))
    throw errors.invalid('Last-Event-ID must be a position of the log.')
  if (Number(given) > position)
    throw errors.invalid(`Last-Event-ID is beyond the end of the log, which is at position ${position}.`)
  return Number(given)
}
