import { LIMITS } from '../limits.js'
import { type AnswerGuard, bodyGuard, EventGuard, guarded } from './answerGuard.js'

/** One attempt to call a provider took longer than it may. The SDKs recognise the text and try again. */
export class AttemptTimedOut extends Error {
  constructor() {
    super('The attempt timed out.')
  }
}

/** No connection came about in time. In other words than the SDKs look for, since nobody got the request, let alone was slow. */
export class Unreachable extends Error {
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
 * size of an answer and of each event in it, and how long they wait before they try again. It follows no redirect, since the key would go along.
 */
export function boundedFetch({ timeout_ms, maxAnswerBytes = LIMITS.answerBody.max }: TransportLimits): typeof fetch {
  return async (input, init = {}) => {
    const attempt = new AbortController()
    const abort = () => attempt.abort(init.signal?.reason)
    const timer = setTimeout(() => attempt.abort(new AttemptTimedOut()), timeout_ms)
    const over = () => {
      clearTimeout(timer)
      init.signal?.removeEventListener('abort', abort)
    }
    if (init.signal?.aborted) abort()
    init.signal?.addEventListener('abort', abort, { once: true })
    try {
      const response = await fetch(input, { ...init, redirect: 'manual', signal: attempt.signal })
      const { status, statusText, headers } = response
      if (!response.body) {
        over()
        // An answer without a body is as good as an empty one, which the SDKs can read.
        return new Response(response.ok ? '' : null, { status: response.ok ? 200 : status, statusText, headers })
      }
      if (!response.ok) return await refusal(response).finally(over)
      const body = bounded(response.body, guardOf(headers, maxAnswerBytes), over, () => attempt.abort())
      return new Response(body, { status, statusText, headers })
    } catch (error) {
      over()
      throw neverConnected(error) ? new Unreachable() : error
    }
  }
}

function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT'
}

function guardOf(headers: Headers, maxAnswerBytes: number): AnswerGuard {
  const tooLarge = () => new AnswerTooLarge()
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!isStream) return bodyGuard({ body_bytes: maxAnswerBytes, tooLarge })
  return new EventGuard({ body_bytes: LIMITS.answerStream.max, event_bytes: LIMITS.answerEvent.max, tooLarge })
}

/** `over` is called when the body has ended in any way, `stop` ends it. */
function bounded(
  body: ReadableStream<Uint8Array>,
  guard: AnswerGuard,
  over: () => void,
  stop: () => void
): ReadableStream<Uint8Array> {
  const pieces = guarded(body, guard)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          controller.error(error)
        }
      },
      cancel() {
        over()
        stop()
      }
    },
    { highWaterMark: 0 }
  )
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
