import { LIMITS } from '../../limits.js'
import type { CallOutcome } from '../callCounts.js'
import { EventSplitter } from '../eventSplitter.js'
import { failureOfFetch } from '../failure.js'
import { isTimeoutError } from '../signals.js'
import { AnswerTooLarge } from '../transport.js'
import type { UsageReport } from '../usage.js'
import { type Begun, givenUp } from './ask.js'
import type { ModelCall } from './call.js'
import type { Counting } from './counting.js'
import { dataIn, jsonIn, type RawEvent } from './events.js'
import { PlainAnswer } from './plainAnswer.js'
import { checkedBody, requireNoKey, wholeBody } from './received.js'
import type { Settle } from './settling.js'
import type { Translation } from './translate/translation.js'

/** What an answer is read with. */
export interface Way {
  readonly call: ModelCall
  readonly signal: AbortSignal
  readonly settle: Settle
  readonly counting: Counting
}

/** An answer that comes as a whole, told in the other interface, in bytes as they are sent; 502 where it is none. */
export async function whole(begun: Begun, way: Way, translation: Translation): Promise<Buffer> {
  const { counting, settle } = way
  const read = async () => {
    const body = await wholeBody(begun.body)
    counting.receive(body.length)
    const { said } = checkedBody(body, begun.upstream)
    counting.take(said)
    return Buffer.from(JSON.stringify(translation.whole(said)))
  }
  const bytes = await read().catch(async (error: unknown) => {
    throw await brokenOff(error, begun, way)
  })
  await settle('completed', counting.whole(), begun)
  return bytes
}

/** What a provider streams, event by event, byte by byte as it is; but for what only the hub has asked for. */
export function passed(begun: Begun, way: Way): AsyncGenerator<Buffer> {
  const { endpoint, body } = way.call
  const keep = ({ bytes }: RawEvent, said: unknown) => (said !== null && endpoint.isUnasked(body, said) ? [] : [bytes])
  return streamed(begun, way, eventsOf(begun, way, keep))
}

/** The same, told in the other interface. */
export function translated(begun: Begun, way: Way, translation: Translation): AsyncGenerator<Buffer> {
  const translator = translation.stream()
  const keep = ({ data }: RawEvent, said: unknown) =>
    data === null || data === DONE ? [] : translator.take(said).map((one) => Buffer.from(one))
  const { take, end } = eventsOf(begun, way, keep)
  const told = () => translator.end().map((one) => Buffer.from(one))
  return streamed(begun, way, { take, end: () => [...end(), ...told()] })
}

/** What a provider answers that was not asked to stream, piece by piece as it comes. */
export function plain(begun: Begun, way: Way): AsyncGenerator<Buffer> {
  const answer = new PlainAnswer(begun.upstream)
  const end = () => {
    const { said, rest } = answer.end()
    way.counting.take(said)
    if (answer.unread_bytes !== null) way.counting.receive(answer.unread_bytes)
    return [rest]
  }
  return streamed(begun, way, { take: (chunk) => answer.take(chunk), end })
}

/** With these words OpenAI ends a stream. */
const DONE = '[DONE]'

/** What is sent of an answer: of what has come, and at its end, where what was used is counted. */
interface Reader {
  take(chunk: Uint8Array): readonly Buffer[]
  end(): readonly Buffer[]
}

/** Of a stream one event is held at a time. */
const STREAM_LIMITS = {
  stream_bytes: LIMITS.answerPassed.max,
  event_bytes: LIMITS.answerBody.max,
  tooLarge: () => new AnswerTooLarge()
}

/** Takes events, and counts what they use; `keep` says what is sent for one. */
function eventsOf(
  { upstream }: Begun,
  { counting }: Way,
  keep: (event: RawEvent, said: unknown) => readonly Buffer[]
): Reader {
  const splitter = new EventSplitter(STREAM_LIMITS)
  const kept = (events: readonly Buffer[]) =>
    events.flatMap((bytes) => {
      requireNoKey(bytes, upstream)
      const data = dataIn(bytes)
      if (data === DONE) counting.end()
      const said = data !== null && data !== DONE ? jsonIn(data) : null
      counting.take(said)
      return keep({ bytes, data }, said)
    })
  return { take: (chunk) => kept(splitter.take(chunk)), end: () => kept(splitter.rest()) }
}

/** Reads a stream to its end and settles it; what is sent last is sent when what was used is recorded. */
async function* streamed(begun: Begun, way: Way, reader: Reader): AsyncGenerator<Buffer> {
  const { counting, settle } = way
  let last: readonly Buffer[] = []
  let isOver = false
  try {
    for await (const chunk of begun.body) yield* reader.take(chunk)
    last = reader.end()
    isOver = true
  } catch (error) {
    isOver = true
    throw await brokenOff(error, begun, way)
  } finally {
    // Who does not take it to its end has left.
    if (!isOver) await settle(...endOf('cancelled', way), begun)
  }
  await settle('completed', counting.whole(), begun)
  yield* last
}

/** Settles an answer that did not come to its end; returns what is told of it. */
async function brokenOff(error: unknown, begun: Begun, way: Way): Promise<Error> {
  const { aborted, reason } = way.signal
  // Who has left is no failure of the provider; that time was over is.
  const hasLeft = aborted && !isTimeoutError(reason)
  const [outcome, usage] = endOf(hasLeft ? 'cancelled' : 'failed', way)
  await way.settle(outcome, usage, begun)
  return aborted ? givenUp(way.signal, begun.upstream, usage) : failureOfFetch(error, begun.upstream, usage)
}

/** How an answer ended that was not taken to the end of its connection: all of it may have come before. */
function endOf(brokenOff: CallOutcome, { counting }: Way): [outcome: CallOutcome, usage: UsageReport] {
  return counting.hasEnded ? ['completed', counting.whole()] : [brokenOff, counting.partial()]
}
