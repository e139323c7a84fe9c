import { z } from 'zod'
import { mapInTurns } from '../../../lib/turns.js'
import type { Body } from '../bound.js'
import { CLIENTS_TOOLS, cannot, NOT_CARRIED, readAll, readCall, requireKnown, textOrParts } from './reading.js'

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.string().nullish()
})
const message = z.looseObject({
  type: z.literal('message'),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: textOrParts
})
const call = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string()
})
const result = z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: textOrParts })
const thought = z.looseObject({ type: z.literal('reasoning') })
const typed = z.discriminatedUnion('type', [message, call, result, thought], {
  error: ({ code }) => (code === 'invalid_union' ? `An item of this type ${NOT_CARRIED}` : undefined)
})
/** A message may come without its type. */
const item = z.preprocess(
  (one) => (typeof one === 'object' && one !== null && !('type' in one) ? { ...one, type: 'message' } : one),
  typed
)
type Item = z.infer<typeof typed>

const tool = z.object({
  type: z.literal('function', CLIENTS_TOOLS),
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish()
})
const choice = z.union([z.string(), z.object({ type: z.literal('function'), name: z.string() })])
const asked = z.looseObject({
  model: z.string(),
  input: z.preprocess(
    (one) => (typeof one === 'string' ? [{ role: 'user', content: one }] : one),
    z.array(z.unknown())
  ),
  instructions: z.string().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().positive().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  user: z.string().nullish(),
  stream: z.boolean().nullish()
})

const TRANSLATED = new Set(Object.keys(asked.shape))
const HINTS = new Set([
  ...['reasoning', 'include', 'store', 'metadata', 'service_tier', 'truncation', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'safety_identifier', 'stream_options', 'max_tool_calls']
])
const plainText = z.object({ format: z.object({ type: z.literal('text') }).nullish() })

/** A call of responses as chat completions have it; 400 for what they have no word for. */
export async function responsesToChat(body: Body): Promise<Body> {
  const { input, instructions, tools, tool_choice, max_output_tokens, ...rest } = readCall(asked, body)
  const isPlainText = plainText.safeParse(body.text).success
  requireKnown(body, TRANSLATED, isPlainText ? new Set([...HINTS, 'text']) : HINTS)
  const messages = (await mapInTurns(await readAll(item, input, 'input'), messagesOf)).flat()
  const { model, parallel_tool_calls, temperature, top_p, user, stream } = rest
  return {
    ...{ model, parallel_tool_calls, temperature, top_p, user, stream },
    max_completion_tokens: max_output_tokens,
    messages: [...(instructions ? [{ role: 'system', content: instructions }] : []), ...messages],
    tools: tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters }
    })),
    tool_choice:
      typeof tool_choice === 'object' && tool_choice !== null
        ? { type: 'function', function: { name: tool_choice.name } }
        : tool_choice
  }
}

/** A call of a tool is the assistant's, and what came of it is the tool's; thoughts are for the model that had them. */
async function messagesOf(one: Item, at: number): Promise<readonly object[]> {
  switch (one.type) {
    case 'message':
      return [{ role: one.role, content: await contentOf(one.content, at, 'content') }]
    case 'function_call': {
      const called = { id: one.call_id, function: { name: one.name, arguments: one.arguments } }
      return [{ role: 'assistant', content: null, tool_calls: [called] }]
    }
    case 'function_call_output':
      return [{ role: 'tool', tool_call_id: one.call_id, content: await contentOf(one.output, at, 'output') }]
    case 'reasoning':
      return []
  }
}

async function contentOf(said: z.infer<typeof textOrParts>, at: number, name: string) {
  return typeof said === 'string' ? said : (await readAll(part, said, 'input', at, name)).map(partOf)
}

function partOf({ type, text, refusal, image_url }: z.infer<typeof part>) {
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text: text ?? '' }
  if (type === 'refusal') return { type: 'text', text: refusal ?? '' }
  if (type === 'input_image' && image_url) return { type: 'image_url', image_url: { url: image_url } }
  return cannot(`A part of the type ${type}`)
}
