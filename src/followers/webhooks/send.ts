import { Agent, request } from 'undici'
import { VERSION } from '../../lib/version.js'
import { LIMITS } from '../../limits.js'
import { type AddressRule, guardedLookup, notPublic, type Resolve, refuseAddressIn } from '../../net/guardedAddress.js'

/** What came of one attempt to deliver. */
export interface Sent {
  readonly isDelivered: boolean
  /** Null where there was no answer. */
  readonly status: number | null
  /** Why it failed, in words that hold nothing of the URL; null for a delivery. */
  readonly error: string | null
  /** The beginning of the answer, as text without control characters. */
  readonly answer: string
  /** How long the receiver wants not to be asked again; null where it does not say. */
  readonly retryAfter_ms: number | null
  readonly duration_ms: number
}

export interface Outbound {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Ends the attempt from outside. */
  readonly signal: AbortSignal
}

export interface SenderOptions {
  readonly allowPrivateAddresses: readonly string[]
  readonly timeout_ms: number
  readonly resolve: Resolve
}

export type Send = (outbound: Outbound) => Promise<Sent>

class Refusal extends Error {}

/**
 * Sends to URLs that anybody may have named: it connects to public and allowed addresses only, whatever a name resolves to,
 * follows no redirect, and reads no more of an answer than is kept. Rejects only when the signal of the attempt is aborted.
 */
export function senderFor({ allowPrivateAddresses, timeout_ms, resolve }: SenderOptions): Send {
  const rule: AddressRule = {
    isRefused: notPublic(allowPrivateAddresses),
    refused: () => new Refusal('The host is at an address that the hub does not connect to.'),
    unknown: () => new Refusal('The host name has no address.')
  }
  const connect = { lookup: guardedLookup(resolve, rule), timeout: timeout_ms }
  return async ({ url, headers, body, signal }) => {
    const started = performance.now()
    // By hand: what `AbortSignal.any` makes of a signal that lives on stays with it.
    const attempt = new AbortController()
    const end = () => attempt.abort()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, timeout_ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    // One for each attempt: an agent that is kept remembers every host that was ever named.
    const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 0 })
    const took_ms = () => Math.round(performance.now() - started)
    try {
      const target = new URL(url)
      refuseAddressIn(target, rule)
      const sent = { 'content-type': 'application/json', 'user-agent': `collections-hub/${VERSION}`, ...headers }
      const answer = await request(target, { dispatcher, method: 'POST', headers: sent, body, signal: attempt.signal })
      const status = answer.statusCode
      const text = await beginningOf(answer.body)
      const isDelivered = status >= 200 && status < 300
      const retryAfter_ms = waitOf(answer.headers['retry-after'])
      return { isDelivered, status, error: failureOf(status), answer: text, retryAfter_ms, duration_ms: took_ms() }
    } catch (error) {
      signal.throwIfAborted()
      const why = isLate ? `There was no answer within ${timeout_ms / 1000} seconds.` : reasonOf(error)
      return {
        ...{ isDelivered: false, status: null, error: why, answer: '' },
        ...{ retryAfter_ms: null, duration_ms: took_ms() }
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      void dispatcher.destroy()
    }
  }
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? 'The receiver redirects, which the hub does not follow.'
    : `The receiver answered with status ${status}.`
}

/** What failed, as far as it names nothing: the hub's own refusal, or the system's code. */
function reasonOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof Refusal) return one.message
    if ('code' in one && /^[A-Z0-9_]{1,50}$/.test(String(one.code)))
      return `The receiver could not be reached (${one.code}).`
  }
  return 'The receiver could not be reached.'
}

/** The first bytes of an answer; the rest is not taken. An answer that breaks off counts as far as it came. */
async function beginningOf(
  body: AsyncIterable<Buffer> & { on(event: 'error', listen: () => void): { destroy(): void } }
) {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= LIMITS.webhookAnswer.max) break
    }
  } catch {
    // The status is what counts.
  } finally {
    body.on('error', () => undefined).destroy()
  }
  // What stands for bytes that are no text takes three times as many as they: all answers kept have to fit.
  const text = Buffer.concat(chunks).toString('utf8', 0, LIMITS.webhookAnswer.max)
  return text.replace(/[\p{Cc}\ufffd]+/gu, ' ').trim()
}

/** Milliseconds that a `Retry-After` header of seconds, or a date, names; null where it names none. */
function waitOf(header: string | string[] | undefined): number | null {
  const [value] = [header ?? []].flat()
  if (value === undefined || value.trim() === '') return null
  const seconds = Number(value)
  const wait_ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000
  return Number.isNaN(wait_ms) ? null : Math.max(0, wait_ms)
}
