import { APIError } from '@anthropic-ai/sdk'
import type { ContentBlock } from '@anthropic-ai/sdk/resources/messages.js'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, json } from '../fakes/upstream.js'
import { CLAUDE, GPT, modelSuite, type Setting } from './setting.js'

let setting: Setting
let token: string
let libraries: ReturnType<Setting['libraries']>
const test = modelSuite('what agents ask of a model with the other interface', async (made) => {
  setting = made
  token = await setting.person()
  libraries = setting.libraries(token)
})

const HELLO = { role: 'user' as const, content: 'Hello' }
const ASKED = { model: GPT, max_tokens: 100, messages: [HELLO] }
const CHAT = { model: CLAUDE, messages: [HELLO] }
const PNG = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' }
const TOOL = { type: 'function' as const, function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'f', input: {} })

/** What OpenAI is sent of a conversation, behind what the user says first. */
async function sentToOpenAi(messages: readonly object[], more: object = {}) {
  setting.openai.answer(openai.completion({ text: 'x' }))
  await libraries.anthropic.messages.create({ ...ASKED, ...more, messages: [HELLO, ...messages] as never })
  const body = setting.openai.requests[0]?.body ?? {}
  return { body, messages: z.array(z.unknown()).parse(body.messages).slice(1) }
}

async function sentToClaude(more: object): Promise<Record<string, unknown>> {
  setting.claude.answer(anthropic.message({ text: 'x' }))
  await libraries.openai.chat.completions.create({ ...CHAT, ...more })
  return setting.claude.requests[0]?.body ?? {}
}

