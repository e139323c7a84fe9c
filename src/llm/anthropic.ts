import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { z } from 'zod'
import type { LlmProviderConfig } from '../config/types.js'
import { LIMITS } from '../limits.js'
import { type EndpointName, notA, reading, tooManyParts, type UnreadableAnswer } from './failure.js'
import { argumentsOf, type ChatMessage, type ChatRequest } from './messages.js'
import type { Provider } from './provider.js'
import { AnswerReader, type CallSoFar, clientOptions, type NewText, sdkProvider } from './sdkProvider.js'
import type { ToolDefinition } from './tools.js'
import { BASE_URLS } from './transport.js'
import { usageOf } from './usage.js'

/** The API wants a bound; this is the highest that every model of the default catalog takes. */
const MAX_TOKENS = 8192

/** Anthropic, by its Messages API and its own SDK. */
export function anthropicProvider(config: LlmProviderConfig, named: EndpointName = { provider: 'claude' }): Provider {
  const sdk = async () => {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    // The path has the version; the address is often given with it as well.
    const baseUrl = (config.baseUrl ?? BASE_URLS.claude).replace(/\/v1$/, '')
    // Named, or the SDK takes what is missing from the environment.
    const client = new Anthropic({ webhookKey: null, openTelemetry: false, ...clientOptions(baseUrl, config) })
    return { resource: client.messages, errors: Anthropic }
  }
  const upstream = (model: string) => ({ ...named, apiKey: config.apiKey, model })
  return sdkProvider(upstream, sdk, anthropicBody, () => new MessageReader())
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlockParam[]
}

/** A conversation has to begin with its user. */
const OPENING: Message = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }

/** The body of `POST /v1/messages` that stands for a request; streamed, the answer comes piece by piece. */
export function anthropicBody(
  { model, systemPrompt, messages, tools, mostOutput = MAX_TOKENS }: ChatRequest,
  isStreamed = false
) {
  // Instructions have their own place there, outside of the conversation.
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const system = [systemPrompt, ...instructions].filter(hasText).join('\n\n')
  const definitions = tools.flatMap(toolOf)
  return {
    model,
    max_tokens: Math.min(MAX_TOKENS, mostOutput),
    ...(system !== '' && { system }),
    messages: alternating(messages),
    ...(definitions.length > 0 && { tools: definitions }),
    ...(isStreamed && { stream: true })
  }
}

/** User and assistant alternate, the user first: results of parallel tool calls, for one, belong into a single message. */
function alternating(messages: readonly ChatMessage[]): readonly Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    // The API takes no message without content.
    else if (content.length > 0) merged.push({ role, content })
  }
  return merged[0]?.role === 'user' ? merged : [OPENING, ...merged]
}

function blocksOf(message: ChatMessage): ContentBlockParam[] {
  const { content } = message
  const text: ContentBlockParam[] = hasText(content) ? [{ type: 'text', text: content }] : []
  if (message.role === 'system') return []
  if (message.role === 'assistant') {
    const uses = message.toolCalls.map((call): ContentBlockParam => {
      return { type: 'tool_use', id: idOf(call.id), name: call.name, input: argumentsOf(call) }
    })
    return [...text, ...uses]
  }
  // A result that answers no call can only be told.
  if (message.role !== 'tool' || !message.toolCallId) return text
  return [{ type: 'tool_result', tool_use_id: idOf(message.toolCallId), ...(hasText(content) && { content }) }]
}

/** Ids of its own come back as they are; those that another provider gave earlier in the conversation may have other signs. */
function idOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_')
}

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish().catch(null),
    parameters: z.record(z.string(), z.unknown()).nullish().catch(null)
  })
})

function toolOf(definition: ToolDefinition) {
  const parsed = functionTool.safeParse(definition)
  if (!parsed.success) return []
  const { name, description, parameters } = parsed.data.function
  return [{ name, ...(description && { description }), input_schema: { ...parameters, type: 'object' } }]
}

function hasText(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

const read = reading('message')

const tokens = z.int().nonnegative().nullish().catch(null)
/** Tokens as the API counts them; what is missing here was told before, or counts as none. */
const usage = z
  .object({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens
  })
  .nullish()
  .catch(null)
const word = z.string().catch('')
const input = z.record(z.string(), z.unknown()).catch({})
const block = z.object({ type: z.string(), text: word, id: word, name: word, input })

const message = z.object({ type: z.literal('message'), content: z.array(z.unknown()), usage })

const index = z.int().nonnegative()
const anyEvent = z.object({ type: z.string() })
const messageStart = z.object({ message: z.object({ usage }) })
const blockStart = z.object({ index, content_block: block })
const blockDelta = z.object({
  index,
  delta: z.object({ type: z.string(), text: word, thinking: word, partial_json: word })
})
const messageDelta = z.object({ usage })

class MessageReader extends AnswerReader {
  /** Whether a block is a call of a tool, by index. Blocks of other kinds than these and texts are of no use to a client of the hub. */
  readonly #blocks = new Map<number, CallSoFar | null>()
  #tokens: z.infer<typeof usage> = null

  take(event: unknown): NewText {
    switch (read(anyEvent, event).type) {
      case 'message_start':
        this.#count(read(messageStart, event).message.usage)
        return {}
      case 'content_block_start': {
        const { index, content_block } = read(blockStart, event)
        return this.#begin(index, content_block)
      }
      case 'content_block_delta':
        return this.#continue(read(blockDelta, event))
      case 'message_delta':
        this.#count(read(messageDelta, event).usage)
        return {}
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
      const { data } = block.safeParse(item)
      if (data) this.#begin(index, data)
    }
    this.#count(usage)
  }

  nothing(): UnreadableAnswer {
    return notA('message')
  }

  #begin(index: number, { type, text, id, name, input }: z.infer<typeof block>): NewText {
    if (this.#blocks.size === LIMITS.answerParts.max) throw tooManyParts()
    const given = { arguments: '', atOnce: JSON.stringify(input) }
    const call = type === 'tool_use' ? { index, isFunction: true, id, name, ...given } : null
    if (call) this.calls.push(call)
    this.#blocks.set(index, call)
    this.hasBegun = true
    return type === 'text' ? this.say(text) : {}
  }

  /** Later counts are of the whole, and leave out what has not changed. For the prompt, cached or not, they are one sum. */
  #count(tokens: z.infer<typeof usage>): void {
    const counted = Object.entries(tokens ?? {}).filter(([, count]) => typeof count === 'number')
    this.#tokens = { ...this.#tokens, ...Object.fromEntries(counted) }
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = this.#tokens
    const prompt = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
    this.counted = usageOf(prompt, output_tokens ?? 0)
    this.hasBegun = true
  }

  #continue({ index, delta }: z.infer<typeof blockDelta>): NewText {
    const call = this.#blocks.get(index)
    if (call === undefined) throw notA('message')
    if (delta.type === 'text_delta') return this.say(delta.text)
    if (delta.type === 'thinking_delta') return { thought: delta.thinking }
    if (delta.type !== 'input_json_delta' || !call) return {}
    call.arguments += delta.partial_json
    return { rest: delta.partial_json }
  }
}
