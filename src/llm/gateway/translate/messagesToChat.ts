import { createHash } from 'node:crypto'
import { z } from 'zod'
import { mapInTurns } from '../../../lib/turns.js'
import type { Body } from '../bound.js'
import { cannot, readAll, readCall, requireKnown } from './reading.js'

const source = z.union([
  z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal('url'), url: z.string() })
])
const textBlock = z.object({ type: z.literal('text'), text: z.string() })
const imageBlock = z.object({ type: z.literal('image'), source })
const typed = z.object({ type: z.string() })
const elsewhere = {
  error: ({ input }: { readonly input?: unknown }) =>
    `A block of the type ${typed.safeParse(input).data?.type.slice(0, 100) ?? 'that it has'} cannot be carried over.`
}
/** A text, or blocks, of which there may be very many. */
const blocks = z.preprocess(
  (said) => (typeof said === 'string' ? [{ type: 'text', text: said }] : said),
  z.array(z.unknown())
)
const resultBlock = z.discriminatedUnion('type', [textBlock, imageBlock], elsewhere)
const block = z.discriminatedUnion(
  'type',
  [
    textBlock,
    imageBlock,
    z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
    z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      is_error: z.boolean().nullish(),
      content: blocks.nullish()
    }),
    // Only the model that has thought can go on with it.
    z.object({ type: z.literal('thinking') }),
    z.object({ type: z.literal('redacted_thinking') })
  ],
  elsewhere
)
type AnyBlock = z.infer<typeof block>
type Result = Omit<Extract<AnyBlock, { type: 'tool_result' }>, 'content'> & {
  readonly content: readonly z.infer<typeof resultBlock>[]
}
type Block = Exclude<AnyBlock, { type: 'tool_result' }> | Result
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: blocks }),
  z.object({ role: z.literal('assistant'), content: blocks }),
  z.object({ role: z.literal('system'), content: blocks.nullish(), clear_at: z.string().nullish() })
])
/** `isOfOneTurn` where it is not told again once the user has said something behind it. */
interface Message {
  readonly role: z.infer<typeof message>['role']
  readonly content: readonly Block[]
  readonly isOfOneTurn: boolean
}
const tool = z.object({
  type: z.literal('custom', 'Only tools of the client can be carried over.').nullish(),
  name: z.string(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown())
})
const choice = z.object({
  type: z.enum(['auto', 'any', 'tool', 'none']),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().optional()
})
const asked = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  messages: z.array(z.unknown()),
  tools: z.array(tool).nullish(),
  tool_choice: choice.nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  metadata: z.object({ user_id: z.string().nullish() }).nullish(),
  stream: z.boolean().nullish()
})

const TRANSLATED = new Set(Object.keys(asked.shape))
const HINTS = new Set(['thinking', 'service_tier', 'output_config', 'cache_control', 'context_management'])

/** A call of messages as chat completions have it; 400 for what they have no word for. */
export async function messagesToChat(body: Body): Promise<Body> {
  const { model, max_tokens, system, messages: said, tools, tool_choice, ...rest } = readCall(asked, body)
  requireKnown(body, TRANSLATED, HINTS)
  const messages = await mapInTurns(said, messageIn)
  const { temperature, top_p, stop_sequences, metadata, stream } = rest
  const lastOfUser = messages.findLastIndex(({ role }) => role === 'user')
  const told = await mapInTurns(messages, (one, at) => messagesOf(one, at < lastOfUser))
  const instructions = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n')
  return {
    model,
    max_completion_tokens: max_tokens,
    messages: [...(instructions === '' ? [] : [{ role: 'system', content: instructions }]), ...told.flat()],
    ...(tools && tools.length > 0 && { tools: tools.map(toolOf), ...(tool_choice && choiceOf(tool_choice)) }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(stop_sequences && stop_sequences.length > 0 && { stop: stop_sequences }),
    ...(metadata?.user_id && { user: noLonger(LONGEST_USER, metadata.user_id) }),
    ...(stream && { stream: true, stream_options: { include_usage: true } })
  }
}

async function messageIn(said: unknown, at: number): Promise<Message> {
  const one = readCall(message, said, 'messages', at)
  const content = await mapInTurns(one.content ?? [], (said, i) => blockIn(said, 'messages', at, 'content', i))
  return { role: one.role, content, isOfOneTurn: one.role === 'system' && one.clear_at === 'next_user_message' }
}

async function blockIn(said: unknown, ...at: readonly PropertyKey[]): Promise<Block> {
  const one = readCall(block, said, ...at)
  if (one.type !== 'tool_result') return one
  return { ...one, content: await readAll(resultBlock, one.content ?? [], ...at, 'content') }
}

/** `isOfEarlierTurn` where the user says something behind it. */
function messagesOf(one: Message, isOfEarlierTurn: boolean): readonly object[] {
  if (one.role === 'user') return ofUser(one.content)
  if (one.role === 'assistant') return ofAssistant(one.content)
  return one.isOfOneTurn && isOfEarlierTurn ? [] : ofSystem(one.content)
}

function ofSystem(blocks: readonly Block[]): readonly object[] {
  const texts = blocks.map((one) => (one.type === 'text' ? one.text : cannot('An image or a call of the system')))
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }]
}

