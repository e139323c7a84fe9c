import { z } from 'zod'
import { type FakeAnswer, piecesOf } from './answer.js'
import { json, type Received, type Respond, startUpstream, type Upstream } from './upstream.js'

const id = z.string().regex(/^[a-zA-Z0-9_-]+$/)
const text = z.strictObject({ type: z.literal('text'), text: z.string().regex(/\S/) })
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown())
})
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.string().min(1).optional()
})

const request = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.string().regex(/\S/).optional(),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.literal('user'), content: z.array(z.union([text, toolResult])).min(1) }),
        z.strictObject({ role: z.literal('assistant'), content: z.array(z.union([text, toolUse])).min(1) })
      ])
    )
    .min(1),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') })
      })
    )
    .min(1)
    .optional(),
  stream: z.literal(true).optional()
})

/** The Messages API as far as the hub uses it, as strict as the real one about who asks and what. */
export async function startAnthropic(apiKey: string): Promise<Upstream> {
  return startUpstream((received) => refusal(received, apiKey))
}

function refusal({ method, path, headers, body }: Received, apiKey: string): Respond | null {
  const key = headers['x-api-key']
  if (key !== apiKey) return error(401, 'authentication_error', `invalid x-api-key: ${key}`)
  if (!headers['anthropic-version']) return error(400, 'invalid_request_error', 'anthropic-version: header is required')
  if (method !== 'POST' || path !== '/v1/messages') return error(404, 'not_found_error', `Not found: ${path}`)
  const parsed = request.safeParse(body)
  if (!parsed.success) return error(400, 'invalid_request_error', z.prettifyError(parsed.error))
  const complaint = complaintAbout(parsed.data.messages)
  return complaint === null ? null : error(400, 'invalid_request_error', complaint)
}

function complaintAbout(messages: z.infer<typeof request>['messages']): string | null {
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== (at % 2 === 0 ? 'user' : 'assistant'))
      return `messages.${at}: roles must alternate, beginning with user`
    const before = messages[at - 1]?.content ?? []
    const asked = before.flatMap((block) => (block.type === 'tool_use' ? block.id : []))
    const answered = content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []))
    if (asked.some((one) => !answered.includes(one))) return `messages.${at}: tool_use without tool_result after it`
    if (answered.some((one) => !asked.includes(one))) return `messages.${at}: unexpected tool_use_id in tool_result`
  }
  return null
}

/** An error as Anthropic words it. */
export function error(status: number, type: string, message: string): Respond {
  return json(status, { type: 'error', error: { type, message }, request_id: 'req_1' }, { 'request-id': 'req_1' })
}

/** A message. */
export function message({ text, thought, calls = [], usage = [11, 7] }: FakeAnswer): Respond {
  return json(200, {
    ...beginning,
    content: [
      ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: 's' }]),
      ...(text === undefined ? [] : [{ type: 'text', text, citations: null }]),
      ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args) }))
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input_tokens: usage[0], output_tokens: usage[1] }
  })
}

/** The same as the events of a stream. */
export function events({ text, thought, calls = [], usage = [11, 7] }: FakeAnswer): readonly string[] {
  const blocks = [
    ...(thought === undefined
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            ...piecesOf(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
            { type: 'signature_delta', signature: 's' }
          ]
        ]),
    ...(text === undefined
      ? []
      : [[{ type: 'text', text: '' }, ...piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece }))]]),
    ...calls.map(({ id, name, arguments: args }) => [
      { type: 'tool_use', id, name, input: {} },
      ...['', ...piecesOf(args)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    ])
  ]
  return [
    event('message_start', {
      message: { ...beginning, content: [], usage: { input_tokens: usage[0], output_tokens: 1 } }
    }),
    event('ping', {}),
    event('some_new_event', { anything: true }),
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      event('content_block_start', { index, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index })
    ]),
    event('message_delta', {
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage[1] }
    }),
    event('message_stop', {})
  ]
}

/** One event of a stream. */
export function event(type: string, body: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`
}

const beginning = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5-5',
  stop_reason: null,
  stop_sequence: null
}
