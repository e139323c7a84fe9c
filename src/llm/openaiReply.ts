import { z } from 'zod'
import { UnreadableAnswer } from './failure.js'
import type { ToolCall } from './messages.js'
import type { Completion } from './provider.js'
import { type Usage, usageOf } from './usage.js'

const tokens = z.int().nonnegative().catch(0)
const usage = z.object({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens }).nullish().catch(null)

const reply = z.object({
  choices: z.array(
    z.object({ message: z.object({ content: z.string().nullish(), tool_calls: z.array(z.unknown()).nullish() }) })
  ),
  usage
})

const functionCall = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string().catch('') })
})

/** One piece of a streamed answer. */
export const streamChunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            // Not OpenAI's own, but what servers that speak its language call the thoughts of a model.
            reasoning_content: z.string().nullish().catch(null),
            reasoning: z.string().nullish().catch(null),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().nonnegative().nullish(),
                  id: z.string().nullish(),
                  type: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish()
                })
              )
              .nullish()
          })
          .nullish(),
        finish_reason: z.string().nullish()
      })
    )
    .nullish(),
  usage
})

export type StreamChunk = z.infer<typeof streamChunk>

/** What a chat completion says; refuses anything that is none. */
export function completionOf(answer: unknown): Completion {
  const parsed = reply.safeParse(answer)
  if (!parsed.success) throw notACompletion()
  const [choice] = parsed.data.choices
  if (!choice) throw new UnreadableAnswer('sent an empty answer. Try again.')
  const { content, tool_calls } = choice.message
  return {
    content: content ?? null,
    toolCalls: (tool_calls ?? []).flatMap(toolCallOf),
    usage: openAiUsage(parsed.data.usage)
  }
}

/** Reads one piece of a stream; refuses anything that is none. */
export function streamChunkOf(data: unknown): StreamChunk {
  const parsed = streamChunk.safeParse(data)
  if (!parsed.success) throw notACompletion()
  return parsed.data
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

function notACompletion(): UnreadableAnswer {
  return new UnreadableAnswer(
    'sent something that is not a chat completion. An administrator has to check its address.'
  )
}
