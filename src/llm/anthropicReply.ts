import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { tooManyParts, UnreadableAnswer } from './failure.js'
import type { ToolCall } from './messages.js'
import type { Completion } from './provider.js'
import { type Usage, usageOf } from './usage.js'

const tokens = z.int().nonnegative().nullish().catch(null)

/** Tokens as the API counts them; what is missing here was told before, or counts as none. */
export const anthropicTokens = z
  .object({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens
  })
  .nullish()
  .catch(null)

export type AnthropicTokens = z.infer<typeof anthropicTokens>

/** A block of an answer. Blocks of other kinds are of no use to a client of the hub. */
export const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).catch({})
  })
])

const message = z.object({ type: z.literal('message'), content: z.array(z.unknown()), usage: anthropicTokens })

/** What a message says; refuses anything that is none. */
export function completionOfMessage(answer: unknown): Completion {
  const parsed = message.safeParse(answer)
  if (!parsed.success) throw notAMessage()
  if (parsed.data.content.length > LIMITS.answerParts.max) throw tooManyParts()
  const blocks = parsed.data.content.flatMap((item) => block.safeParse(item).data ?? [])
  return {
    content: contentOf(blocks.flatMap((item) => (item.type === 'text' ? item.text : []))),
    toolCalls: blocks.flatMap((item) =>
      item.type === 'tool_use' ? usable({ id: item.id, name: item.name, arguments: JSON.stringify(item.input) }) : []
    ),
    usage: anthropicUsage(parsed.data.usage)
  }
}

/** The text of an answer from its blocks; null where it has none. */
export function contentOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('')
}

/** Only calls that have an id and a name can be made and answered. */
export function usable(call: ToolCall): readonly ToolCall[] {
  return call.id === '' || call.name === '' ? [] : [call]
}

/** Tokens as one sum for the prompt, whether it came from the cache or not, and one for the answer. */
export function anthropicUsage(counted: AnthropicTokens): Usage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = counted ?? {}
  const prompt = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
  return usageOf(prompt, output_tokens ?? 0)
}

/** The refusal of something that is not an answer of the Messages API. */
export function notAMessage(): UnreadableAnswer {
  return new UnreadableAnswer('sent something that is not a message. An administrator has to check its address.')
}
