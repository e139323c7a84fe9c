import type { LlmProviderName } from '../config/types.js'
import { failureOf, type SdkErrors } from './failure.js'
import { type JoinedSignal, joinSignals } from './limit.js'
import { CallAborted, ProviderFailure } from './provider.js'
import { AttemptTimedOut } from './transport.js'
import { estimateUsage, NO_USAGE, type Usage, type UsageReport } from './usage.js'

export interface Upstream {
  readonly provider: LlmProviderName
  readonly apiKey: string
  readonly model: string
}

/** One call of a provider on its way: what has come in so far, and what its errors mean. Has to be disposed of. */
export class Call {
  readonly #ended: JoinedSignal
  #receivedChars = 0
  #counted: Partial<Usage> = {}

  constructor(
    readonly upstream: Upstream,
    readonly body: object,
    signal: AbortSignal
  ) {
    if (signal.aborted) throw new CallAborted(NO_USAGE)
    // A signal of its own, since the SDKs leave listeners behind on the one that they are given.
    this.#ended = joinSignals(signal)
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  dispose(): void {
    this.#ended.dispose()
  }

  /** Notes how much more of the answer has come in. */
  received(chars: number): void {
    this.#receivedChars += chars
  }

  /** Notes what the provider itself has counted so far. */
  counted(usage: Partial<Usage>): void {
    this.#counted = { ...this.#counted, ...usage }
  }

  /** Waits for one part of the call; its failure, or the abort of the call, ends it at once. */
  async waitFor<T>(part: Promise<T>, errors: SdkErrors): Promise<T> {
    // Where the signal wins, nobody looks at how the part ends.
    part.catch(() => {})
    const { promise: aborted, reject } = deferred()
    const abort = () => reject(this.aborted())
    this.signal.addEventListener('abort', abort, { once: true })
    try {
      if (this.signal.aborted) abort()
      return await Promise.race([part, aborted])
    } catch (error) {
      throw this.explain(error, errors)
    } finally {
      this.signal.removeEventListener('abort', abort)
    }
  }

  /** The error to throw for what the SDK threw. */
  explain(error: unknown, errors: SdkErrors): ProviderFailure | CallAborted {
    if (error instanceof ProviderFailure || error instanceof CallAborted) return error
    if (this.signal.aborted) return this.aborted()
    const timedOut = error instanceof AttemptTimedOut || error instanceof errors.APIConnectionTimeoutError
    // A refusal costs nothing; what the provider has begun to answer, or is still working on, does.
    const begun = this.#receivedChars > 0 || Object.keys(this.#counted).length > 0
    return failureOf(error, errors, this.upstream, timedOut || begun ? this.#estimate() : NO_USAGE)
  }

  aborted(): CallAborted {
    return new CallAborted(this.#estimate())
  }

  #estimate(): UsageReport {
    return estimateUsage(JSON.stringify(this.body).length, this.#receivedChars, this.#counted)
  }
}

function deferred(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_, give) => {
    reject = give
  })
  return { promise, reject }
}
