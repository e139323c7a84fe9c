import { setTimeout } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CancelledNotificationSchema, isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { Agent, type Response as Answer, fetch } from 'undici'
import type { Header } from '../../config/types.js'
import { timeout } from '../../lib/timeout.js'
import { LIMITS } from '../../limits.js'
import {
  type AddressRule,
  guardedLookup,
  isRefusedAddress,
  type Resolve,
  refuseAddressIn
} from '../../net/guardedAddress.js'
import { guardStream } from '../responseGuard.js'
import { Refusal, SessionGone } from './failure.js'

export interface MessageFetchOptions {
  /** Sent with every request. */
  readonly headers: readonly Header[]
  readonly resolve: Resolve
  /** Of a whole body, or of one event where it is an event stream, which may live for days. */
  readonly response_bytes: number
  /** The longest that a request other than a GET, which may be a stream of days, stays open. */
  readonly exchange_ms: number
  readonly getEvery_ms: number
  /** Told of a request whose answer broke off half-way: no transport tells the one who waits for it. */
  readonly onBroken: (id: RequestId, error: Error) => void
}

// The protocol says 404 where a session is not known; servers built from the examples of the SDK say 400.
const SESSION_GONE = [400, 404]
const REDIRECTS = [301, 302, 303, 307, 308]

/** Loopback and private networks are open to tool servers: that is where they usually are. */
const rule: AddressRule = {
  isRefused: isRefusedAddress,
  refused: (host) => new Refusal(`The tool server's host ${host} is at an address that the hub does not connect to.`),
  unknown: (host) => new Refusal(`The host name ${host} has no address.`)
}

/**
 * The `fetch` of one connection to a tool server. It connects to checked addresses only, follows no redirect (which would carry
 * the credentials in the headers elsewhere), and bounds what it reads. It knows which JSON-RPC message each request carries, so
 * that a message that is cancelled lets go of its request at once, and one whose answer breaks off fails at once.
 */
export function createMessageFetch(options: MessageFetchOptions): FetchLike {
  const { response_bytes: event_bytes } = options
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup(options.resolve, rule), timeout: 0 },
    headersTimeout: 0,
    bodyTimeout: 0,
    // A connection each: on a kept one, nobody can tell a call that was never read from one that was carried out.
    pipelining: 0
  })
  const tooLarge = () =>
    new Refusal(`The tool server's answer is larger than ${event_bytes} bytes, or has too many values in it.`)
  const running = new Map<RequestId, AbortController>()
  const pace = paced(options.getEvery_ms)
  let open = 0
  return async (target, init = {}) => {
    const url = new URL(target)
    // Of no use here, and refused by `fetch`.
    url.username = ''
    url.password = ''
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? init.body : null
    if (method === 'GET') await pace(init.signal ?? undefined)
    refuseAddressIn(url, rule)
    // A server may ask as well, and would otherwise be answered as fast as it asks.
    if (open >= LIMITS.serverRequests.max) throw new Refusal('There are too many requests to the tool server at once.')
    const message: unknown = body === null ? null : JSON.parse(body)
    const id = isJSONRPCRequest(message) ? message.id : undefined
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId
    if (cancelled !== undefined) running.get(cancelled)?.abort()
    const controller = new AbortController()
    const signals = [controller.signal, ...(init.signal ? [init.signal] : [])]
    if (method !== 'GET') signals.push(timeout(options.exchange_ms))
    open += 1
    if (id !== undefined) running.set(id, controller)
    const end = () => {
      open -= 1
      if (id !== undefined) running.delete(id)
    }
    try {
      const headers = headersOf(options.headers, init.headers)
      const asked = { method, headers, body, signal: AbortSignal.any(signals), dispatcher, redirect: 'manual' } as const
      const answer = await fetch(url, asked).catch(unwrapped)
      const refusal = refusalOf(method, answer)
      if (refusal) await answer.body?.cancel()
      if (refusal) throw refusal
      const received = { status: answer.status, statusText: answer.statusText, headers: [...answer.headers] }
      if (!answer.body) {
        end()
        return new Response(null, received)
      }
      const limits = { body_bytes: event_bytes, event_bytes, tooLarge }
      const guard = guardStream(answer.headers.get('content-type'), limits)
      answer.body
        .pipeTo(guard.writable)
        .catch((error) => id !== undefined && error instanceof Error && options.onBroken(id, error))
        .finally(end)
      return new Response(guard.readable, received)
    } catch (error) {
      end()
      throw error
    }
  }
}

/** Rejects with what has kept `fetch` from an answer, which it tells as a cause. */
function unwrapped(error: unknown): never {
  throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
}

function refusalOf(method: string, { status, headers }: Answer): Error | null {
  if (REDIRECTS.includes(status)) return new Refusal('The tool server redirects, which the hub does not follow.')
  // What arrives compressed could not be measured before it is unpacked.
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity')
    return new Refusal('The tool server compresses its answers without being asked to.')
  if (method !== 'POST' || !SESSION_GONE.includes(status)) return null
  return new SessionGone(`The request was refused with status ${status}`)
}

/** Lets nobody pass sooner than so long after whoever passed before. */
function paced(every_ms: number): (signal: AbortSignal | undefined) => Promise<void> {
  let next_ms = Number.NEGATIVE_INFINITY
  return async (signal) => {
    const now = performance.now()
    const wait_ms = next_ms - now
    next_ms = Math.max(now, next_ms) + every_ms
    if (wait_ms > 0) await setTimeout(wait_ms, undefined, { signal })
  }
}

/** The configured headers, under those that the protocol needs. */
function headersOf(configured: readonly Header[], needed: RequestInit['headers']): Record<string, string> {
  const all = [...configured, ...new Headers(needed), ['accept-encoding', 'identity']] as const
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value]))
}
