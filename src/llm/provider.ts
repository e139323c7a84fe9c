import { HubError } from '../errors.js'
import type { ChatRequest, ToolCall } from './messages.js'
import { addUsage, isNothing, type Usage, type UsageReport } from './usage.js'

/** What a model answered to one call. */
export interface Completion {
  readonly content: string | null
  readonly toolCalls: readonly ToolCall[]
  /** Reckoned where the provider has counted nothing. */
  readonly usage: Usage & Partial<UsageReport>
}

/** Is told a piece of an answer as it comes in; it may hold the answer up. */
export type OnDelta = (delta: { readonly type: 'text' | 'thought'; readonly chunk: string }) => Promise<void>

/**
 * A model provider, which is asked to stream where somebody is told of what comes in. A call that fails rejects with
 * `ProviderFailure`, and with `CallAborted` once its signal has been aborted; both say what the call has used.
 */
export interface Provider {
  complete(request: ChatRequest, signal: AbortSignal, tell?: OnDelta): Promise<Completion>
}

/** Turns text into the vector that documentation search compares. Rejects like a `Provider`. */
export type Embed = (text: string, signal: AbortSignal) => Promise<number[]>

/**
 * The provider did not do its part: 502 where somebody has to change something, 503 where it may work in a moment, 504
 * where it took too long. The text is for the person at the client, and carries no key, no header and no raw reply. Nor
 * does the error have a cause, since the errors of the SDKs hold all of these and logs print causes.
 */
export class ProviderFailure extends HubError {
  override readonly isFailure = true

  constructor(
    override readonly status: 502 | 503 | 504,
    message: string,
    readonly usage: UsageReport,
    /** How it failed before anything of an answer came: the status that it refused with, null for none. Null where it had begun to answer. */
    readonly unanswered: { readonly status: number | null } | null = null
  ) {
    super(status, message)
    this.coded('provider-failed')
  }
}

/** A call was given up because its signal was aborted. */
export class CallAborted extends Error {
  override readonly name = 'CallAborted'
  constructor(readonly usage: UsageReport) {
    super('The call was aborted.')
  }
}

/** The same answer, of a call that has used this besides. */
export function completionWith(completion: Completion, usage: UsageReport): Completion {
  return isNothing(usage) ? completion : { ...completion, usage: addUsage(usage, completion.usage) }
}

/** The same failure, of a call that has used this besides. */
export function failureWith(error: unknown, usage: UsageReport): unknown {
  if (error instanceof CallAborted) return new CallAborted(addUsage(usage, error.usage))
  if (!(error instanceof ProviderFailure)) return error
  const { status, message, unanswered } = error
  return new ProviderFailure(status, message, addUsage(usage, error.usage), unanswered)
}
