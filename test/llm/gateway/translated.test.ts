import { setImmediate as nextTurn } from 'node:timers/promises'
import { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { APIError as OpenAiError } from 'openai'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { chatToMessages } from '../../../src/llm/gateway/translate/chatToMessages.js'
import { messagesToChat } from '../../../src/llm/gateway/translate/messagesToChat.js'
import { responsesToChat } from '../../../src/llm/gateway/translate/responsesToChat.js'
import { turnsOfOthers } from '../../support/turns.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, json } from '../fakes/upstream.js'
import { CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

let setting: Setting
let libraries: ReturnType<Setting['libraries']>
const test = modelSuite('programs that ask models in the other interface', async (made) => {
  setting = made
  libraries = setting.libraries(await setting.person())
})

const PNG = 'iVBORw0KGgo='
const CALL = { id: 'toolu_1', name: 'weather', arguments: '{"city":"Bern"}' }

/** A conversation with all that both interfaces have, as OpenAI has it. */
const CHAT = {
  model: CLAUDE,
  max_completion_tokens: 300,
  temperature: 0.5,
  stop: 'END',
  user: 'ada',
  messages: [
    { role: 'system' as const, content: 'Be brief.' },
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'What is the weather here?' },
        { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PNG}` } }
      ]
    },
    {
      role: 'assistant' as const,
      content: 'Let me look.',
      tool_calls: [{ id: CALL.id, type: 'function' as const, function: { name: CALL.name, arguments: CALL.arguments } }]
    },
    { role: 'tool' as const, tool_call_id: CALL.id, content: 'Rain.' },
    { role: 'user' as const, content: 'And tomorrow?' }
  ],
  tools: [
    {
      type: 'function' as const,
      function: { name: 'weather', description: 'Tells it.', parameters: { properties: { city: { type: 'string' } } } }
    }
  ],
  tool_choice: 'required' as const,
  parallel_tool_calls: false
}

/** The same as Anthropic has it. */
const MESSAGES = {
  model: GPT,
  max_tokens: 300,
  temperature: 0.5,
  stop_sequences: ['END'],
  metadata: { user_id: 'ada' },
  system: 'Be brief.',
  messages: [
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'What is the weather here?' },
        { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG } }
      ]
    },
    {
      role: 'assistant' as const,
      content: [
        { type: 'text' as const, text: 'Let me look.' },
        { type: 'tool_use' as const, id: CALL.id, name: CALL.name, input: { city: 'Bern' } }
      ]
    },
    {
      role: 'user' as const,
      content: [
        { type: 'tool_result' as const, tool_use_id: CALL.id, content: 'Rain.' },
        { type: 'text' as const, text: 'And tomorrow?' }
      ]
    }
  ],
  tools: [
    {
      name: 'weather',
      description: 'Tells it.',
      input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } }
    }
  ],
  tool_choice: { type: 'any' as const, disable_parallel_tool_use: true }
}

test('what OpenAI’s library asks is asked as Anthropic has it', async () => {
  setting.claude.answer(anthropic.message({ text: 'Sun.', calls: [CALL], usage: [30, 9] }))
  const reply = await libraries.openai.chat.completions.create(CHAT)
  const { tools, ...asked } = setting.claude.requests[0]?.body ?? {}
  const { tools: wanted, ...others } = MESSAGES
  assert.equal(asked, { ...others, model: CLAUDE, messages: asked.messages })
  assert.equal(tools, [{ ...wanted[0], input_schema: { properties: { city: { type: 'string' } }, type: 'object' } }])
  assert.equal(asked.messages, [
    MESSAGES.messages[0],
    MESSAGES.messages[1],
    { role: 'user', content: [...(MESSAGES.messages[2]?.content ?? [])] }
  ])
  const [choice] = reply.choices
  assert.equal([choice?.finish_reason, choice?.message.content], ['tool_calls', 'Sun.'])
  const [call] = choice?.message.tool_calls ?? []
  assert.equal(call, { id: CALL.id, type: 'function', function: { name: CALL.name, arguments: CALL.arguments } })
  assert.equal(reply.usage, { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 })
  const recorded = await setting.newest()
  assert.equal([recorded?.promptTokens, recorded?.completionTokens, recorded?.interface], [30, 9, 'chat.completions'])
})

test('instructions that nobody asks anything behind are what is asked', async () => {
  setting.claude.answer(anthropic.message({ text: 'Rain falls.' }))
  const content = 'Write a line about rain.'
  for (const said of [[{ role: 'system' as const, content }], [{ role: 'developer' as const, content }]]) {
    const reply = await libraries.openai.chat.completions.create({ model: CLAUDE, messages: said })
    assert.is(reply.choices[0]?.message.content, 'Rain falls.')
  }
  await libraries.openai.responses.create({ model: CLAUDE, instructions: content, input: [] })
  for (const { body } of setting.claude.requests) {
    assert.equal(body.messages, [{ role: 'user', content: [{ type: 'text', text: content }] }])
    assert.not('system' in body)
  }
  assert.is(setting.claude.requests.length, 3)
})

test('what Anthropic’s library asks is asked as OpenAI has it', async () => {
  setting.openai.answer(openai.completion({ text: 'Sun.', calls: [CALL], usage: [30, 9] }))
  const reply = await libraries.anthropic.messages.create(MESSAGES)
  const { max_completion_tokens, temperature, user, messages, tool_choice, parallel_tool_calls } = CHAT
  const { tools, ...asked } = setting.openai.requests[0]?.body ?? {}
  assert.equal(asked, {
    ...{ model: GPT, max_completion_tokens, temperature, user, messages, tool_choice, parallel_tool_calls },
    stop: ['END']
  })
  const [tool] = CHAT.tools
  const parameters = { type: 'object', ...tool?.function.parameters }
  assert.equal(tools, [{ ...tool, function: { ...tool?.function, parameters } }])
  assert.equal(reply.content, [
    { type: 'text', text: 'Sun.' },
    { type: 'tool_use', id: CALL.id, name: CALL.name, input: { city: 'Bern' } }
  ])
  assert.equal([reply.stop_reason, reply.role, reply.type], ['tool_use', 'assistant', 'message'])
  assert.equal(reply.usage, { input_tokens: 30, output_tokens: 9 })
})

test('streams are told in the interface that was asked, to both libraries', async () => {
  const answer = {
    text: 'A longer answer 🙂',
    thought: 'Hm.',
    calls: [CALL, { ...CALL, id: 'toolu_2' }],
    usage: [30, 9]
  }
  for (const bytes of [1, 4096]) {
    setting.claude.answer(eventStream(anthropic.events({ ...answer, usage: [30, 9] }), { bytes }))
    const chat = libraries.openai.chat.completions.stream({ ...CHAT, stream_options: { include_usage: true } })
    const whole = await chat.finalChatCompletion()
    assert.is(whole.choices[0]?.message.content, answer.text)
    const calls = whole.choices[0]?.message.tool_calls?.map((one) =>
      'function' in one ? one.function.arguments : null
    )
    assert.equal(calls, [CALL.arguments, CALL.arguments])
    assert.equal([whole.choices[0]?.finish_reason, whole.usage?.total_tokens], ['tool_calls', 39])

    setting.openai.answer(eventStream(openai.chunks({ ...answer, usage: [30, 9] }), { bytes }))
    const message = await libraries.anthropic.messages.stream(MESSAGES).finalMessage()
    assert.equal(
      message.content.map((one) => (one.type === 'text' ? one.text : one.type === 'tool_use' ? one.input : null)),
      [answer.text, { city: 'Bern' }, { city: 'Bern' }]
    )
    assert.equal([message.stop_reason, message.usage.output_tokens], ['tool_use', 9])
    assert.is((await setting.newest())?.completionTokens, 9)
  }
})

test('what a stream counts as null at its end was counted before', async () => {
  const events = anthropic.events({ text: 'Hi', usage: [30, 9] })
  const nulls = events.map((one) =>
    one.replace('"usage":{"output_tokens":9}', '"usage":{"input_tokens":null,"output_tokens":9}')
  )
  assert.not.equal(nulls, events)
  setting.claude.answer(eventStream(nulls))
  const chat = libraries.openai.chat.completions.stream({ ...CHAT, stream_options: { include_usage: true } })
  assert.equal((await chat.finalChatCompletion()).usage, { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 })
})

test('who has not asked for usage is told none', async () => {
  setting.claude.answer(eventStream(anthropic.events({ text: 'Hi' })))
  const stream = await libraries.openai.chat.completions.create({ ...CHAT, stream: true })
  for await (const chunk of stream) assert.is(chunk.usage ?? null, null)
})

test('what a model is told to stop by is told in the words of who has asked', async () => {
  for (const [theirs, ours] of [
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop'],
    ['refusal', 'content_filter']
  ]) {
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: CLAUDE,
      content: [{ type: 'text', text: 'x' }]
    }
    setting.claude.answer(json(200, { ...message, stop_reason: theirs, usage: { input_tokens: 1, output_tokens: 1 } }))
    const reply = await libraries.openai.chat.completions.create(CHAT)
    assert.is(reply.choices[0]?.finish_reason, ours)
  }
})

test('what the other interface has no word for is refused, and nobody is asked', async () => {
  setting.claude.answer(anthropic.message({ text: 'x' }))
  setting.openai.answer(openai.completion({ text: 'x' }))
  const chats: readonly [object, RegExp][] = [
    [{ n: 2 }, /n: This model gives one answer/],
    [{ temperature: 1.5 }, /temperature: This model takes up to 1/],
    [{ logprobs: true }, /logprobs cannot be carried over/],
    [{ response_format: { type: 'json_object' } }, /response_format cannot be carried over/],
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, /Only tools of the client/],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, /type input_audio cannot/],
    [{ messages: 'x' }, /messages: /]
  ]
  for (const [over, says] of chats) {
    const refused = await libraries.openai.chat.completions
      .create({ ...CHAT, ...over })
      .catch((error: unknown) => error)
    assert.ok(refused instanceof OpenAiError)
    assert.is(refused.status, 400)
    assert.match(refused.message, says)
  }
  const others: readonly [object, RegExp][] = [
    [{ top_k: 5 }, /top_k cannot be carried over/],
    [{ mcp_servers: [{ type: 'url' }] }, /mcp_servers cannot be carried over/],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, /Only tools of the client/],
    [{ messages: [{ role: 'user', content: [{ type: 'document', source: {} }] }] }, /cannot be carried over/]
  ]
  for (const [over, says] of others) {
    const refused = await libraries.anthropic.messages.create({ ...MESSAGES, ...over }).catch((error: unknown) => error)
    assert.ok(refused instanceof AnthropicError)
    assert.is(refused.status, 400)
    assert.match(refused.message, says)
  }
  assert.is(setting.claude.requests.length + setting.openai.requests.length, 0)
})

test('what a tool was called with that is nested too deeply is carried over as nothing, in either direction', async () => {
  const text = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const call = { ...CALL, arguments: text }
  const [first, second, third, ...rest] = CHAT.messages
  const said = {
    role: 'assistant' as const,
    tool_calls: [{ id: CALL.id, type: 'function' as const, function: { name: CALL.name, arguments: text } }]
  }
  assert.ok(first && second && third)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  await libraries.openai.chat.completions.create({ ...CHAT, messages: [first, second, said, ...rest] })
  assert.match(JSON.stringify(setting.claude.requests[0]?.body), /"name":"weather","input":{}/)
  setting.openai.answer(openai.completion({ calls: [call] }))
  const { content } = await libraries.anthropic.messages.create(MESSAGES)
  assert.equal(content, [{ type: 'tool_use', id: CALL.id, name: CALL.name, input: {} }])
})

test('Anthropic gets a turn of the user first, whoever has begun', async () => {
  setting.claude.answer(anthropic.message({ text: 'x' }))
  const messages = [{ role: 'assistant' as const, content: 'How can I help?' }, ...HELLO]
  await libraries.openai.chat.completions.create({ model: CLAUDE, messages })
  const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })
  const asked = [said('user', 'Continue.'), said('assistant', 'How can I help?'), said('user', 'Hello')]
  assert.equal(setting.claude.requests[0]?.body.messages, asked)
})

test('hints that a model answers without are left out', async () => {
  setting.claude.answer(anthropic.message({ text: 'x' }))
  const hints = { seed: 7, store: false, metadata: { a: 'b' }, reasoning_effort: 'low' as const, logprobs: false }
  await libraries.openai.chat.completions.create({ ...CHAT, ...hints })
  const { seed, store, reasoning_effort, logprobs } = setting.claude.requests[0]?.body ?? {}
  assert.equal([seed, store, reasoning_effort, logprobs], [undefined, undefined, undefined, undefined])
  assert.equal(setting.claude.requests[0]?.body.metadata, { user_id: 'ada' })
})

test('what a provider refuses or breaks off is told in the interface that was asked', async () => {
  setting.claude.answer(anthropic.error(400, 'invalid_request_error', 'messages: too long'))
  const refused = await libraries.openai.chat.completions.create(CHAT).catch((error: unknown) => error)
  assert.ok(refused instanceof OpenAiError)
  assert.equal([refused.status, refused.type], [400, 'invalid_request_error'])
  assert.match(refused.message, /Anthropic rejected the request: messages: too long/)
  setting.openai.answer(eventStream(openai.chunks({ text: 'Good day' }).slice(0, 2)))
  const broken = libraries.anthropic.messages.stream(MESSAGES).finalMessage()
  assert.ok((await broken.catch((error: unknown) => error)) instanceof Error)
  assert.is((await setting.newest())?.outcome, 'failed')
})

test('others have their turn while very many messages are translated', async () => {
  const messages = Array.from({ length: 50_000 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'x' }))
  for (const [translate, body] of [
    [messagesToChat, { model: GPT, max_tokens: 5, messages }],
    [chatToMessages, { model: CLAUDE, messages }],
    [responsesToChat, { model: CLAUDE, input: messages }]
  ] as const) {
    const turns = await turnsOfOthers(() => translate(body))
    assert.ok(turns > 3, `${translate.name}: ${turns} turns`)
  }
})

test('they have it while one message of very many parts is translated as well', async () => {
  const content = Array.from({ length: 80_000 }, () => ({ type: 'text', text: 'x' }))
  const input = [{ role: 'user', content: content.map((one) => ({ ...one, type: 'input_text' })) }]
  const messages = [{ role: 'user', content }]
  const result = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL.id, content }] }]
  for (const [translate, body] of [
    [messagesToChat, { model: GPT, max_tokens: 5, messages }],
    [messagesToChat, { model: GPT, max_tokens: 5, messages: result }],
    [chatToMessages, { model: CLAUDE, messages }],
    [responsesToChat, { model: CLAUDE, input }]
  ] as const) {
    const turns = await turnsOfOthers(() => translate(body))
    assert.ok(turns > 3, `${translate.name}: ${turns} turns`)
  }
})

test(
  'as many messages, and parts of one, as any body holds are gone through once',
  async () => {
    const passing = { role: 'system', clear_at: 'next_user_message', content: 'x' }
    const messages = [passing, { role: 'user', content: 'x' }, ...Array.from({ length: 100_000 }, () => passing)]
    // Of those for one turn that of the turn before is left out.
    assert.is(
      z.array(z.unknown()).parse((await messagesToChat({ model: GPT, max_tokens: 5, messages })).messages).length,
      100_001
    )
    const parts = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' }))
    const said = [...HELLO, { role: 'user', content: parts }]
    assert.is((await chatToMessages({ model: CLAUDE, messages: said })).messages[0]?.content.length, 200_001)
    // Where they took longer than a test may.
    await nextTurn()
  },
  { timeout_ms: 20_000 }
)

test.run()
