import { LIMITS } from '../limits.js'
import { Call, type Upstream } from './call.js'
import type { SdkErrors } from './failure.js'
import type { ChatRequest } from './messages.js'
import type { Completion, Delta, Provider } from './provider.js'
import { AnswerTooLarge } from './transport.js'
import type { Usage } from './usage.js'

/** A client of one of the SDKs, by its raw call: the methods above it judge what they send and receive, and so do we. */
export interface Sdk {
  readonly client: { post<T>(path: string, options: PostOptions): Promise<T> }
  readonly errors: SdkErrors
}

interface PostOptions {
  readonly body: object
  readonly signal: AbortSignal
  readonly stream?: boolean
}

/** How a provider wants to be asked, and how it answers. */
export interface Dialect {
  readonly path: string
  body(request: ChatRequest): object
  streamBody(request: ChatRequest): object
  /** Reads a whole answer, or throws `UnreadableAnswer`. */
  read(answer: unknown): Completion
  pieces(): AnswerInPieces
}

/** Puts a streamed answer together. Its methods throw `UnreadableAnswer` where it is none. */
export interface AnswerInPieces {
  /** What the provider has counted so far; null for nothing. */
  readonly counted: Usage | null
  /** Takes the next piece, and tells what of it is new. */
  take(piece: unknown): News
  /** The whole, once the stream has ended; refuses one that ended too early. */
  whole(): Completion
}

export interface News {
  readonly text?: string | null | undefined
  readonly thought?: string | null | undefined
  /** What else the model wrote: the arguments of tools. */
  readonly rest?: string | null | undefined
}

/** A provider that is asked by an SDK, in a dialect. The SDK is loaded with the first call. */
export function sdkProvider(
  upstream: (model: string) => Upstream,
  sdk: () => Promise<Sdk>,
  dialect: Dialect
): Provider {
  return {
    async complete(request, signal) {
      const body = dialect.body(request)
      return post(new Call(upstream(request.model), body, signal), sdk, dialect.path, dialect.read)
    },

    async *stream(request, signal): AsyncGenerator<Delta, void> {
      const body = dialect.streamBody(request)
      const call = new Call(upstream(request.model), body, signal)
      const { client, errors } = await sdk()
      const answer = dialect.pieces()
      let kept_chars = 0
      try {
        const options = { body, signal: call.signal, stream: true }
        const posted = client.post<AsyncIterable<unknown>>(dialect.path, options)
        for await (const piece of await call.waitFor(posted, errors)) {
          if (signal.aborted) break
          const { text, thought, rest } = answer.take(piece)
          kept_chars += lengthOf(text) + lengthOf(rest)
          if (kept_chars > LIMITS.answerText.max) throw new AnswerTooLarge()
          call.received(lengthOf(text) + lengthOf(thought) + lengthOf(rest))
          call.counted(answer.counted ?? {})
          if (thought) yield { type: 'thought', chunk: thought }
          if (text) yield { type: 'text', chunk: text }
        }
        // The SDKs end an aborted stream as if it were complete.
        if (signal.aborted) throw call.aborted()
        yield { type: 'completion', completion: answer.whole() }
      } catch (error) {
        throw call.explain(error, errors)
      } finally {
        call.dispose()
      }
    }
  }
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0
}

/** Makes a call whose answer comes as a whole. */
export async function post<T>(
  call: Call,
  sdk: () => Promise<Sdk>,
  path: string,
  read: (answer: unknown) => T
): Promise<T> {
  try {
    const { client, errors } = await sdk()
    return await call.waitFor(client.post<unknown>(path, { body: call.body, signal: call.signal }).then(read), errors)
  } finally {
    call.dispose()
  }
}
