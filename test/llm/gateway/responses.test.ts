import { APIError } from 'openai'
import * as assert from 'uvu/assert'
import * as anthropic from '../fakes/anthropic.js'
import { eventStream, json } from '../fakes/upstream.js'
import { CLAUDE, modelSuite, type Setting } from './setting.js'

let setting: Setting
let openai: ReturnType<Setting['libraries']>['openai']
const test = modelSuite('responses asked of a model of Anthropic', async (made) => {
  setting = made
  openai = setting.libraries(await setting.person()).openai
})

const PNG = 'iVBORw0KGgo='
const IMAGE = { type: 'input_image' as const, detail: 'auto' as const, image_url: `data:image/png;base64,${PNG}` }
const BLOCK = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
const CALL = { id: 'toolu_1', name: 'weather', arguments: '{"city":"Bern"}' }
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }

/** A conversation with all that agents send. */
const ASKED = {
  model: CLAUDE,
  instructions: 'Be brief.',
  max_output_tokens: 300,
  temperature: 0.5,
  input: [
    { role: 'developer' as const, content: 'Speak German.' },
    {
      type: 'message' as const,
      role: 'user' as const,
      content: [{ type: 'input_text' as const, text: 'What is this?' }, IMAGE]
    },
    { type: 'reasoning' as const, id: 'rs_1', summary: [], encrypted_content: 'secret' },
    { type: 'function_call' as const, call_id: CALL.id, name: CALL.name, arguments: CALL.arguments },
    {
      type: 'function_call_output' as const,
      call_id: CALL.id,
      output: [{ type: 'input_text' as const, text: 'Rain.' }, IMAGE]
    },
    { role: 'user' as const, content: 'And tomorrow?' }
  ],
  tools: [{ type: 'function' as const, name: 'weather', description: 'Tells it.', parameters: SCHEMA, strict: false }],
  tool_choice: { type: 'function' as const, name: 'weather' },
  parallel_tool_calls: false,
  ...{ store: false, include: ['reasoning.encrypted_content' as const], prompt_cache_key: 'k' },
  ...{ reasoning: { effort: 'low' as const }, text: { verbosity: 'low' as const } }
}

test('is asked as messages have it, and answered as responses have it', async () => {
  setting.claude.answer(anthropic.message({ thought: 'Hm.', text: 'Sun.', calls: [CALL], usage: [30, 9] }))
  const reply = await openai.responses.create(ASKED)
  assert.equal(setting.claude.requests[0]?.body, {
    ...{ model: CLAUDE, max_tokens: 300, temperature: 0.5, system: 'Be brief.\n\nSpeak German.' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, BLOCK] },
      { role: 'assistant', content: [{ type: 'tool_use', id: CALL.id, name: CALL.name, input: { city: 'Bern' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: CALL.id, content: [{ type: 'text', text: 'Rain.' }, BLOCK] },
          { type: 'text', text: 'And tomorrow?' }
        ]
      }
    ],
    tools: [{ name: 'weather', description: 'Tells it.', input_schema: SCHEMA }],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true }
  })
  assert.equal([reply.status, reply.output_text, reply.model], ['completed', 'Sun.', CLAUDE])
  const [, call] = reply.output
  assert.ok(call?.type === 'function_call')
  assert.equal([call.call_id, call.name, call.arguments], [CALL.id, CALL.name, CALL.arguments])
  assert.equal([reply.usage?.input_tokens, reply.usage?.output_tokens, reply.usage?.total_tokens], [30, 9, 39])
  const recorded = await setting.newest()
  assert.equal([recorded?.promptTokens, recorded?.completionTokens, recorded?.interface], [30, 9, 'responses'])
})

test('streams tell the same, item by item', async () => {
  const answer = { thought: 'Hm.', text: 'A longer answer 🙂', calls: [CALL, { ...CALL, id: 'toolu_2' }] }
  for (const bytes of [1, 4096]) {
    setting.claude.answer(eventStream(anthropic.events({ ...answer, usage: [30, 9] }), { bytes }))
    const types = new Map<string, number>()
    const stream = openai.responses.stream({ ...ASKED, input: 'Hello' })
    let next = 0
    for await (const event of stream) {
      types.set(event.type, (types.get(event.type) ?? 0) + 1)
      assert.is(event.sequence_number, next++)
    }
    const whole = await stream.finalResponse()
    assert.equal([whole.status, whole.output_text, whole.usage?.total_tokens], ['completed', answer.text, 39])
    const calls = whole.output.flatMap((one) => (one.type === 'function_call' ? [[one.call_id, one.arguments]] : []))
    assert.equal(calls, [
      [CALL.id, CALL.arguments],
      ['toolu_2', CALL.arguments]
    ])
    assert.equal(
      [types.get('response.created'), types.get('response.output_item.done'), types.get('response.completed')],
      [1, 3, 1]
    )
  }
  assert.is((await setting.newest())?.completionTokens, 9)
})

