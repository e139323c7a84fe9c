import { setTimeout as sleep } from 'node:timers/promises'
import { HubError } from '../../errors.js'
import { giveWay } from '../../lib/turns.js'
import { failureOfFetch, failureOfReply, maySee, type Upstream } from '../failure.js'
import { CallAborted, type ProviderFailure } from '../provider.js'
import { EVENT_STREAM } from '../responseGuard.js'
import { isTimeoutError } from '../signals.js'
import { MOST_ASKED, othersMayAnswer } from '../standIns.js'
import { accountOf, type Target } from '../targets.js'
import { begunBody, mayHaveCome, secondsUntil } from '../transport.js'
import { NO_USAGE, type UsageReport } from '../usage.js'
import { Attempts } from './attempts.js'
import type { Body } from './bound.js'
import { jsonIn } from './events.js'
import type { KeyRing } from './keyRing.js'
import { checkedBody, wholeBody } from './received.js'
import type { AnsweredBy } from './settling.js'

/** A call as it is sent. */
export interface Sent {
  readonly path: string
  readonly body: Body
  /** What of the client's headers goes along, such as `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>
}

/** Who has answered in the end, with which key, and how often somebody was asked until then. */
interface Answering extends AnsweredBy {
  readonly upstream: Upstream
}

/** A provider has begun to answer. */
export interface Begun extends Answering {
  readonly body: AsyncIterable<Uint8Array>
}

/** A call that a provider has refused for what it asks, in the provider's own words. */
export interface Refused extends Answering {
  readonly status: number
  readonly text: string
}

const FIRST_PAUSE_MS = 250
/** Whoever is told to wait longer is told so. */
const LONGEST_WAIT_SECONDS = 5
const REFUSAL_BYTES = 64 * 1024
/** What is wrong with a call itself: its sender has to read why. */
const OF_THE_CALL: readonly number[] = [400, 404, 413, 422]

/**
 * Asks a provider; where it does not begin to answer, has too much to do or fails before that, again with another of its keys, or else
 * the next of those that stand in for it, or else it again after a while: three times in all. No redirect is followed: the key would go
 * along. Throws `ProviderFailure`, or `CallAborted` where nobody waits any more; what was used then is for `asked` to say, which is told
 * of each that is asked.
 */
export async function ask(
  sentTo: (target: Target) => Promise<Sent>,
  targets: readonly Target[],
  keys: KeyRing,
  signal: AbortSignal,
  asked: Attempts
): Promise<Begun | Refused> {
  let left = targets
  let [again, keysTried] = [0, 0]
  for (;;) {
    const [target] = left
    if (!target) throw new Error('Nobody is there to be asked.')
    const { provider, label, model } = target
    const sent = await sentTo(target)
    await giveWay()
    const upstream = { provider, label, model, apiKey: keys.next(target.keys) }
    if (signal.aborted) throw givenUp(signal, upstream, NO_USAGE)
    const text = JSON.stringify(sent.body)
    const by = asked.begin(target, text.length)
    const answer = await once(sent, text, target, upstream, signal)
    if (!('failure' in answer ? answer.mayBill : 'body' in answer)) asked.wasFree()
    if (!('failure' in answer)) return { ...answer, ...by, upstream }
    const { attempts } = by
    const { failure, status, wait_ms } = answer
    const isOfKey = keys.failed(upstream.apiKey, status, wait_ms)
    const hasFurtherKey = isOfKey && ++keysTried < target.keys.length
    if (attempts === MOST_ASKED || !(hasFurtherKey || othersMayAnswer(status))) throw failure
    if (hasFurtherKey) continue
    keysTried = 0
    const others = left.slice(1)
    while (others[0] && !(await canBeAsked(sentTo, others[0]))) others.shift()
    if (others.length > 0) left = others
    else if (again++ >= target.maxRetries || wait_ms === null || wait_ms > LONGEST_WAIT_SECONDS * 1000) throw failure
    else await pause(Math.max(wait_ms, FIRST_PAUSE_MS * 2 ** (attempts - 1)), signal, upstream)
  }
}

/** False for one that stands in, and whose interface has no word for what is asked. */
async function canBeAsked(sentTo: (target: Target) => Promise<Sent>, target: Target): Promise<boolean> {
  try {
    await sentTo(target)
    return true
  } catch (error) {
    if (error instanceof HubError) return false
    throw error
  }
}

async function pause(wait_ms: number, signal: AbortSignal, upstream: Upstream): Promise<void> {
  await sleep(wait_ms, undefined, { signal }).catch(() => {
    throw givenUp(signal, upstream, NO_USAGE)
  })
}

/** What is told of a call whose signal is aborted: that it took too long, or where nobody waits any more nothing (`CallAborted`). */
export function givenUp({ reason }: AbortSignal, upstream: Upstream, usage: UsageReport): Error {
  return isTimeoutError(reason) ? failureOfFetch(reason, upstream, usage) : new CallAborted(usage)
}

/** Asks for an answer that comes as a whole, costs nothing, and is JSON, which holds nothing of the key. */
export async function askWhole(sent: Sent, target: Target, keys: KeyRing, signal: AbortSignal) {
  const begun = await ask(async () => sent, [target], keys, signal, new Attempts())
  if (!('body' in begun)) return { status: begun.status, bytes: Buffer.from(begun.text) }
  try {
    return { status: 200, bytes: checkedBody(await wholeBody(begun.body), begun.upstream).bytes }
  } catch (error) {
    throw signal.aborted ? givenUp(signal, begun.upstream, NO_USAGE) : failureOfFetch(error, begun.upstream, NO_USAGE)
  }
}

/** Why there is no answer: by a status, null for none at all. `wait_ms` is how long the provider wants to be left alone. */
interface Failed {
  readonly failure: ProviderFailure
  /** True where it may be at work on the call all the same, and take something for that. */
  readonly mayBill: boolean
  readonly status: number | null
  readonly wait_ms: number | null
}

type Answered = Pick<Begun, 'body'> | Pick<Refused, 'status' | 'text'>

async function once(
  { path, body, headers }: Sent,
  text: string,
  { wire, baseUrl, timeoutSeconds }: Target,
  upstream: Upstream,
  signal: AbortSignal
): Promise<Answered | Failed> {
  // Until the first byte of the answer, and not of its headers; how long the whole may take, the signal says.
  const silent = new AbortController()
  const over = () => silent.abort(new DOMException('It did not begin.', 'TimeoutError'))
  const timer = setTimeout(over, timeoutSeconds * 1000)
  const accept = body.stream === true ? EVENT_STREAM : 'application/json'
  const sent = { ...accountOf(wire, upstream.apiKey), ...headers, 'content-type': 'application/json', accept }
  let isRefused = false
  try {
    const asking = AbortSignal.any([signal, silent.signal])
    const asked = { method: 'POST', redirect: 'manual', headers: sent, body: text } as const
    const response = await fetch(baseUrl + path, { ...asked, signal: asking })
    isRefused = !response.ok
    return response.ok ? { body: await begunBody(response) } : await refusal(response, upstream)
  } catch (error) {
    if (signal.aborted) throw givenUp(signal, upstream, NO_USAGE)
    const isSilent = silent.signal.aborted
    const failure = failureOfFetch(error, upstream, NO_USAGE)
    return { failure, mayBill: !isRefused && mayHaveCome(error), status: null, wait_ms: isSilent ? null : 0 }
  } finally {
    clearTimeout(timer)
  }
}

async function refusal(response: Response, upstream: Upstream): Promise<Answered | Failed> {
  const { status, headers } = response
  const text = (await wholeBody(await begunBody(response), REFUSAL_BYTES).catch(() => Buffer.from(''))).toString()
  const said = jsonIn(text)
  const failure = failureOfReply(status, Array.isArray(said) ? said[0] : said, headers, upstream)
  const isOfCall = OF_THE_CALL.includes(status) && !failure.message.includes('API key')
  if (isOfCall && typeof said === 'object' && said !== null && maySee(text, upstream)) return { status, text }
  const wait = secondsUntil(headers.get('retry-after'))
  return {
    failure,
    mayBill: false,
    status,
    wait_ms: wait === null ? (status === 429 || status >= 500 ? 0 : null) : wait * 1000
  }
}
