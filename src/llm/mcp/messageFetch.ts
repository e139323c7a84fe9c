import { setTimeout } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Header } from '../../config/types.js'
import type { Resolve } from '../../guardedAddress.js'
import { LIMITS } from '../../limits.js'
import { timeout } from '../signals.js'
import { Refusal, SessionGone } from './failure.js'
import { guardedFetch } from './guardedFetch.js'

export interface MessageFetchOptions {
  /** Sent with every request. */
  readonly headers: readonly Header[]
  readonly resolve: Resolve
  readonly response_bytes: number
  /** The longest that a request other than a GET, which may be a stream of days, stays open. */
  readonly exchange_ms: number
  readonly getEvery_ms: number
  /** Told of a request whose answer broke off half-way: no transport tells the one who waits for it. */
  readonly onBroken: (id: RequestId, error: Error) => void
}

// The protocol says 404 where a session is not known; servers built from the examples of the SDK say 400.
const SESSION_GONE = [400, 404]

const id = z.union([z.string(), z.number()])
const message = z.object({
  id: id.optional(),
  method: z.string().optional(),
  params: z.object({ requestId: id.optional() }).optional()
})

/**
 * The `fetch` of one connection to a tool server. It knows which JSON-RPC message each request carries, so that a
 * message that is cancelled lets go of its request at once, and one whose answer breaks off fails at once.
 */
export function createMessageFetch(options: MessageFetchOptions): FetchLike {
  const fetch = guardedFetch(options.resolve, options.response_bytes)
  const running = new Map<RequestId, AbortController>()
  const pace = paced(options.getEvery_ms)
  let open = 0
  return async (url, init = {}) => {
    const method = init.method ?? 'GET'
    if (method === 'GET') await pace(init.signal ?? undefined)
    // A server may ask as well, and would otherwise be answered as fast as it asks.
    if (open >= LIMITS.serverRequests.max) throw new Refusal('There are too many requests to the tool server at once.')
    open += 1
    const body = typeof init.body === 'string' ? init.body : undefined
    const { id, method: kind, params } = messageIn(body)
    if (kind === 'notifications/cancelled' && params?.requestId !== undefined) running.get(params.requestId)?.abort()
    const controller = new AbortController()
    const signals = [controller.signal, ...(init.signal ? [init.signal] : [])]
    if (method !== 'GET') signals.push(timeout(options.exchange_ms))
    if (id !== undefined) running.set(id, controller)
    const end = () => {
      open -= 1
      if (id !== undefined) running.delete(id)
    }
    const request = {
      method,
      headers: headersOf(options.headers, init.headers),
      body: body ?? null,
      signal: AbortSignal.any(signals)
    }
    const response = await fetch(new URL(url), request, (error) => {
      end()
      if (error !== null && id !== undefined) options.onBroken(id, error)
    }).catch((error: unknown) => {
      end()
      throw error
    })
    if (method !== 'POST' || !SESSION_GONE.includes(response.status)) return response
    await response.body?.cancel()
    throw new SessionGone(`The request was refused with status ${response.status}`)
  }
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

function messageIn(body: string | undefined): z.infer<typeof message> {
  if (body === undefined) return {}
  return message.safeParse(JSON.parse(body)).data ?? {}
}

/** The configured headers, under those that the protocol needs. */
function headersOf(configured: readonly Header[], needed: RequestInit['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of configured) headers.set(name, value)
  for (const [name, value] of new Headers(needed)) headers.set(name, value)
  return headers
}
