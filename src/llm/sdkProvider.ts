import { LIMITS } from '../limits.js'
import { type TokenCounts, usageIn, withLater } from './counts.js'
import { failureOf, type SdkErrors, UnreadableAnswer, type Upstream } from './failure.js'
import type { ChatRequest } from './messages.js'
import { CallAborted, type Completion, completionWith, type OnDelta, type Provider } from './provider.js'
import { EVENT_STREAM } from './responseGuard.js'
import { abortable, followed } from './signals.js'
import type { Place, Target } from './targets.js'
import { AnswerTooLarge, boundedFetch } from './transport.js'
import { addUsage, estimateUsage, isNothing, NO_USAGE, type Usage, type UsageReport } from './usage.js'

/** What of an SDK makes calls. Bodies and answers have no types here: clients' tools go through as they came, and answers are checked. */
interface Resource {
  create(
    body: object,
    options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> | undefined }
  ): Promise<unknown>
}

/** What of an SDK makes a call, and what its errors are. */
export interface Sdk {
  readonly resource: Resource
  readonly errors: SdkErrors
}

/** A call of a tool, as far as it has come in. */
export interface CallSoFar {
  /** The provider's number of it, where it has one. */
  readonly index: number | null
  readonly isFunction: boolean
  id: string
  name: string
  /** What the tool is to be given: in pieces, or at once. */
  arguments: string
  readonly atOnce?: string
}

/** Puts an answer together, whole or in pieces. */
export abstract class AnswerReader {
  /** What the provider has counted so far; null for nothing. */
  counted: Usage | null = null
  hasBegun = false
  /** True once the provider has said that the answer is complete. */
  isFinished = false
  protected readonly calls: CallSoFar[] = []
  #counts: TokenCounts = {}
  #content: string | null = null

  /** Takes the next piece, and tells what of it is new; throws `UnreadableAnswer` where it is none. */
  abstract take(piece: unknown): NewText

  /** Takes an answer that is not streamed, or throws `UnreadableAnswer`. */
  abstract takeWhole(answer: unknown): void

  /** The refusal of a stream that ends before anything has come in. */
  abstract nothing(): UnreadableAnswer

