import { z } from 'zod'
import { LIMITS } from '../limits.js'
import {
  type AnthropicTokens,
  anthropicTokens,
  anthropicUsage,
  contentOf,
  notAMessage,
  usable
} from './anthropicReply.js'
import { tooManyParts, UnreadableAnswer } from './failure.js'
import type { Completion } from './provider.js'
import type { AnswerInPieces, News } from './sdkProvider.js'
import { TextInPieces } from './textInPieces.js'
import type { Usage } from './usage.js'

const index = z.int().nonnegative()
const kind = z.object({ type: z.string() })
const messageStart = z.object({ message: z.object({ usage: anthropicTokens }) })
const blockStart = z.object({
  index,
  content_block: z.object({
    type: z.string(),
    text: z.string().catch(''),
    id: z.string().catch(''),
    name: z.string().catch(''),
    input: z.record(z.string(), z.unknown()).catch({})
  })
})
const blockDelta = z.object({
  index,
  delta: z.object({
    type: z.string(),
    text: z.string().catch(''),
    thinking: z.string().catch(''),
    partial_json: z.string().catch('')
  })
})
const messageDelta = z.object({ usage: anthropicTokens })

interface BlockInPieces {
  readonly type: string
  readonly id: string
  readonly name: string
  /** Given at once, where it does not come in pieces. */
  readonly input: Readonly<Record<string, unknown>>
  readonly text: TextInPieces
  readonly json: TextInPieces
}

/** Puts the events of a streamed message together. */
export class MessageInPieces implements AnswerInPieces {
  readonly #blocks = new Map<number, BlockInPieces>()
  #tokens: NonNullable<AnthropicTokens> | null = null
  #finished = false

  get counted(): Usage | null {
    return this.#tokens && anthropicUsage(this.#tokens)
  }

  take(event: unknown): News {
    switch (read(kind, event).type) {
      case 'message_start':
        this.#count(read(messageStart, event).message.usage)
        return {}
      case 'content_block_start': {
        const { index, content_block } = read(blockStart, event)
        return this.#begin(index, content_block)
      }
      case 'content_block_delta':
        return this.#takeDelta(read(blockDelta, event))
      case 'message_delta':
        this.#count(read(messageDelta, event).usage)
        return {}
      case 'message_stop':
        this.#finished = true
        return {}
      default:
        // The API may send events of new kinds at any time.
        return {}
    }
  }

  whole(): Completion {
    if (this.#tokens === null && this.#blocks.size === 0 && !this.#finished) throw notAMessage()
    if (!this.#finished) throw new UnreadableAnswer('ended its answer before it was complete. Try again.')
    const blocks = [...this.#blocks].toSorted(([one], [other]) => one - other).map(([, block]) => block)
    return {
      content: contentOf(blocks.flatMap(({ type, text }) => (type === 'text' ? text.whole() : []))),
      toolCalls: blocks.flatMap(({ type, id, name, json, input }) =>
        type === 'tool_use' ? usable({ id, name, arguments: json.whole() || JSON.stringify(input) }) : []
      ),
      usage: anthropicUsage(this.#tokens)
    }
  }

  #begin(index: number, { type, id, name, input, text }: z.infer<typeof blockStart>['content_block']): News {
    if (this.#blocks.size === LIMITS.answerParts.max) throw tooManyParts()
    const block = { type, id, name, input, text: new TextInPieces(), json: new TextInPieces() }
    this.#blocks.set(index, block)
    if (type !== 'text') return {}
    block.text.add(text)
    return { text }
  }

  #takeDelta({ index, delta }: z.infer<typeof blockDelta>): News {
    const block = this.#blocks.get(index)
    if (!block) throw notAMessage()
    switch (delta.type) {
      case 'text_delta':
        block.text.add(delta.text)
        return { text: delta.text }
      case 'thinking_delta':
        return { thought: delta.thinking }
      case 'input_json_delta':
        block.json.add(delta.partial_json)
        return { rest: delta.partial_json }
      default:
        return {}
    }
  }

  /** Later counts are of the whole, and leave out what has not changed. */
  #count(tokens: AnthropicTokens): void {
    const told = Object.entries(tokens ?? {}).filter(([, count]) => typeof count === 'number')
    this.#tokens = { ...(this.#tokens ?? noTokens), ...Object.fromEntries(told) }
  }
}

const noTokens = {
  input_tokens: null,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  output_tokens: null
}

function read<S extends z.ZodType>(schema: S, event: unknown): z.infer<S> {
  const parsed = schema.safeParse(event)
  if (!parsed.success) throw notAMessage()
  return parsed.data
}
