import * as assert from 'uvu/assert'
import { anthropicBody } from '../../src/llm/anthropic.js'
import type { ChatRequest } from '../../src/llm/messages.js'
import { openAiBody } from '../../src/llm/openai.js'
import { suite } from '../support/suite.js'
import { ask, weather } from './support.js'

const test = suite('what providers are asked')

const conversation: ChatRequest = {
  model: 'a-model',
  systemPrompt: 'Be brief.',
  messages: [
    { role: 'user', content: 'Weather in Oslo and Rome?' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [
        { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { id: 'call_2', name: 'weather', arguments: '{"city":"Rome"' }
      ]
    },
    { role: 'tool', toolCallId: 'call_1', content: 'snow' },
    { role: 'tool', toolCallId: 'call_2', content: null },
    { role: 'tool', toolCallId: null, content: 'lost' },
    {
      role: 'assistant',
      content: 'Snow in Oslo.',
      toolCalls: [{ id: 'function-call:1.2', name: 'weather', arguments: '{}' }]
    },
    { role: 'tool', toolCallId: 'function-call:1.2', content: 'rain' },
    { role: 'system', content: 'Answer in French.' },
    { role: 'user', content: null },
    { role: 'user', content: 'And Rome?' }
  ],
  tools: [weather]
}
const same = (body: unknown, golden: unknown) => assert.equal(JSON.parse(JSON.stringify(body)), golden)

test('OpenAI gets every message as it is, the system prompt first', () => {
  same(openAiBody(conversation), {
    model: 'a-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"' } }
        ]
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'snow' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'tool', content: 'lost' },
      {
        role: 'assistant',
        content: 'Snow in Oslo.',
        tool_calls: [{ id: 'function-call:1.2', type: 'function', function: { name: 'weather', arguments: '{}' } }]
      },
      { role: 'tool', tool_call_id: 'function-call:1.2', content: 'rain' },
      { role: 'system', content: 'Answer in French.' },
      { role: 'user', content: '' },
      { role: 'user', content: 'And Rome?' }
    ],
    tools: [weather]
  })
})

test('OpenAI gets no system message for a blank prompt, no key for no tools, and counts the tokens of a stream', () => {
  const body = { model: 'a-model', messages: [{ role: 'user', content: 'Hi' }] }
  same(openAiBody(ask({ systemPrompt: ' \n ' })), body)
  same(openAiBody(ask(), true), { ...body, stream: true, stream_options: { include_usage: true } })
})

test('Anthropic gets turns of blocks, instructions beside them, and tools in its own words', async () => {
  // Ids of other providers are made fit, and a result that answers nothing is told.
  const id = 'fit'
  same(JSON.parse(JSON.stringify(await anthropicBody(conversation)).replace(/\bcall_[0-9a-f]{40}\b/g, id)), {
    model: 'a-model',
    max_tokens: 8192,
    system: 'Be brief.\n\nAnswer in French.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Oslo and Rome?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: {} }
        ]
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'snow' },
          { type: 'tool_result', tool_use_id: 'call_2' },
          { type: 'text', text: 'lost' }
        ]
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Snow in Oslo.' },
          { type: 'tool_use', id, name: 'weather', input: {} }
        ]
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content: 'rain' },
          { type: 'text', text: 'And Rome?' }
        ]
      }
    ],
    tools: [
      {
        name: 'weather',
        description: 'Tells the weather.',
        input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      }
    ]
  })
})

test('Anthropic gets no empty text, and a turn of the user first', async () => {
  const opening = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }
  same((await anthropicBody(ask({ messages: [] }))).messages, [opening])
  same((await anthropicBody(ask({ messages: [{ role: 'user', content: ' ' }] }))).messages, [opening])
  same((await anthropicBody(ask({ messages: [{ role: 'assistant', content: 'x', toolCalls: [] }] }))).messages, [
    opening,
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] }
  ])
})

test('Anthropic gets only function tools, each with a schema of an object', async () => {
  const tools = [
    { type: 'function', function: { name: 'bare' } },
    { type: 'function', function: { name: 'odd', parameters: { type: null, properties: {} }, description: '' } },
    { type: 'function', function: { name: '' } },
    { type: 'web_search' },
    {}
  ]
  const definitions = [
    { name: 'bare', input_schema: { type: 'object' } },
    { name: 'odd', input_schema: { type: 'object', properties: {} } }
  ]
  same((await anthropicBody(ask({ tools }))).tools ?? [], definitions)
  assert.not('tools' in (await anthropicBody(ask({ tools: [{}] }))))
  same(await anthropicBody(ask({ tools: [] }), true), {
    model: 'a-model',
    max_tokens: 8192,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    stream: true
  })
})

test.run()