  /** Takes in what the provider has counted, where it has: each count is of the whole. */
  protected count(later: TokenCounts | null | undefined): void {
    if (!later) return
    this.#counts = withLater(this.#counts, later)
    this.counted = usageIn(this.#counts)
  }

  protected say(text: string): NewText {
    this.#content = (this.#content ?? '') + text
    return { text }
  }

  /** What has come in to a call with this body. Only calls of functions that have an id and a name can be made and answered. */
  completion(body: object): Completion {
    const written = this.calls.reduce((sum, { arguments: pieces }) => sum + pieces.length, this.#content?.length ?? 0)
    const counted = this.counted ?? NO_USAGE
    const made = this.calls.filter(({ isFunction, id, name }) => isFunction && id !== '' && name !== '')
    return {
      content: this.#content,
      toolCalls: made.map(({ id, name, arguments: pieces, atOnce = '' }) => ({
        id,
        name,
        arguments: pieces || atOnce
      })),
      // Who counts nothing has not counted.
      usage: isNothing(counted) ? estimateUsage(JSON.stringify(body).length, written) : counted
    }
  }
}

/** What a piece of a stream adds. */
export interface NewText {
  readonly text?: string | null | undefined
  readonly thought?: string | null | undefined
  /** What else the model wrote: the arguments of tools. */
  readonly rest?: string | null | undefined
}

/** Makes an SDK's client, which tells of each attempt that stays without an answer, and that the provider may bill. */
export type NewSdk = (unanswered: () => void) => Promise<Sdk>

/** The options that both SDKs share. They want a key, also of who asks for none. */
export function clientOptions(
  { baseUrl: baseURL, timeoutSeconds, maxRetries }: Place,
  key: string,
  unanswered: () => void
) {
  const apiKey = key === '' ? 'none' : key
  const timeout = timeoutSeconds * 1000
  // They write to the console what a provider sent, where it is not what they expect.
  const logLevel = 'off' as const
  return { apiKey, baseURL, timeout, maxRetries, fetch: boundedFetch(timeout, unanswered), logLevel }
}

/** A model that is asked by an SDK. `bodyOf` makes the body of a call; a streamed one says that it is. */
export function sdkProvider(
  { provider, label, model }: Target,
  apiKey: string,
  sdk: NewSdk,
  bodyOf: (request: ChatRequest, isStreamed: boolean) => object | Promise<object>,
  newReader: () => AnswerReader
): Provider {
  const upstream = { provider, label, apiKey, model }
  return {
    async complete(request, signal, tell) {
      const body = await bodyOf({ ...request, model }, tell !== undefined)
      return ask(upstream, sdk, body, signal, async (answer, call) => {
        const reader = newReader()
        if (tell) await takeStream(answer, reader, tell, call)
        else reader.takeWhole(answer)
        return completionWith(reader.completion(body), call.unanswered())
      })
    }
  }
}

/** A call of a provider on its way. */
interface Call {
  readonly signal: AbortSignal
  /** How much of the answer has come in. */
  received_chars: number
  /** What the provider itself has counted so far. */
  counted: Usage | null
  /** What was sent in attempts that stayed without an answer. */
  readonly unanswered: () => UsageReport
}

/** So many attempts without an answer count, four bytes a token: with the last as much as is reserved, a token for each byte. */
const MOST_UNANSWERED = 3

/** Makes a call and reads its answer. Rejects like a `Provider`. */
export async function ask<T>(
  upstream: Upstream,
  sdk: NewSdk,
  body: object,
  signal: AbortSignal,
  read: (answer: unknown, call: Call) => T | Promise<T>
): Promise<T> {
  let unanswered = NO_USAGE
  let left = MOST_UNANSWERED
  const { resource, errors } = await sdk(() => {
    // Whoever leaves ends the one that is on its way, which is counted below.
    if (!signal.aborted && left-- > 0) unanswered = addUsage(unanswered, estimateUsage(JSON.stringify(body).length, 0))
  })
  if (signal.aborted) throw new CallAborted(NO_USAGE)
  const own = followed(signal)
  const call: Call = { signal: own.signal, received_chars: 0, counted: null, unanswered: () => unanswered }
  const headers = 'stream' in body ? { accept: EVENT_STREAM } : undefined
  try {
    const answer = await abortable(resource.create(body, { signal: own.signal, headers }), own.signal)
    return await read(answer, call)
  } catch (error) {
    const { received_chars, counted } = call
    const begun = received_chars > 0 || counted !== null
    // A refusal costs nothing; what a provider has begun to answer, or is still working on, does.
    const isAnswered = own.signal.aborted || begun || !(error instanceof errors.APIError)
    const last = isAnswered ? estimateUsage(JSON.stringify(body).length, received_chars, counted ?? {}) : NO_USAGE
    const used = addUsage(unanswered, last)
    throw own.signal.aborted ? new CallAborted(used) : failureOf(error, errors, upstream, used)
  } finally {
    own.release()
  }
}

/** Takes a streamed answer to its end, and tells what comes in. */
async function takeStream(pieces: unknown, reader: AnswerReader, tell: OnDelta, call: Call): Promise<void> {
  if (!isStream(pieces)) throw new Error('The SDK does not stream.')
  let kept_chars = 0
  for await (const piece of pieces) {
    if (call.signal.aborted) break
    const { text, thought, rest } = reader.take(piece)
    const kept = (text?.length ?? 0) + (rest?.length ?? 0)
    kept_chars += kept
    if (kept_chars > LIMITS.answerText.max) throw new AnswerTooLarge()
    call.received_chars += kept + (thought?.length ?? 0)
    call.counted = reader.counted
    if (thought) await tell({ type: 'thought', chunk: thought })
    if (text) await tell({ type: 'text', chunk: text })
  }
  // The SDKs end an aborted stream as if it were complete.
  call.signal.throwIfAborted()
  if (reader.isFinished) return
  throw reader.hasBegun ? new UnreadableAnswer('ended its answer before it was complete. Try again.') : reader.nothing()
}

/** True for what an SDK answers where it is asked to stream. */
function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return answer instanceof Object && Symbol.asyncIterator in answer
}
