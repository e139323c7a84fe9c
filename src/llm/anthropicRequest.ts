import { z } from 'zod'
import { argumentsOf, type ChatMessage, type ChatRequest } from './messages.js'
import type { ToolDefinition } from './tools.js'

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content?: string }

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** The API wants a bound; this is the highest that every model of the default catalog takes. */
const MAX_TOKENS = 8192
/** A conversation has to begin with its user. */
const OPENING: Turn = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish().catch(null),
    parameters: z.record(z.string(), z.unknown()).nullish().catch(null)
  })
})

/** The body of `POST /v1/messages` that stands for a request. */
export function anthropicBody({ model, systemPrompt, messages, tools }: ChatRequest) {
  // Instructions have their own place there, outside of the conversation.
  const instructions = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const system = [systemPrompt, ...instructions].filter(hasText).join('\n\n')
  const definitions = tools.flatMap(toolOf)
  return {
    model,
    max_tokens: MAX_TOKENS,
    ...(system !== '' && { system }),
    messages: alternating(messages.flatMap(turnOf)),
    ...(definitions.length > 0 && { tools: definitions })
  }
}

/** The same, answered piece by piece. */
export function anthropicStreamBody(request: ChatRequest) {
  return { ...anthropicBody(request), stream: true }
}

/** User and assistant in turns, the user first: results of parallel tool calls, for one, belong into a single turn. */
function alternating(turns: readonly Turn[]): readonly Turn[] {
  const merged: { readonly role: Turn['role']; readonly content: Block[] }[] = []
  for (const { role, content } of turns) {
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    else merged.push({ role, content: [...content] })
  }
  return merged[0]?.role === 'user' ? merged : [OPENING, ...merged]
}

/** The turn that a message makes; none for a message without content, since the API takes no empty text. */
function turnOf(message: ChatMessage): readonly Turn[] {
  const content = blocksOf(message)
  return content.length === 0 ? [] : [{ role: message.role === 'assistant' ? 'assistant' : 'user', content }]
}

function blocksOf(message: ChatMessage): readonly Block[] {
  const text = textOf(message.content)
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return text
    case 'assistant':
      return [
        ...text,
        ...message.toolCalls.map((call) => {
          return { type: 'tool_use', id: idOf(call.id), name: call.name, input: argumentsOf(call) } as const
        })
      ]
    case 'tool':
      // A result that answers no call can only be told.
      if (!message.toolCallId) return text
      return [
        {
          type: 'tool_result',
          tool_use_id: idOf(message.toolCallId),
          ...(hasText(message.content) && { content: message.content })
        }
      ]
  }
}

function textOf(content: string | null): readonly Block[] {
  return hasText(content) ? [{ type: 'text', text: content }] : []
}

/** Ids of its own come back as they are; those that another provider gave earlier in the conversation may have other signs. */
function idOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_')
}

function toolOf(definition: ToolDefinition) {
  const parsed = functionTool.safeParse(definition)
  if (!parsed.success) return []
  const { name, description, parameters } = parsed.data.function
  return [{ name, ...(description && { description }), input_schema: { ...parameters, type: 'object' } }]
}

function hasText(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}