test('a response that was cut off says so', async () => {
  for (const [stop_reason, reason] of [
    ['max_tokens', 'max_output_tokens'],
    ['refusal', 'content_filter']
  ]) {
    const content = [{ type: 'text', text: 'x' }]
    const said = { id: 'm', type: 'message', role: 'assistant', model: CLAUDE, content, stop_reason }
    setting.claude.answer(json(200, { ...said, usage: { input_tokens: 1, output_tokens: 1 } }))
    const reply = await openai.responses.create({ model: CLAUDE, input: 'Hello' })
    assert.equal([reply.status, reply.incomplete_details?.reason], ['incomplete', reason])
  }
})

for (const [what, input] of [
  ['that takes nothing is called with an object', {}],
  ['whose call comes at once is called with what came', { zone: 'CET' }]
] as const)
  test(`a tool ${what}, in both interfaces of OpenAI`, async () => {
    const { event } = anthropic
    const block = { type: 'tool_use', id: 'toolu_1', name: 'now', input }
    const events = [
      event('message_start', { message: { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } } }),
      event('content_block_start', { index: 0, content_block: block }),
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '' } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } }),
      event('message_stop', {})
    ]
    setting.claude.answer(eventStream(events))
    const response = await openai.responses.stream({ model: CLAUDE, input: 'Hello' }).finalResponse()
    const [item] = response.output
    assert.ok(item?.type === 'function_call')
    assert.is(item.arguments, JSON.stringify(input))
    const asked = { model: CLAUDE, messages: [{ role: 'user' as const, content: 'Hello' }] }
    const [choice] = (await openai.chat.completions.stream(asked).finalChatCompletion()).choices
    const [call] = choice?.message.tool_calls ?? []
    assert.ok(call?.type === 'function')
    assert.is(call.function.arguments, JSON.stringify(input))
  })

test('what is neither a text nor a call of a tool of the client is told nothing of, whatever comes of it', async () => {
  const { event } = anthropic
  const started = { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } }
  const piece = (delta: object, index: number) => event('content_block_delta', { index, delta })
  const events = [
    event('message_start', { message: started }),
    event('content_block_start', {
      index: 0,
      content_block: { type: 'server_tool_use', id: 's', name: 'web', input: {} }
    }),
    piece({ type: 'input_json_delta', partial_json: '{"query":"x"}' }, 0),
    event('content_block_stop', { index: 0 }),
    event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
    piece({ type: 'text_delta', text: 'Sun.' }, 1),
    event('content_block_stop', { index: 1 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }),
    event('message_stop', {})
  ]
  setting.claude.answer(eventStream(events))
  assert.is((await openai.responses.stream({ model: CLAUDE, input: 'Hello' }).finalResponse()).output_text, 'Sun.')
  const asked = { model: CLAUDE, messages: [{ role: 'user' as const, content: 'Hello' }] }
  const [choice] = (await openai.chat.completions.stream(asked).finalChatCompletion()).choices
  assert.is(choice?.message.content, 'Sun.')
})

test('what messages have no word for is refused, and nobody is asked', async () => {
  setting.claude.answer(anthropic.message({ text: 'x' }))
  const user = (part: object) => [{ role: 'user', content: [part] }]
  const calls: readonly [object, RegExp][] = [
    [{ tools: [{ type: 'web_search' }] }, /Only tools of the client/],
    [
      { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'x', input: 'y' }] },
      /input\.0.*An item of this type cannot/
    ],
    [{ input: user({ type: 'input_file', file_url: 'https://x' }) }, /type input_file cannot be carried over/],
    [{ input: user({ type: 'input_image' }) }, /type input_image cannot be carried over/],
    [{ input: [{ role: 'user' }] }, /input\.0\.content: /],
    [{ input: 7 }, /input: /],
    [{ text: { format: { type: 'json_object' } } }, /text cannot be carried over/],
    [{ top_logprobs: 3 }, /top_logprobs cannot be carried over/]
  ]
  for (const [over, says] of calls) {
    const sent = openai.post('/responses', { body: { model: CLAUDE, input: 'Hello', ...over } })
    const refused = await sent.then(
      () => null,
      (error: unknown) => error
    )
    assert.ok(refused instanceof APIError, says.source)
    assert.is(refused.status, 400)
    assert.match(refused.message, says)
  }
  assert.is(setting.claude.requests.length, 0)
})

test.run()
