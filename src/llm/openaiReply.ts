import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { tooManyParts, UnreadableAnswer } from './failure.js'
import type { ToolCall } from './messages.js'
import type { Completion } from './provider.js'
import { type Usage, usageOf } from './usage.js'

const tokens = z.int().nonnegative().catch(0)
const usage = z.object({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens }).nullish().catch(null)

// Only the first choice is looked at, and no call before their number is known: neither is bounded by whoever sends them.
const reply = z.object({ choices: z.array(z.unknown()), usage })

const replyChoice = z.object({
  message: z.object({ content: z.string().nullish(), tool_calls: z.array(z.unknown()).nullish() })
})

const functionCall = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string().catch('') })
})

/** One piece of a streamed answer. */
const streamChunk = z.object({ choices: z.array(z.unknown()).nullish(), usage })

const streamChoice = z.object({
  delta: z
    .object({
      content: z.string().nullish(),
      // Not OpenAI's own, but what servers that speak its language call the thoughts of a model.
      reasoning_content: z.string().nullish().catch(null),
      reasoning: z.string().nullish().catch(null),
      tool_calls: z.array(z.unknown()).nullish()
    })
    .nullish(),
  finish_reason: z.string().nullish()
})

const callDelta = z.object({
  index: z.int().nonnegative().nullish(),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish()
})

/** A piece of a call of a tool. */
export type CallDelta = z.infer<typeof callDelta>

/** What one piece of a stream says. */
export interface StreamChunk extends NonNullable<z.infer<typeof streamChoice>['delta']> {
  /** False for a piece that is about the answer, and not of it. */
  readonly isAnswer: boolean
  readonly isLast: boolean
  readonly calls: readonly CallDelta[]
  readonly usage: Usage | null
}

/** What a chat completion says; refuses anything that is none. */
export function completionOf(answer: unknown): Completion {
  const { choices, usage } = read(reply, answer)
  if (choices.length === 0) throw new UnreadableAnswer('sent an empty answer. Try again.')
  const { content, tool_calls } = read(replyChoice, choices[0]).message
  return {
    content: content ?? null,
    toolCalls: boundedCalls(tool_calls).flatMap(toolCallOf),
    usage: openAiUsage(usage)
  }
}

/** Reads one piece of a stream; refuses anything that is none. */
export function streamChunkOf(data: unknown): StreamChunk {
  const { choices, usage } = read(streamChunk, data)
  const isAnswer = choices != null && choices.length > 0
  const { delta, finish_reason } = isAnswer ? read(streamChoice, choices[0]) : {}
  return {
    ...delta,
    isAnswer,
    isLast: Boolean(finish_reason),
    calls: boundedCalls(delta?.tool_calls).map((call) => read(callDelta, call)),
    usage: usage ? openAiUsage(usage) : null
  }
}

/** Tokens as the provider counts them; what is missing counts as none. */
export function openAiUsage(counted: z.infer<typeof usage>): Usage {
  return usageOf(counted?.prompt_tokens ?? 0, counted?.completion_tokens ?? 0, counted?.total_tokens)
}

/** Only calls of functions that have an id and a name can be made and answered. */
export function toolCallOf(call: unknown): readonly ToolCall[] {
  const parsed = functionCall.safeParse(call)
  if (!parsed.success) return []
  const { id, function: called } = parsed.data
  return [{ id, name: called.name, arguments: called.arguments }]
}

/** The calls of an answer, before they are looked at one by one. */
function boundedCalls(calls: readonly unknown[] | null | undefined): readonly unknown[] {
  if (calls && calls.length > LIMITS.answerParts.max) throw tooManyParts()
  return calls ?? []
}

function read<S extends z.ZodType>(schema: S, data: unknown): z.infer<S> {
  const parsed = schema.safeParse(data)
  if (!parsed.success) throw notACompletion()
  return parsed.data
}

function notACompletion(): UnreadableAnswer {
  return new UnreadableAnswer(
    'sent something that is not a chat completion. An administrator has to check its address.'
  )
}
