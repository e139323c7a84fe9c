import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { maybeTokenCounts } from './counts.js'
import { notA, reading, tooManyParts, type UnreadableAnswer } from './failure.js'
import { chatToMessages, MAX_TOKENS } from './gateway/translate/chatToMessages.js'
import { type BlockStart, type MessageDelta, messageBlock, messageEvent } from './gateway/translate/messageStreams.js'
import { argumentsOf, type ChatMessage, type ChatRequest } from './messages.js'
import { openAiBody } from './openai.js'
import type { Provider } from './provider.js'
import { AnswerReader, type CallSoFar, clientOptions, type NewSdk, type NewText, sdkProvider } from './sdkProvider.js'
import { accountOf, type Target } from './targets.js'
import type { ToolDefinition } from './tools.js'

/** A model that is asked by Anthropic's Messages API and its own SDK. */
export function anthropicProvider(target: Target, key: string): Provider {
  const sdk: NewSdk = async (unanswered) => {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    // Named, or the SDK takes what is missing from the environment.
    const own = { webhookKey: null, openTelemetry: false } as const
    // It would send a key as `Authorization`, which only Anthropic itself takes.
    const defaultHeaders = { authorization: null, ...accountOf('anthropic', key) }
    const client = new Anthropic({ ...own, defaultHeaders, ...clientOptions(target, key, unanswered) })
    return { resource: client.messages, errors: Anthropic }
  }
  return sdkProvider(target, key, sdk, anthropicBody, () => new MessageReader())
}

/** The body of `POST /v1/messages` that stands for a request; streamed, the answer comes piece by piece. */
export async function anthropicBody(
  { tools, messages, mostOutput = MAX_TOKENS, ...rest }: ChatRequest,
  isStreamed = false
) {
  const request = { ...rest, tools: tools.flatMap(toolOf), messages: messages.map(withinBounds) }
  return chatToMessages(openAiBody({ ...request, mostOutput: Math.min(MAX_TOKENS, mostOutput) }, isStreamed))
}

/** Calls of tools with what tools take of their arguments: it is parsed. */
function withinBounds(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message
  const toolCalls = message.toolCalls.map((call) => ({ ...call, arguments: JSON.stringify(argumentsOf(call)) }))
  return { ...message, toolCalls }
}

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish().catch(null),
    parameters: z.record(z.string(), z.unknown()).nullish().catch(null)
  })
})

/** Tools of clients are free objects, of which the interface takes only functions. */
function toolOf(definition: ToolDefinition): readonly ToolDefinition[] {
  const { data } = functionTool.safeParse(definition)
  return data ? [data] : []
}

const read = reading('message')

const message = z.object({ type: z.literal('message'), content: z.array(z.unknown()), usage: maybeTokenCounts })

class MessageReader extends AnswerReader {
  /** Whether a block is a call of a tool, by index. Blocks of other kinds than these and texts are of no use to a client of the hub. */
  readonly #blocks = new Map<number, CallSoFar | null>()

  take(event: unknown): NewText {
    const { type, index, message, content_block, delta, usage } = read(messageEvent, event)
    switch (type) {
      case 'message_start':
      case 'message_delta':
        this.hasBegun = true
        this.count(message?.usage ?? usage ?? {})
        return {}
      case 'content_block_start':
        return content_block ? this.#begin(index, content_block) : {}
      case 'content_block_delta':
        return delta ? this.#continue(index, delta) : {}
      case 'message_stop':
        this.isFinished = true
        return {}
      default:
        // The API may send events of new kinds at any time.
        return {}
    }
  }

  takeWhole(answer: unknown): void {
    const { content, usage } = read(message, answer)
    if (content.length > LIMITS.answerParts.max) throw tooManyParts()
    for (const [index, item] of content.entries()) {
      const { data } = messageBlock.safeParse(item)
      if (data) this.#begin(index, data)
    }
    this.count(usage)
  }

  nothing(): UnreadableAnswer {
    return notA('message')
  }

  #begin(index: number, { type, text, id, name, input }: BlockStart): NewText {
    if (this.#blocks.size === LIMITS.answerParts.max) throw tooManyParts()
    const given = { id: id ?? '', name: name ?? '', arguments: '', atOnce: JSON.stringify(input) }
    const call = type === 'tool_use' ? { index, isFunction: true, ...given } : null
    if (call) this.calls.push(call)
    this.#blocks.set(index, call)
    this.hasBegun = true
    return type === 'text' ? this.say(text ?? '') : {}
  }

  #continue(index: number, { type, text, thinking, partial_json }: MessageDelta): NewText {
    const call = this.#blocks.get(index)
    if (call === undefined) throw notA('message')
    if (type === 'text_delta') return this.say(text ?? '')
    if (type === 'thinking_delta') return { thought: thinking }
    if (type !== 'input_json_delta' || !call) return {}
    call.arguments += partial_json ?? ''
    return { rest: partial_json }
  }
}
