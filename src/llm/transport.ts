import { LIMITS } from '../limits.js'
import { EVENT_STREAM, guardStream } from './responseGuard.js'
import { timeout } from './signals.js'

/** No connection came about in time. In other words than the SDKs look for, since nobody got the request, let alone was slow. */
class Unreachable extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('There is no connection.')
  }
}

/** A provider sent more than any answer needs. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('The answer is too large.')
  }
}

export interface TransportLimits {
  /** For a whole attempt, from the connection to the last byte of the answer. */
  readonly timeout_ms: number
  /** For an answer that comes as a whole, not as a stream of events. */
  readonly maxAnswerBytes?: number
}

const MAX_ERROR_BYTES = 64 * 1024
const LONGEST_RETRY_WAIT_SECONDS = 10

/**
 * A `fetch` for the SDKs that bounds what they leave open: the time until the last byte (theirs ends with the headers), the
 * size of an answer and of each event in it, and how long they wait before they try again. It follows no redirect, since
 * the key would go along. The SDKs know a time-out by its text, and try again.
 */
export function boundedFetch({ timeout_ms, maxAnswerBytes = LIMITS.answerBody.max }: TransportLimits): typeof fetch {
  const limits = {
    body_bytes: maxAnswerBytes,
    stream_bytes: LIMITS.answerStream.max,
    event_bytes: LIMITS.answerEvent.max,
    tooLarge: () => new AnswerTooLarge()
  }
  return async (input, init = {}) => {
    const signals = [timeout(timeout_ms), ...(init.signal ? [init.signal] : [])]
    const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) }).catch(
      (error: unknown) => {
        throw neverConnected(error) ? new Unreachable() : error
      }
    )
    const { ok, status, statusText, headers, body } = response
    // An answer without a body is as good as an empty one, which the SDKs can read.
    if (!body) return new Response(ok ? '' : null, { status: ok ? 200 : status, statusText, headers })
    if (!ok) return refusal(response)
    // The SDKs decode what they asked for as a stream, whatever the answer says it is.
    const asked = new Headers(init.headers).get('accept')
    const guard = guardStream(asked === EVENT_STREAM ? asked : headers.get('content-type'), limits)
    return new Response(body.pipeThrough(guard), { status, statusText, headers })
  }
}

function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT'
}

/** An error reply, read as far as it is of use so that the SDKs find its message: some providers wrap it into a list of one. */
async function refusal({ status, statusText, headers, body }: Response): Promise<Response> {
  const text = await beginningOf(body)
  const shortened = new Headers(headers)
  // An SDK waits as long as it is told to, even when nobody waits for it any more; whoever asked can try again later.
  const wait = secondsUntil(headers.get('retry-after'))
  if (wait !== null && wait > LONGEST_RETRY_WAIT_SECONDS) shortened.set('x-should-retry', 'false')
  shortened.delete('retry-after-ms')
  return new Response(text === '' ? null : unwrapped(text), { status, statusText, headers: shortened })
}

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size >= MAX_ERROR_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ERROR_BYTES)
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
