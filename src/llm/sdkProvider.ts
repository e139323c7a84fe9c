import type { LlmProviderConfig } from '../config/types.js'
import { LIMITS } from '../limits.js'
import { failureOf, type SdkErrors, type Upstream } from './failure.js'
import type { ChatRequest } from './messages.js'
import { CallAborted, type Completion, type Delta, type Provider, type ProviderFailure } from './provider.js'
import { EVENT_STREAM } from './responseGuard.js'
import { abortable, followed, isTimeoutError } from './signals.js'
import { AnswerTooLarge, boundedFetch } from './transport.js'
import { estimateUsage, NO_USAGE, type Usage, type UsageReport } from './usage.js'

/** A client of one of the SDKs, by its raw call: the methods above it judge what they send and receive, and so do we. */
export interface Sdk {
  readonly client: { post<T>(path: string, options: PostOptions): Promise<T> }
  readonly errors: SdkErrors
}

interface PostOptions {
  /** JSON, which the SDKs send as it is where the header of its type is given. */
  readonly body: string
  readonly signal: AbortSignal
  readonly stream?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** How a provider wants to be asked, and how it answers. */
export interface ChatApi {
  readonly path: string
  body(request: ChatRequest, isStreamed: boolean): object
  /** Reads a whole answer, or throws `UnreadableAnswer`. */
  read(answer: unknown): Completion
  reader(): StreamReader
}

/** Puts a streamed answer together. Its methods throw `UnreadableAnswer` where it is none. */
export interface StreamReader {
  /** What the provider has counted so far; null for nothing. */
  readonly counted: Usage | null
  /** Takes the next piece, and tells what of it is new. */
  take(piece: unknown): NewText
  /** The whole, once the stream has ended; refuses one that ended too early. */
  whole(): Completion
}

/** What a piece of a stream adds. */
export interface NewText {
  readonly text?: string | null | undefined
  readonly thought?: string | null | undefined
  /** What else the model wrote: the arguments of tools. */
  readonly rest?: string | null | undefined
}

/** The options that both SDKs share. */
export function clientOptions(baseURL: string, { apiKey, timeoutSeconds, maxRetries }: LlmProviderConfig) {
  const timeout = timeoutSeconds * 1000
  // They write to the console what a provider sent, where it is not what they expect.
  const logLevel = 'off' as const
  return { apiKey, baseURL, timeout, maxRetries, fetch: boundedFetch({ timeout_ms: timeout }), logLevel }
}

/** Runs the work when it is first asked for, and again after it failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => {
    begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    })
    return begun
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** A provider that is asked by an SDK. The SDK is loaded with the first call. */
export function sdkProvider(upstream: (model: string) => Upstream, sdk: () => Promise<Sdk>, api: ChatApi): Provider {
  const textOf: Provider['textOf'] = (request, isStreamed) => JSON.stringify(api.body(request, isStreamed))
  return {
    textOf,

    complete: (request, signal, text = textOf(request, false)) =>
      post(upstream(request.model), sdk, api.path, text, signal, (answer) => api.read(answer)),

    async *stream(request, signal, body = textOf(request, true)): AsyncGenerator<Delta, void> {
      const { client, errors } = await sdk()
      const call = new ProviderCall(upstream(request.model), body, signal)
      const reader = api.reader()
      let kept_chars = 0
      try {
        const posted = client.post<AsyncIterable<unknown>>(api.path, {
          body,
          signal: call.signal,
          stream: true,
          headers: { ...JSON_TYPE, accept: EVENT_STREAM }
        })
        for await (const piece of await abortable(posted, call.signal)) {
          if (signal.aborted) break
          const { text, thought, rest } = reader.take(piece)
          kept_chars += lengthOf(text) + lengthOf(rest)
          if (kept_chars > LIMITS.answerText.max) throw new AnswerTooLarge()
          call.received_chars += lengthOf(text) + lengthOf(thought) + lengthOf(rest)
          call.counted = reader.counted
          if (thought) yield { type: 'thought', chunk: thought }
          if (text) yield { type: 'text', chunk: text }
        }
        // The SDKs end an aborted stream as if it were complete.
        signal.throwIfAborted()
        yield { type: 'completion', completion: reader.whole() }
      } catch (error) {
        throw call.explain(error, errors)
      } finally {
        call.release()
      }
    }
  }
}

/** Makes a call, of this JSON, whose answer comes as a whole. Rejects like a `Provider`. */
export async function post<T>(
  upstream: Upstream,
  sdk: () => Promise<Sdk>,
  path: string,
  body: string,
  signal: AbortSignal,
  read: (answer: unknown) => T
): Promise<T> {
  const { client, errors } = await sdk()
  const call = new ProviderCall(upstream, body, signal)
  try {
    const posted = client.post<unknown>(path, { body, signal: call.signal, headers: JSON_TYPE })
    return read(await abortable(posted, call.signal))
  } catch (error) {
    throw call.explain(error, errors)
  } finally {
    call.release()
  }
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0
}

/** One call of a provider on its way: what has come in so far, and what its errors mean. Has to be released. */
class ProviderCall {
  readonly #upstream: Upstream
  readonly #sent_chars: number
  /** To be given to the SDKs. */
  readonly signal: AbortSignal
  readonly release: () => void
  /** How much of the answer has come in. */
  received_chars = 0
  /** What the provider itself has counted so far. */
  counted: Usage | null = null

  constructor(upstream: Upstream, body: string, signal: AbortSignal) {
    if (signal.aborted) throw new CallAborted(NO_USAGE)
    this.#upstream = upstream
    this.#sent_chars = body.length
    const own = followed(signal)
    this.signal = own.signal
    this.release = own.release
  }

  /** The error to throw for what the SDK threw. */
  explain(error: unknown, errors: SdkErrors): ProviderFailure | CallAborted {
    if (this.signal.aborted) return new CallAborted(this.#estimate())
    const timedOut = isTimeoutError(error) || error instanceof errors.APIConnectionTimeoutError
    // A refusal costs nothing; what the provider has begun to answer, or is still working on, does.
    const begun = this.received_chars > 0 || this.counted !== null
    return failureOf(error, errors, this.#upstream, timedOut || begun ? this.#estimate() : NO_USAGE)
  }

  #estimate(): UsageReport {
    return estimateUsage(this.#sent_chars, this.received_chars, this.counted ?? {})
  }
}
