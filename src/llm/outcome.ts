import type { ToolCall } from './messages.js'
import { ProviderFailure } from './provider.js'
import type { Usage, UsageReport } from './usage.js'

/** How a step ended. Each way has used something, perhaps, and that has to be counted. */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly content: string | null
      /** Calls of the client's own tools. */
      readonly toolCalls: readonly ToolCall[]
      /** True when the model still wanted to use the hub's tools as the hub stopped asking it. */
      readonly hitIterationLimit: boolean
      readonly usage: UsageReport
    }
  | {
      readonly kind: 'failed'
      readonly failure: ProviderFailure
      /** What went wrong where it was the hub's own fault; for the log, never for a client. */
      readonly cause?: unknown
      readonly usage: UsageReport
    }
  | { readonly kind: 'cancelled'; readonly usage: UsageReport }

/** The reply of `POST /llm/chat/step`, in the shape of the interface: every key, whatever the model said. */
export interface StepReply {
  readonly content: string
  readonly toolCalls: readonly ToolCall[]
  readonly usage: Usage
}

/** The reply to a step that was not streamed; throws the refusal where there is none. */
export function stepReply(outcome: Outcome): StepReply {
  switch (outcome.kind) {
    case 'done':
      return { content: outcome.content ?? '', toolCalls: outcome.toolCalls, usage: plainUsage(outcome.usage) }
    case 'failed':
      throw outcome.failure
    case 'cancelled':
      throw new ProviderFailure(503, 'The chat step was cancelled.', outcome.usage)
  }
}

/** Usage as clients are told of it. */
export function plainUsage({ promptTokens, completionTokens, totalTokens }: UsageReport): Usage {
  return { promptTokens, completionTokens, totalTokens }
}
