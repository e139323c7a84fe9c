import { setTimeout as sleep } from 'node:timers/promises'
import type { LlmProviderConfig } from '../../config/types.js'
import { LIMITS } from '../../limits.js'
import { failureOfFetch, failureOfReply, maySee, notA, type Upstream } from '../failure.js'
import { CallAborted, type ProviderFailure } from '../provider.js'
import { EVENT_STREAM } from '../responseGuard.js'
import { AnswerTooLarge, BASE_URLS, secondsUntil } from '../transport.js'
import { NO_USAGE } from '../usage.js'
import type { Body } from './bound.js'
import type { Wire } from './endpoint.js'
import { jsonIn } from './events.js'

/** A call as it is sent. */
export interface Sent {
  readonly wire: Wire
  readonly path: string
  readonly body: Body
  /** What of the client's headers goes along, such as `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>
}

/** A provider has begun to answer. */
export interface Begun {
  readonly response: Response
  /** How often it was asked until then. */
  readonly attempts: number
}

/** A call that a provider has refused for what it asks, in the provider's own words. */
export interface Refused {
  readonly status: number
  readonly text: string
  readonly attempts: number
}

const MOST_RETRIES = 2
const FIRST_PAUSE_MS = 250
/** Whoever is told to wait longer is told so. */
const LONGEST_WAIT_SECONDS = 5
const ANTHROPIC_VERSION = '2023-06-01'
const REFUSAL_BYTES = 64 * 1024
/** What is wrong with a call itself: its sender has to read why. */
const OF_THE_CALL: readonly number[] = [400, 404, 413, 422]

/**
 * Asks a provider, again up to twice where it does not answer, has too much to do or fails before its answer has begun. No redirect is
 * followed: the key would go along. Throws `ProviderFailure`, or `CallAborted` where the signal is.
 */
export async function ask(
  sent: Sent,
  config: LlmProviderConfig,
  upstream: Upstream,
  signal: AbortSignal
): Promise<Begun | Refused> {
  const retries = Math.min(config.maxRetries, MOST_RETRIES)
  for (let attempts = 1; ; attempts++) {
    const answer = await once(sent, config, upstream, signal)
    if ('response' in answer) return { ...answer, attempts }
    if ('text' in answer) return { ...answer, attempts }
    const { failure, wait_ms } = answer
    if (attempts > retries || wait_ms === null) throw failure
    await sleep(Math.max(wait_ms, FIRST_PAUSE_MS * 2 ** (attempts - 1)), undefined, { signal }).catch(() => {
      throw new CallAborted(NO_USAGE)
    })
  }
}

/** Asks for an answer that comes as a whole, and is JSON, which holds nothing of the key. */
export async function askWhole(sent: Sent, config: LlmProviderConfig, upstream: Upstream, signal: AbortSignal) {
  const begun = await ask(sent, config, upstream, signal)
  if (!('response' in begun)) return { status: begun.status, bytes: Buffer.from(begun.text) }
  try {
    return { status: 200, bytes: checkedBody(await wholeBody(begun.response), upstream).bytes }
  } catch (error) {
    throw failureOfFetch(error, upstream, NO_USAGE)
  }
}

/** An answer with what it says; throws `UnreadableAnswer` for what is no JSON object, or holds the hub's key. */
export function checkedBody(bytes: Buffer, { apiKey }: Upstream) {
  const said = jsonIn(bytes.toString())
  if (typeof said !== 'object' || said === null || bytes.includes(apiKey)) throw notA('JSON object')
  return { bytes, said }
}

/** Why there is no answer; `wait_ms` says when to ask again, null for not at all. */
interface Failed {
  readonly failure: ProviderFailure
  readonly wait_ms: number | null
}

async function once(
  { wire, path, body, headers }: Sent,
  { apiKey, baseUrl = BASE_URLS[wire === 'anthropic' ? 'claude' : 'openai'], timeoutSeconds }: LlmProviderConfig,
  upstream: Upstream,
  signal: AbortSignal
): Promise<{ readonly response: Response } | Omit<Refused, 'attempts'> | Failed> {
  const base = wire === 'anthropic' ? baseUrl.replace(/\/v1$/, '') : baseUrl
  // Until the first byte; how long the whole may take, the signal says.
  const silent = new AbortController()
  const timer = setTimeout(
    () => silent.abort(new DOMException('It did not begin.', 'TimeoutError')),
    timeoutSeconds * 1000
  )
  const sent = new Headers({ 'anthropic-version': ANTHROPIC_VERSION, ...headers, 'content-type': 'application/json' })
  sent.set('accept', body.stream === true ? EVENT_STREAM : 'application/json')
  if (wire === 'anthropic') sent.set('x-api-key', apiKey)
  else {
    sent.delete('anthropic-version')
    sent.set('authorization', `Bearer ${apiKey}`)
  }
  try {
    const asking = AbortSignal.any([signal, silent.signal])
    const asked = { method: 'POST', redirect: 'manual', headers: sent, body: JSON.stringify(body) } as const
    const response = await fetch(base + path, { ...asked, signal: asking })
    return response.ok ? { response } : await refusal(response, upstream)
  } catch (error) {
    if (signal.aborted) throw new CallAborted(NO_USAGE)
    return { failure: failureOfFetch(error, upstream, NO_USAGE), wait_ms: silent.signal.aborted ? null : 0 }
  } finally {
    clearTimeout(timer)
  }
}

async function refusal(response: Response, upstream: Upstream): Promise<Omit<Refused, 'attempts'> | Failed> {
  const { status, headers } = response
  const text = (await wholeBody(response, REFUSAL_BYTES).catch(() => Buffer.from(''))).toString()
  const said = jsonIn(text)
  const failure = failureOfReply(status, Array.isArray(said) ? said[0] : said, headers, upstream)
  const isOfCall = OF_THE_CALL.includes(status) && !failure.message.includes('API key')
  if (isOfCall && typeof said === 'object' && said !== null && maySee(text, upstream)) return { status, text }
  const wait = secondsUntil(headers.get('retry-after')) ?? 0
  const mayWork = (status === 429 || status >= 500) && wait <= LONGEST_WAIT_SECONDS
  return { failure, wait_ms: mayWork ? wait * 1000 : null }
}

/** The bytes of an answer; throws `AnswerTooLarge` for more than so many. */
export async function wholeBody({ body }: Response, most_bytes: number = LIMITS.answerBody.max): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  if (!body) return Buffer.alloc(0)
  for await (const part of body) {
    bytes += part.length
    if (bytes > most_bytes) throw new AnswerTooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
