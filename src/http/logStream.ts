import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../commands/context.js'
import { hasExpired, tokensTable } from '../../commands/people/token/table.js'
import { asEditor } from '../../commands/people/user/system.js'
import { callerOf, type TokenRow } from '../../queries/callers.js'
import type { Hub } from '../app/hub.js'
import type { HubProvider } from '../app/live.js'
import { errors } from '../errors.js'
import { POSITION_OR_CURSOR, positionIn } from '../followers/feed/cursor.js'
import { type Followed, follow } from '../followers/feed/follow.js'
import type { SubscriptionsByTenant } from '../followers/feed/subscriptions.js'
import { timeText } from '../lib/clock.js'
import { openEventStream } from '../net/sse.js'
import { mayEdit } from './auth.js'
import { rateLimitHeaders } from './rateLimit.js'
import type { RouteCall } from './route.js'
import { wasTakenAway } from './tenant.js'

type StreamCall = Pick<RouteCall<unknown, unknown>, 'hub' | 'token' | 'request' | 'reply'>

/** How a server opens streams along the log. */
export interface LogStreams {
  readonly app: FastifyInstance
  readonly live: HubProvider
  readonly subscriptions: SubscriptionsByTenant
}

/**
 * Takes the reply over and sends what `next` says, from the last event that the client has, else behind `after`, else from the end
 * of the log on: as `follow` does. 429 where the token has too many streams. HEAD gets the head of it alone: it would never see
 * the end.
 */
export async function openLogStream(
  { app, live, subscriptions }: LogStreams,
  { hub, token, request, reply }: StreamCall,
  next: Followed['next'],
  after?: string
): Promise<null> {
  const { tail, readModel, now } = hub.ledger
  const start = await startOf(hub, request.headers['last-event-id'], after)
  const own = subscriptions.of(hub.tenant)
  const { left, max } = own.left(token)
  const quota = { name: 'streams', quota: max, left: left - 1, unit: 'concurrent-requests' } as const
  reply.raw.setHeaders(new Map(Object.entries(rateLimitHeaders([quota]))))
  if (request.method === 'HEAD') {
    reply.hijack()
    await openEventStream(reply.raw).end([])
    return null
  }
  const { ended: over, leave } = own.enter(token, now())
  const retired = request.namedTenant?.retired
  const { signal: ended, release } = untilEnd(token, now(), over, ...(retired ? [retired] : []))
  reply.hijack()
  try {
    const isLive = () => !readModel.wentBack && (retired !== undefined || live.hub.ledger === hub.ledger)
    await follow(reply.raw, start, { tail, head: () => readModel.head, isLive, next }, ended)
  } catch (err) {
    if (!app.outages.takes(err) && !(await wasTakenAway(request)))
      request.log.error({ err }, 'a stream of events failed')
    reply.raw.destroy()
  } finally {
    release()
    leave()
  }
  return null
}

/** How long a timer can wait. A stream that would last longer is opened anew by its client. */
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * A signal that is aborted when something is over, or the token ends before; to be released. By hand: Node 20 collects a time-out that
 * nobody but `AbortSignal.any` refers to, and it never ends; and a signal that lasts keeps something of each that was made of it so.
 */
function untilEnd({ expiresAt }: TokenRow, now: number, ...overs: readonly AbortSignal[]) {
  const end = new AbortController()
  const abort = () => end.abort()
  if (overs.some(({ aborted }) => aborted)) abort()
  for (const over of overs) over.addEventListener('abort', abort, { once: true })
  const left_ms = expiresAt === null ? null : Math.min(Math.max(0, Date.parse(expiresAt) - now), TIMER_MAX_MS)
  const timer = left_ms === null ? undefined : setTimeout(abort, left_ms).unref()
  const release = () => {
    clearTimeout(timer)
    for (const over of overs) over.removeEventListener('abort', abort)
  }
  return { signal: end.signal, release }
}

/** The account behind the call with the access that it has now; null where it has none any more. */
export async function callerNow({ hub, token }: Pick<StreamCall, 'hub' | 'token'>): Promise<Caller | null> {
  const { readModel, now } = hub.ledger
  await readModel.current()
  return callerOf(readModel, await readModel.get(tokensTable, token.id), () => timeText(now()))
}

/** The same, where administrators may work on records as users now. A tenant that is configured anew ends its streams. */
export async function editorNow(
  call: Pick<StreamCall, 'hub' | 'token' | 'request'>,
  live: HubProvider
): Promise<Caller | null> {
  const caller = await callerNow(call)
  const { config } = call.request.namedTenant ? call.hub : live.hub
  return caller && mayEdit(caller, config) ? asEditor(caller) : caller
}

/**
 * A signal that is aborted when the caller has lost what the work needs, wherever that was taken away. It watches the log until
 * `over`. While the database does not answer nothing is taken away but what ends by itself.
 */
export function accessEnd(
  call: Pick<StreamCall, 'hub' | 'token'>,
  suffices: (caller: Caller) => boolean,
  over: AbortSignal
): AbortSignal {
  const end = new AbortController()
  void watch(call, suffices, over).then((isLost) => isLost && end.abort())
  return end.signal
}

async function watch(
  call: Pick<StreamCall, 'hub' | 'token'>,
  suffices: (caller: Caller) => boolean,
  over: AbortSignal
): Promise<boolean> {
  const { tail, readModel, now } = call.hub.ledger
  while (!over.aborted) {
    const { position } = readModel.head
    const isAllowed = await callerNow(call).then(
      (caller) => caller !== null && suffices(caller),
      () => !hasExpired(call.token, timeText(now()))
    )
    if (!isAllowed) return !over.aborted
    const { signal, release } = untilEnd(call.token, now(), over)
    await tail.waitForEvents(position, signal)
    release()
  }
  return false
}

async function startOf(
  hub: Hub,
  lastEventId: string | string[] | undefined,
  after: string | undefined
): Promise<number> {
  if (lastEventId === undefined) return positionAfter(hub, after)
  if (typeof lastEventId !== 'string' || !POSITION_OR_CURSOR.test(lastEventId)) throw errors.lastEventMalformed()
  return placeIn(hub, lastEventId, 'Last-Event-ID')
}

/** The position that somebody names; the end of the log where nobody does. */
export async function positionAfter(hub: Hub, after: string | undefined): Promise<number> {
  return after === undefined ? hub.ledger.readModel.head.position : placeIn(hub, after, 'after')
}

function placeIn({ ledger: { storage, readModel } }: Hub, text: string, what: string): Promise<number> {
  return positionIn(text, what, readModel.head, storage)
}
