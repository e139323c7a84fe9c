import { failureOfFetch } from '../failure.js'
import { type Begun, checkedBody, requireNoKey, wholeBody } from './ask.js'
import type { ModelCall } from './call.js'
import { Counting } from './counting.js'
import { EventSplitter, jsonIn, type RawEvent } from './events.js'
import type { Settle } from './settling.js'
import type { Translation } from './translate/translation.js'

/** What an answer is read with. */
export interface Way {
  readonly call: ModelCall
  /** How it is told in the interface that was asked; null where it is in that already. */
  readonly translation: Translation | null
  readonly signal: AbortSignal
  readonly settle: Settle
  readonly sent_chars: number
}

/** An answer that comes as a whole, in bytes as they are sent; 502 where it is none. */
export async function whole(begun: Begun, way: Way): Promise<Buffer> {
  const { translation, sent_chars, settle } = way
  const counting = new Counting()
  const read = async () => {
    const body = await wholeBody(begun.response)
    counting.receive(body.length)
    const { bytes, said } = checkedBody(body, begun.upstream)
    counting.take(said)
    return translation ? Buffer.from(JSON.stringify(translation.whole(said))) : bytes
  }
  const bytes = await read().catch(async (error: unknown) => {
    throw await brokenOff(error, begun, way, counting)
  })
  await settle('completed', counting.whole(sent_chars), begun)
  return bytes
}

/** What a provider streams, event by event, byte by byte as it is; but for what only the hub has asked for. */
export function passed(begun: Begun, way: Way): AsyncGenerator<Buffer> {
  const { endpoint, body } = way.call
  const keep = ({ bytes }: RawEvent, said: unknown) => (said !== null && endpoint.isUnasked(body, said) ? [] : [bytes])
  return streamed(
    begun,
    way,
    (data) => data.includes('"usage"'),
    keep,
    () => []
  )
}

/** The same, told in the other interface. */
export function translated(begun: Begun, way: Way, translation: Translation): AsyncGenerator<Buffer> {
  const translator = translation.stream()
  const keep = ({ data }: RawEvent, said: unknown) =>
    data === null || data === DONE ? [] : translator.take(said).map((one) => Buffer.from(one))
  const end = () => translator.end().map((one) => Buffer.from(one))
  return streamed(begun, way, (data) => data !== DONE, keep, end)
}

/** With these words OpenAI ends a stream. */
const DONE = '[DONE]'

/**
 * Reads a stream to its end, counts what it uses, and settles it. `isRead` says which events are parsed, `keep` what is sent for one, and
 * `end` what is sent last, when what was used is recorded.
 */
async function* streamed(
  begun: Begun,
  way: Way,
  isRead: (data: string) => boolean,
  keep: (event: RawEvent, said: unknown) => readonly Buffer[],
  end: () => readonly Buffer[]
): AsyncGenerator<Buffer> {
  const { sent_chars, settle } = way
  const counting = new Counting()
  const splitter = new EventSplitter()
  const kept = (events: readonly RawEvent[]) =>
    events.flatMap((event) => {
      requireNoKey(event.bytes, begun.upstream)
      counting.receive(event.data?.length ?? 0)
      const said = event.data !== null && isRead(event.data) ? jsonIn(event.data) : null
      counting.take(said)
      return keep(event, said)
    })
  let last: readonly Buffer[] = []
  let isOver = false
  try {
    for await (const chunk of begun.response.body ?? []) yield* kept(splitter.take(chunk))
    last = [...kept(splitter.rest()), ...end()]
    isOver = true
  } catch (error) {
    isOver = true
    throw await brokenOff(error, begun, way, counting)
  } finally {
    // Who does not take it to its end has left.
    if (!isOver) await settle('cancelled', counting.partial(sent_chars), begun)
  }
  await settle('completed', counting.whole(sent_chars), begun)
  yield* last
}

/** Settles an answer that did not come to its end; returns what is told of it. */
async function brokenOff(error: unknown, begun: Begun, way: Way, counting: Counting): Promise<Error> {
  const usage = counting.partial(way.sent_chars)
  await way.settle(way.signal.aborted ? 'cancelled' : 'failed', usage, begun)
  return failureOfFetch(error, begun.upstream, usage)
}
