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
  readonly maxAnswerBytes?: number
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const MAX_ERROR_CHARS = 64 * 1024
const LONGEST_RETRY_WAIT_SECONDS = 10

/**
 * A `fetch` for the SDKs that bounds what they leave open: the time until the last byte (theirs ends with the headers), the
 * size of an answer, and how long they wait before they try again. It follows no redirect, since the key would go along.
 */
export function boundedFetch({ timeout_ms, maxAnswerBytes = MAX_ANSWER_BYTES }: TransportLimits): typeof fetch {
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
      const body = boundedBody(response.body, maxAnswerBytes, over)
      const bounded = new Response(body, { status, statusText, headers })
      return response.ok ? bounded : await refusal(bounded)
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

function boundedBody(body: ReadableStream<Uint8Array>, maxBytes: number, over: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = maxBytes
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            over()
            return controller.close()
          }
          left -= value.byteLength
          if (left < 0) {
            await reader.cancel()
            throw new AnswerTooLarge()
          }
          controller.enqueue(value)
        } catch (error) {
          over()
          controller.error(error)
        }
      },
      async cancel(reason) {
        over()
        await reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
}

/** An error reply, read to its end so that the SDKs find its message: some providers wrap it into a list of one. */
async function refusal(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const text = (await response.text()).slice(0, MAX_ERROR_CHARS)
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
