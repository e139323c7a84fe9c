import { z } from 'zod'
import { type FakeAnswer, piecesOf } from './answer.js'
import { json, type Received, type Respond, startUpstream, type Upstream } from './upstream.js'

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() })
})

const request = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.literal('system'), content: z.string() }),
        z.strictObject({ role: z.literal('user'), content: z.string() }),
        z.strictObject({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          tool_calls: z.array(toolCall).min(1).optional()
        }),
        z.strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() })
      ])
    )
    .min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }))
    .min(1)
    .optional(),
  stream: z.literal(true).optional(),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional()
})

const embedding = z.strictObject({
  model: z.literal('text-embedding-3-small'),
  input: z.string().min(1),
  encoding_format: z.literal('float')
})

/** OpenAI's API as far as the hub uses it, as strict as the real one about who asks and what. */
export async function startOpenAi(apiKey: string): Promise<Upstream> {
  const upstream = await startUpstream((received) => refusal(received, apiKey, '/v1'))
  return { ...upstream, url: `${upstream.url}/v1` }
}

/** Refuses what the real one would refuse; null for a good request. */
export function refusal({ method, path, headers, body }: Received, apiKey: string, prefix: string): Respond | null {
  if (headers.authorization !== `Bearer ${apiKey}`)
    return error(401, `Incorrect API key provided: ${headers.authorization}.`)
  const schema = { [`${prefix}/chat/completions`]: request, [`${prefix}/embeddings`]: embedding }[path]
  if (method !== 'POST' || !schema) return error(404, `Invalid URL (${method} ${path})`)
  const parsed = schema.safeParse(body)
  return parsed.success ? null : error(400, `Invalid request: ${z.prettifyError(parsed.error)}`)
}

/** An error as OpenAI words it. */
export function error(status: number, message: string, code: string | null = null): Respond {
  return json(status, { error: { message, type: 'invalid_request_error', param: null, code } })
}

/** A chat completion. */
export function completion({ text, calls = [], usage = [11, 7] }: FakeAnswer): Respond {
  const message = {
    role: 'assistant',
    content: text ?? null,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls.map(nested) })
  }
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-6.1-sol-2024-08-06',
    choices: [{ index: 0, message, logprobs: null, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: counted(usage)
  })
}

/** The same as the events of a stream. */
export function chunks({ text, thought, calls = [], usage = [11, 7] }: FakeAnswer): readonly string[] {
  const deltas: object[] = [{ role: 'assistant', content: calls.length > 0 && text === undefined ? null : '' }]
  for (const piece of piecesOf(thought ?? '')) deltas.push({ reasoning_content: piece })
  for (const piece of piecesOf(text ?? '')) deltas.push({ content: piece })
  calls.forEach((call, index) => {
    const { function: called, ...rest } = nested(call)
    deltas.push({ tool_calls: [{ index, ...rest, function: { name: called.name, arguments: '' } }] })
    for (const piece of piecesOf(called.arguments))
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  })
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, logprobs: null, finish_reason: null }], null)),
    chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: finish }], null),
    chunk([], counted(usage)),
    'data: [DONE]\n\n'
  ]
}

/** One event of a stream. */
export function chunk(choices: readonly object[], usage: object | null): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-6.1-sol', choices, usage })}\n\n`
}

/** Usage as OpenAI counts it. */
export function counted([prompt, answered]: readonly [number, number]) {
  return { prompt_tokens: prompt, completion_tokens: answered, total_tokens: prompt + answered }
}

function nested({ id, name, arguments: args }: NonNullable<FakeAnswer['calls']>[number]) {
  return { id, type: 'function', function: { name, arguments: args } }
}
