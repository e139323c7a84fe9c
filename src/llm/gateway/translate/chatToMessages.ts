import { createHash } from 'node:crypto'
import { z } from 'zod'
import { giveWay, mapInTurns } from '../../../lib/turns.js'
import { objectIn } from '../../messages.js'
import type { Body } from '../bound.js'
import { CLIENTS_TOOLS, cannot, dataUrl, readAll, readCall, requireKnown, textOrParts } from './reading.js'

/** The interface wants a bound; this is the highest that every model of the default catalog takes. */
export const MAX_TOKENS = 8192

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional()
})
const toolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: textOrParts.nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().optional()
})
type Message = Omit<z.infer<typeof message>, 'content'> & {
  readonly content?: string | readonly z.infer<typeof part>[] | null | undefined
}
const tool = z.object({
  type: z.literal('function', CLIENTS_TOOLS),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish()
  })
})
const choice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) })
])
const chat = z.looseObject({
  model: z.string(),
  messages: z.array(z.unknown()),
  tools: z.array(tool).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(1, 'This model takes up to 1.').nullish(),
  top_p: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  user: z.string().nullish(),
  n: z.literal(1, 'This model gives one answer.').nullish(),
  stream: z.boolean().nullish()
})

const TRANSLATED = new Set(Object.keys(chat.shape))
const HINTS = new Set([
  ...['stream_options', 'seed', 'store', 'metadata', 'service_tier', 'reasoning_effort', 'verbosity'],
  ...['prediction', 'prompt_cache_key', 'safety_identifier']
])

/** A call of chat completions as Anthropic has it; 400 for what it has no word for. */
export async function chatToMessages(body: Body) {
  const asked = readCall(chat, body)
  const { model, tools, tool_choice, parallel_tool_calls, temperature, top_p, stop, user, stream } = asked
  const isPlainText = z.object({ type: z.literal('text') }).safeParse(body.response_format).success
  requireKnown(body, TRANSLATED, isPlainText ? new Set([...HINTS, 'response_format']) : HINTS)
  const messages = await mapInTurns(asked.messages, messageIn)
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf)
  const instructions = system.filter(hasText).join('\n\n')
  const turns = await alternating(messages)
  // It answers a message alone: instructions by themselves are one.
  const said = turns.length > 0 ? turns : await alternating([{ role: 'user', content: instructions }])
  return {
    model,
    max_tokens: asked.max_completion_tokens ?? asked.max_tokens ?? MAX_TOKENS,
    ...(instructions !== '' && turns.length > 0 && { system: instructions }),
    messages: said[0]?.role === 'user' ? said : [OPENING, ...said],
    ...(tools &&
      tools.length > 0 && { tools: tools.map(toolOf), ...choiceOf(tool_choice, parallel_tool_calls === false) }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(stop && { stop_sequences: [stop].flat() }),
    ...(user && { metadata: { user_id: user } }),
    ...(stream && { stream: true })
  }
}

async function messageIn(said: unknown, at: number): Promise<Message> {
  const { content, ...rest } = readCall(message, said, 'messages', at)
  return {
    ...rest,
    content: Array.isArray(content) ? await readAll(part, content, 'messages', at, 'content') : content
  }
}

type Block = Readonly<Record<string, unknown>>

/** A conversation has to begin with its user. */
const OPENING = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }

/** User and assistant alternate there: results of tools are said by the user, and what one says in a row is one message. */
async function alternating(messages: readonly Message[]) {
  const merged: { role: string; content: Block[] }[] = []
  for (const one of messages) {
    if (one.role === 'system' || one.role === 'developer') continue
    const role = one.role === 'assistant' ? 'assistant' : 'user'
    const blocks = await blocksOf(one)
    const last = merged.at(-1)
    if (last?.role === role) for (const block of blocks) last.content.push(block)
    else if (blocks.length > 0) merged.push({ role, content: blocks })
    await giveWay()
  }
  return merged
}

async function blocksOf(said: Message): Promise<Block[]> {
  if (said.role === 'tool' && said.tool_call_id !== undefined) {
    const content = resultOf(said)
    const isSaid = typeof content !== 'string' || hasText(content)
    return [{ type: 'tool_result', tool_use_id: fitId(said.tool_call_id), ...(isSaid && { content }) }]
  }
  // A result that answers no call can only be told.
  const parts = typeof said.content === 'string' ? [{ type: 'text', text: said.content }] : (said.content ?? [])
  const uses = (said.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
    return { type: 'tool_use', id: fitId(id), name, input: objectIn(args) }
  })
  return [...(await mapInTurns(parts, blockOf)).flat(), ...uses]
}

function blockOf({ type, text, image_url }: z.infer<typeof part>): Block[] {
  // It takes no text without a sign in it.
  if (type === 'text') return hasText(text) ? [{ type, text }] : []
  if (type !== 'image_url' || !image_url) cannot(`A part of the type ${type}`)
  const inline = dataUrl(image_url.url)
  return [{ type: 'image', source: inline ? { type: 'base64', ...inline } : { type: 'url', url: image_url.url } }]
}

/** What came of a call: a text, or blocks where images are among it. */
function resultOf(said: Message): string | Block[] {
  const hasImages = Array.isArray(said.content) && said.content.some(({ type }) => type === 'image_url')
  return hasImages && Array.isArray(said.content) ? said.content.flatMap(blockOf) : textOf(said)
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(({ type, text }) => (type === 'text' ? (text ?? '') : cannot(`A part of the type ${type}`)))
    .join('')
}

function hasText(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== ''
}

function toolOf({ function: { name, description, parameters } }: z.infer<typeof tool>): Block {
  return { name, ...(description && { description }), input_schema: { ...parameters, type: 'object' } }
}

/** Which tools are to be called. That one is called at a time is said with it. */
function choiceOf(wanted: z.infer<typeof choice> | null | undefined, oneAtATime: boolean): Block {
  if (!wanted) return oneAtATime ? choiceOf('auto', true) : {}
  const single = oneAtATime && wanted !== 'none' ? { disable_parallel_tool_use: true } : {}
  if (typeof wanted === 'object') return { tool_choice: { type: 'tool', name: wanted.function.name, ...single } }
  return { tool_choice: { type: ({ auto: 'auto', none: 'none', required: 'any' } as const)[wanted], ...single } }
}

/** The id of a call as the interface takes it; the same for the same, so that a result stays with its call. */
function fitId(id: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return id
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 40)}`
}
