import { ReadableStream } from 'node:stream/web'
import { timeout } from '../lib/timeout.js'
import { LIMITS } from '../limits.js'
import { EVENT_STREAM, guardStream } from './responseGuard.js'
import { accountOf, type Place } from './targets.js'

/** A provider sent more than any answer needs. */
export class AnswerTooLarge extends Error {}

const LONGEST_RETRY_WAIT_SECONDS = 10
/** How much a provider may answer. */
export const ANSWER_LIMITS = {
  body_bytes: LIMITS.answerBody.max,
  stream_bytes: LIMITS.answerStream.max,
  event_bytes: LIMITS.answerEvent.max,
  tooLarge: () => new AnswerTooLarge()
}

/**
 * A `fetch` for the SDKs that bounds what they leave open: the time of a whole attempt until its last byte (theirs ends with the
 * headers), the size of an answer and of each event in it, and how long they wait before they try again. It follows no redirect,
 * since the key would go along. The SDKs know a time-out by its text, and try again. `unanswered` is told of each attempt that fails and
 * that the provider may bill all the same.
 */
export function boundedFetch(timeout_ms: number, unanswered: () => void = () => {}): typeof fetch {
  const failed = (error: unknown) => {
    if (mayHaveCome(error)) unanswered()
    throw neverConnected(error) ? unreachable() : error
  }
  return async (input, init = {}) => {
    const signal = AbortSignal.any([timeout(timeout_ms), ...(init.signal ? [init.signal] : [])])
    const response = await fetch(input, { ...init, redirect: 'manual', signal }).catch(failed)
    const { ok, status, statusText, headers } = response
    // An answer without a body is as good as an empty one, which the SDKs can read.
    if (!response.body) return new Response(ok ? '' : null, { status: ok ? 200 : status, statusText, headers })
    // The SDKs decode what they asked for as a stream, whatever the answer says it is.
    const asked = new Headers(init.headers).get('accept')
    const type = ok && asked === EVENT_STREAM ? asked : headers.get('content-type')
    // The SDKs take headers for an answer; who sends nothing behind them is none, and is asked again, or others are.
    const begun = await (ok ? begunBody(response).catch(failed) : begunBody(response))
    const body = ReadableStream.from(begun)
    const guarded = new Response(body.pipeThrough(guardStream(type, ANSWER_LIMITS)), { status, statusText, headers })
    return ok ? guarded : refusal(guarded)
  }
}

/**
 * What comes of an answer, once its first byte is there. Rejects as reading it does before; what breaks off behind that is for whoever
 * reads on.
 */
export async function begunBody({ body }: Response): Promise<AsyncIterable<Uint8Array>> {
  const parts = body?.values()
  const first = await parts?.next()
  return (async function* () {
    if (!parts || !first || first.done) return
    yield first.value
    yield* parts
  })()
}

/**
 * Asks a provider for the list of its models, which costs nothing, and returns the status of its answer. Rejects where there is no
 * answer in time.
 */
export async function statusOfModelsList({ wire, baseUrl, keys }: Place, limit_ms: number): Promise<number> {
  const url = `${baseUrl}${wire === 'anthropic' ? '/v1' : ''}/models`
  const headers = { accept: 'application/json', ...accountOf(wire, keys[0] ?? '') }
  const response = await boundedFetch(limit_ms)(url, { headers })
  await response.body?.cancel()
  return response.status
}

/** What happens before a request is on its way: its address is not known or not reached, or proves to be another's. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|.*CERT.*|ERR_(TLS|SSL)_.*)$/

/** True where a request has failed, or was given up, of which the provider may have got something. */
export function mayHaveCome(error: unknown): boolean {
  if (error instanceof DOMException) return true
  const cause = error instanceof Error ? error.cause : null
  // What goes wrong with a connection has a cause; all else is about the request, before there is one.
  if (typeof cause !== 'object' || cause === null) return false
  const isConnecting = 'syscall' in cause && (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo')
  return !isConnecting && !('code' in cause && BEFORE_SENDING.test(String(cause.code)))
}

/** No connection came about in time. In other words than the SDKs look for, since nobody got the request, let alone was slow. */
function unreachable(): Error {
  return Object.assign(new Error('There is no connection.'), { code: 'ETIMEDOUT' })
}

function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT'
}

/** An error reply, whose message the SDKs find: some providers wrap it into a list of one. */
async function refusal(reply: Response): Promise<Response> {
  const { status, statusText, headers } = reply
  // Its status says enough where it says too much.
  const text = await reply.text().catch((error: unknown) => {
    if (error instanceof AnswerTooLarge) return ''
    throw error
  })
  const shortened = new Headers(headers)
  // An SDK waits as long as it is told to, even when nobody waits for it any more; whoever asked can try again later.
  const wait = secondsUntil(headers.get('retry-after'))
  if (wait !== null && wait > LONGEST_RETRY_WAIT_SECONDS) shortened.set('x-should-retry', 'false')
  shortened.delete('retry-after-ms')
  return new Response(text === '' ? null : unwrapped(text), { status, statusText, headers: shortened })
}

/** Seconds from now that a `Retry-After` header names; null when it names none. */
export function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null
  const seconds = Number(retryAfter)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000)
}

function unwrapped(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.length > 0 ? JSON.stringify(parsed[0]) : text
  } catch {
    return text
  }
}
