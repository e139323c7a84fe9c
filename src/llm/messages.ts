import { z } from 'zod'
import { excessOfJson } from '../lib/jsonScan.js'
import { boundedText, freeObject, LIMITS, listOf } from '../limits.js'
import type { ToolDefinition } from './tools.js'

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string | null }
  | { readonly role: 'assistant'; readonly content: string | null; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly content: string | null; readonly toolCallId: string | null }

/** What a model is asked: the body of a step, and of every call that the step makes of it. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDefinition[]
  /** Blank for none. */
  readonly systemPrompt: string
  /** How many tokens the model may write at most; left to its provider where that is not given. */
  readonly mostOutput?: number
}

/** Where a streamed step belongs in the client's conversation. */
export interface StepRef {
  readonly turnId: string
  readonly stepIndex: number
}

const text = boundedText(LIMITS.text)
const toolCallId = boundedText(LIMITS.toolCallId)
const toolCall = z.object({
  id: toolCallId.describe('The id of the call, to which the result refers.'),
  name: boundedText(LIMITS.label).describe('The name of the tool.'),
  arguments: text.describe('The arguments as the model wrote them.')
})
/** A call of a tool that a model asks for. `arguments` is the text that the model wrote, JSON or not. */
export type ToolCall = Readonly<z.infer<typeof toolCall>>

const message = z
  .object({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who says it.'),
    content: text.nullish().describe('What is said; null for nothing.'),
    tool_calls: listOf(toolCall, LIMITS.messageToolCalls).nullish().describe('The calls that the assistant asks for.'),
    tool_call_id: toolCallId.nullish().describe('The id of the call that a tool answers.')
  })
  .transform(({ role, content = null, tool_calls, tool_call_id = null }): ChatMessage => {
    if (role === 'assistant') return { role, content, toolCalls: tool_calls ?? [] }
    return role === 'tool' ? { role, content, toolCallId: tool_call_id } : { role, content }
  })

// Passed on by reference: definitions are most of a body's bytes, and the provider is to get them untouched.
const tool = freeObject('A tool must be an object.')

const argumentObject = z.record(z.string(), z.unknown())

/** The body of `POST /llm/chat/step`. */
export const stepBody = z.object({
  model: boundedText(LIMITS.modelId).min(1).describe('The id of the model, as `GET /llm/models` lists it.'),
  messages: listOf(message, LIMITS.messages).describe('The conversation so far, the oldest first.'),
  tools: listOf(tool, LIMITS.tools)
    .nullish()
    .transform((tools) => tools ?? [])
    .describe('The tools that the client runs, as the chat completions of OpenAI define them. The hub adds its own.'),
  systemPrompt: text
    .nullish()
    .transform((text) => text ?? '')
    .describe('What the model is told before the conversation; empty or null for nothing.')
})

/** The body of `POST /llm/chat/stream`. */
export const streamBody = stepBody.extend({
  turnId: boundedText(LIMITS.turnId)
    .min(1)
    .describe('An id of the client for the turn of the conversation. Every event has it.'),
  stepIndex: z.int().nonnegative().describe('The number of the step in the turn, from 0. Every event has it.')
})

/** True when the step starts a turn of the conversation, which the monthly limit may refuse: its last message is the user's. */
export function startsTurn({ messages }: Pick<ChatRequest, 'messages'>): boolean {
  return messages.at(-1)?.role === 'user'
}

/** The arguments of a call as an object; empty where the model wrote anything else, or more than tools take. */
export function argumentsOf({ arguments: text }: ToolCall): Readonly<Record<string, unknown>> {
  const { toolArguments, toolArgumentValues } = LIMITS
  return text.length > toolArguments.max ? {} : objectIn(text, toolArgumentValues.max)
}

/** The object that a JSON text says; empty where it says anything else, nests too deeply or has more keys and list items than so many. */
export function objectIn(text: string, mostValues = Number.POSITIVE_INFINITY): Readonly<Record<string, unknown>> {
  if (excessOfJson(Buffer.from(text), mostValues)) return {}
  try {
    return argumentObject.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