/** Results of tools are messages of their own, before what the user says beside them. Those hold texts only: their images the user says. */
function ofUser(blocks: readonly Block[]): readonly object[] {
  const results = blocks.filter((one): one is Result => one.type === 'tool_result')
  const parts = [
    ...results.flatMap(imagesOf),
    ...blocks.flatMap((one) => (one.type === 'tool_result' ? [] : [partOf(one)]))
  ]
  const [only] = parts
  const isText = parts.length === 1 && only?.type === 'text'
  return [
    ...results.map(resultOf),
    ...(parts.length === 0 ? [] : [{ role: 'user', content: isText ? only.text : parts }])
  ]
}

function resultOf({ tool_use_id, content, is_error }: Result) {
  const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []))
  const text = texts.length === 0 && content.length > 0 ? 'The result is the image below.' : texts.join('')
  return { role: 'tool', tool_call_id: callId(tool_use_id), content: is_error ? `Error: ${text}` : text }
}

function imagesOf({ tool_use_id, content }: Result) {
  const images = content.flatMap((one) => (one.type === 'image' ? [partOf(one)] : []))
  return images.length === 0
    ? []
    : [{ type: 'text', text: `Images of the result of ${callId(tool_use_id)}:` } as const, ...images]
}

function partOf(one: Block) {
  if (one.type === 'text') return { type: 'text', text: one.text } as const
  if (one.type !== 'image') return cannot(`A block of the type ${one.type} of the user`)
  const url = one.source.type === 'url' ? one.source.url : `data:${one.source.media_type};base64,${one.source.data}`
  return { type: 'image_url', image_url: { url } } as const
}

function ofAssistant(blocks: readonly Block[]): readonly object[] {
  const texts = blocks.flatMap((one) => (one.type === 'text' ? [one.text] : []))
  const tool_calls = blocks.flatMap((one) =>
    one.type === 'tool_use'
      ? [
          {
            id: callId(one.id),
            type: 'function',
            function: { name: one.name, arguments: JSON.stringify(one.input ?? {}) }
          }
        ]
      : []
  )
  if (blocks.some(({ type }) => type === 'image' || type === 'tool_result'))
    cannot('An image or a result of the assistant')
  if (texts.length + tool_calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join(''),
      ...(tool_calls.length > 0 && { tool_calls })
    }
  ]
}

/** OpenAI refuses what is longer; agents say more of whoever asks, and other providers of a call. */
const LONGEST_USER = 64
const LONGEST_CALL_ID = 40

/** The text, or something shorter; the same for the same, so that a result stays with its call. */
function noLonger(most: number, text: string): string {
  return text.length <= most ? text : createHash('sha256').update(text).digest('hex').slice(0, most)
}

const callId = (id: string) => noLonger(LONGEST_CALL_ID, id)

function toolOf({ name, description, input_schema }: z.infer<typeof tool>) {
  return { type: 'function', function: { name, ...(description && { description }), parameters: input_schema } }
}

function choiceOf({ type, name, disable_parallel_tool_use }: z.infer<typeof choice>) {
  const named = { type: 'function', function: { name: name ?? '' } }
  return {
    tool_choice: { auto: 'auto', any: 'required', none: 'none', tool: named }[type],
    ...(disable_parallel_tool_use && { parallel_tool_calls: false })
  }
}