test('an image that a tool has given is said by the user behind all results', async () => {
  const { messages } = await sentToOpenAi([
    { role: 'assistant', content: [use('t1'), use('t2')] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'image', source: PNG }] },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [
            { type: 'text', text: 'Two.' },
            { type: 'image', source: PNG }
          ]
        },
        { type: 'text', text: 'And now?' }
      ]
    }
  ])
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.data}` } }
  assert.equal(messages.slice(1), [
    { role: 'tool', tool_call_id: 't1', content: 'The result is the image below.' },
    { role: 'tool', tool_call_id: 't2', content: 'Two.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Images of the result of t1:' },
        image,
        { type: 'text', text: 'Images of the result of t2:' },
        image,
        { type: 'text', text: 'And now?' }
      ]
    }
  ])
})

test('what the system says within a conversation stays in its place, and what is for one turn goes with that', async () => {
  const system = (content: unknown, more: object = {}) => ({ role: 'system', content, ...more })
  const { messages } = await sentToOpenAi([
    system('Only once.', { clear_at: 'next_user_message' }),
    { role: 'assistant', content: 'Yes?' },
    system([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' }
    ]),
    { role: 'user', content: 'Go on.' },
    system('Now.', { clear_at: 'next_user_message' }),
    system(undefined, { output_config: { effort: 'low' } })
  ])
  assert.equal(messages, [
    { role: 'assistant', content: 'Yes?' },
    { role: 'system', content: 'Be brief.\n\nBe kind.' },
    { role: 'user', content: 'Go on.' },
    { role: 'system', content: 'Now.' }
  ])
  const refused = await sentToOpenAi([system([{ type: 'image', source: PNG }])]).catch((error: unknown) => error)
  assert.match(String(refused), /400 .*An image or a call of the system cannot be carried over/)
})

test('a result that is an error says so', async () => {
  for (const content of ['bad', [{ type: 'text', text: 'bad' }]]) {
    const result = { type: 'tool_result', tool_use_id: 't1', is_error: true, content }
    const { messages } = await sentToOpenAi([
      { role: 'assistant', content: [use('t1')] },
      { role: 'user', content: [result] }
    ])
    assert.equal(messages[1], { role: 'tool', tool_call_id: 't1', content: 'Error: bad' })
  }
})

test('what of a result has no word there is refused by its type and its place', async () => {
  const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'document', source: PNG }] }
  const refused = await sentToOpenAi([{ role: 'user', content: [result] }]).catch((error: unknown) => error)
  assert.ok(refused instanceof APIError)
  assert.is(refused.status, 400)
  assert.match(
    refused.message,
    /messages\.1\.content\.0\.content\.0\.type: A block of the type document cannot be carried/
  )
})

test('that tools are called one at a time is said without a choice of them too', async () => {
  const { tool_choice } = await sentToClaude({ tools: [TOOL], parallel_tool_calls: false })
  assert.equal(tool_choice, { type: 'auto', disable_parallel_tool_use: true })
})

test('without tools none is chosen, in either direction', async () => {
  for (const more of [{ tool_choice: 'auto' }, { tools: [], tool_choice: 'none' }, { parallel_tool_calls: false }])
    assert.is('tool_choice' in (await sentToClaude(more)), false)
  const { body } = await sentToOpenAi([], { tool_choice: { type: 'auto' } })
  assert.is('tool_choice' in body, false)
})

test('ids of calls that Anthropic does not take are made fit, the same of a call and of its result', async () => {
  const ids = ['x'.repeat(300), 'functions.f:0', 'functions.f:1', '', 'call_1']
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }))
  const { messages } = await sentToClaude({
    messages: [HELLO, { role: 'assistant', content: null, tool_calls: ids.map(call) }, ...results]
  })
  const named = z.looseObject({ id: z.string().optional(), tool_use_id: z.string().optional() })
  const [, calls, given] = z.array(z.object({ content: z.array(named) })).parse(messages)
  const sent = calls?.content.map(({ id = '' }) => id) ?? []
  assert.equal(
    given?.content.map(({ tool_use_id }) => tool_use_id),
    sent
  )
  assert.is(new Set(sent).size, ids.length)
  for (const id of sent) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
  assert.is(sent.at(-1), 'call_1')
})

test('ids of calls and of whoever asks that OpenAI finds too long are made fit, the same of a call and of its result', async () => {
  const ids = [
    'functions.mcp__a_server__with_a_tool_of_a_long_name:3',
    'functions.mcp__a_server__with_a_tool_of_a_long_name:4',
    't1'
  ]
  const results = ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: [{ type: 'image', source: PNG }] }))
  const user_id = `user_${'0'.repeat(64)}_account__session_00000000-0000-0000-0000-000000000000`
  const { body, messages } = await sentToOpenAi(
    [
      { role: 'assistant', content: ids.map(use) },
      { role: 'user', content: results }
    ],
    { metadata: { user_id } }
  )
  const [called, ...answers] = messages
  const calls = z.object({ tool_calls: z.array(z.object({ id: z.string() })) }).parse(called).tool_calls
  const sent = calls.map(({ id }) => id)
  assert.equal(new Set(sent).size, ids.length)
  for (const id of sent) assert.ok(id.length <= 40, id)
  assert.is(sent.at(-1), 't1')
  const given = z.array(z.looseObject({ tool_call_id: z.string() })).parse(answers.slice(0, ids.length))
  assert.equal(
    given.map(({ tool_call_id }) => tool_call_id),
    sent
  )
  for (const id of sent) assert.ok(JSON.stringify(answers.at(-1)).includes(`result of ${id}:`), id)
  const user = z.string().parse(body.user)
  assert.match(user, /^[0-9a-f]{64}$/)
  const { body: again } = await sentToOpenAi([], { metadata: { user_id } })
  assert.is(again.user, user)
  assert.is((await sentToOpenAi([], { metadata: { user_id: 'ada' } })).body.user, 'ada')
})

const answered = (message: object) => json(200, { id: 'z', choices: [{ index: 0, finish_reason: 'stop', message }] })
const PARTS = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
  { type: 'text', text: 'Good ' },
  { type: 'text', text: 'day' }
]

test('an answer in parts is read, plain and streamed', async () => {
  setting.openai.answer(answered({ role: 'assistant', content: PARTS }))
  const { content } = await libraries.anthropic.messages.create(ASKED)
  assert.equal(content, [{ type: 'text', text: 'Good day' }])
  const deltas = PARTS.map((one) => openai.chunk([{ index: 0, delta: { content: [one] }, finish_reason: null }], null))
  const last = openai.chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], null)
  setting.openai.answer(eventStream([...deltas, last, 'data: [DONE]\n\n']))
  assert.is(await libraries.anthropic.messages.stream(ASKED).finalText(), 'Good day')
})

test('a call without an id, and with an object for its arguments, is taken, plain and streamed', async () => {
  const tool_calls = [{ id: null, type: 'function', function: { name: 'f', arguments: { a: 1 } } }]
  const last = openai.chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }], null)
  const chunk = openai.chunk([{ index: 0, delta: { tool_calls }, finish_reason: null }], null)
  setting.openai.answer(answered({ role: 'assistant', content: null, tool_calls }), eventStream([chunk, last]))
  for (const { content, stop_reason } of [
    await libraries.anthropic.messages.create(ASKED),
    await libraries.anthropic.messages.stream(ASKED).finalMessage()
  ]) {
    const [call] = content
    assert.ok(call?.type === 'tool_use')
    assert.equal([call.name, call.input, stop_reason], ['f', { a: 1 }, 'tool_use'])
    assert.match(call.id, /^call_\w{32}$/)
  }
})

test('tokens that only the total tells are told as output, plain and streamed', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 5015 }
  const chunk = openai.chunk([{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }], usage)
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }]
  setting.openai.answer(json(200, { id: 'z', choices, usage }), eventStream([chunk, 'data: [DONE]\n\n']))
  for (const { usage } of [
    await libraries.anthropic.messages.create(ASKED),
    await libraries.anthropic.messages.stream(ASKED).finalMessage()
  ])
    assert.equal([usage.input_tokens, usage.output_tokens], [10, 5005])
})

/** The events of a stream whose provider sends these pieces. */
function pieces(...deltas: readonly object[]): readonly string[] {
  return [
    ...deltas.map((delta) => openai.chunk([{ index: 0, delta, finish_reason: null }], null)),
    openai.chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }], null),
    'data: [DONE]\n\n'
  ]
}
const calls = (...tool_calls: readonly object[]) => ({ tool_calls })
const called = (name: string, args: string) => ({ type: 'function', function: { name, arguments: args } })

/** The blocks that Anthropic's library reads, as texts and as calls by name with their input. */
async function blocks(events: readonly string[]) {
  setting.openai.answer(eventStream(events))
  const { content } = await libraries.anthropic.messages.stream(ASKED).finalMessage()
  return content.map(shown)
}
const shown = (one: ContentBlock) =>
  one.type === 'text' ? one.text : one.type === 'tool_use' ? [one.name, one.input] : one.type
const TWO = [
  ['f', { a: 1 }],
  ['g', { b: 2 }]
]

const told = z.object({ type: z.string(), index: z.number().optional() })
/** The beginnings and ends of blocks in the order in which they are sent. */
async function order(events: readonly string[]): Promise<string> {
  setting.openai.answer(eventStream(events))
  const body = { ...ASKED, stream: true }
  const { text } = await setting.hub.send({ method: 'POST', path: '/v1/messages', token, body })
  const said = Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = '']) => told.parse(JSON.parse(data)))
  const ofBlocks = said.filter(({ type }) => type.startsWith('content_block_') && !type.endsWith('delta'))
  return ofBlocks.map(({ type, index }) => `${type.replace('content_block_', '')}${index}`).join(' ')
}

test('parallel calls that have the same number are calls of their own, by their ids', async () => {
  const [one, two] = [called('f', '{"a":1}'), called('g', '{"b":2}')]
  const events = pieces(calls({ index: 0, id: 'c1', ...one }), calls({ index: 0, id: 'c2', ...two }))
  assert.equal(await blocks(events), TWO)
})

test('so are those without a number, and those without an id too', async () => {
  const [one, two] = [called('f', '{"a":1}'), called('g', '{"b":2}')]
  assert.equal(await blocks(pieces(calls({ id: 'c1', ...one }, { id: 'c2', ...two }))), TWO)
  assert.equal(await blocks(pieces(calls({ ...one }), calls({ index: null, ...two }))), TWO)
  assert.equal(await blocks(pieces(calls({ index: 0, id: '', ...one }, { index: 0, id: '', ...two }))), TWO)
})

test('a call without a number goes on with the next pieces', async () => {
  const events = pieces(
    calls({ id: 'c1', ...called('f', '{"a"') }),
    calls({ id: 'c1', ...called('f', ':') }),
    calls({ function: { arguments: '1}' } })
  )
  assert.equal(await blocks(events), [['f', { a: 1 }]])
})

test('a call without an id gets one that no other has', async () => {
  setting.openai.answer(eventStream(pieces(calls(called('f', '{"a":1}'), called('g', '{"b":2}')))))
  const { content } = await libraries.anthropic.messages.stream(ASKED).finalMessage()
  const ids = content.map((one) => (one.type === 'tool_use' ? one.id : ''))
  assert.is(new Set(ids).size, 2)
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
})

test('what calls tools has stopped for that, also where it says a plain stop', async () => {
  const [last] = [openai.chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], null)]
  setting.openai.answer(eventStream([...pieces(calls(called('f', '{}'))).slice(0, 1), last, 'data: [DONE]\n\n']))
  const { stop_reason } = await libraries.anthropic.messages.stream(ASKED).finalMessage()
  assert.is(stop_reason, 'tool_use')
})

test('a block ends before the next begins', async () => {
  const answer = { text: 'A longer answer', calls: [1, 2].map((n) => ({ id: `c${n}`, name: 'f', arguments: '{}' })) }
  assert.is(await order(openai.chunks(answer)), 'start0 stop0 start1 stop1 start2 stop2')
  const mixed = pieces(calls({ index: 0, id: 'c1', ...called('f', '{"a":1}') }), { content: 'And' }, { content: ' so' })
  assert.is(await order(mixed), 'start0 stop0 start1 stop1')
  assert.equal(await blocks(mixed), [['f', { a: 1 }], 'And so'])
})

test('pieces of calls that come by turns are put together', async () => {
  const events = pieces(
    calls({ index: 0, id: 'c1', ...called('f', '{"a') }),
    calls({ index: 1, id: 'c2', ...called('g', '{"b"') }),
    { content: 'Both.' },
    calls({ index: 0, function: { arguments: '":1}' } }),
    calls({ index: 1, function: { arguments: ':2}' } })
  )
  assert.is(await order(events), 'start0 stop0 start1 stop1 start2 stop2')
  assert.equal(await blocks(events), [...TWO, 'Both.'])
})

test('brackets within texts end no call', async () => {
  const args = '{"a":"}\\\\\\"}","b":[{}]}'
  const events = pieces(
    calls({ index: 0, id: 'c1', ...called('f', args.slice(0, 8)) }),
    calls({ index: 1, id: 'c2', ...called('g', '{"b":2}') }),
    calls({ index: 0, function: { arguments: args.slice(8) } })
  )
  assert.equal(await blocks(events), [
    ['f', JSON.parse(args)],
    ['g', { b: 2 }]
  ])
})

test.run()
