import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { argumentsOf, startsTurn, stepBody, streamBody } from '../../src/llm/messages.js'
import { suite } from '../support/suite.js'

const test = suite('bodies of chat steps')

const refusals = (body: unknown) => stepBody.safeParse(body).error?.issues.map(({ path }) => path.join('.'))

test('the smallest body is a model and no messages', () => {
  assert.equal(stepBody.parse({ model: 'm', messages: [] }), { model: 'm', messages: [], tools: [], systemPrompt: '' })
})

test('all roles are read, with what belongs to them, and unknown keys are ignored', () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u', name: 'Ann', tool_call_id: 'x' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: '{}', extra: 1 }] },
      { role: 'tool', tool_call_id: 'c1', name: 'f', content: 'r' },
      { role: 'assistant', tool_calls: [] },
      { role: 'tool', content: 'without an id' }
    ],
    tools: null,
    systemPrompt: 'be kind',
    temperature: 2
  }
  assert.equal(stepBody.parse(body), {
    model: 'm',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'f', arguments: '{}' }] },
      { role: 'tool', content: 'r', toolCallId: 'c1' },
      { role: 'assistant', content: null, toolCalls: [] },
      { role: 'tool', content: 'without an id', toolCallId: null }
    ],
    tools: [],
    systemPrompt: 'be kind'
  })
})

test('tools are passed on untouched', () => {
  const tool = JSON.parse('{"type":"function","function":{"name":"f"},"__proto__":{"x":1},"more":[1,{"y":null}]}')
  const [parsed] = stepBody.parse({ model: 'm', messages: [], tools: [tool] }).tools
  assert.is(parsed, tool)
})

test('what is missing or of the wrong kind is named', () => {
  assert.equal(refusals({}), ['model', 'messages'])
  assert.equal(refusals({ model: '', messages: {} }), ['model', 'messages'])
  assert.equal(refusals({ model: 'm', messages: [{ role: 'robot' }, { role: 'user', content: 1 }] }), [
    'messages.0.role'
  ])
  assert.equal(refusals({ model: 'm', messages: [{ role: 'assistant', tool_calls: [{ id: 'x', name: 'f' }] }] }), [
    'messages.0.tool_calls.0.arguments'
  ])
  assert.equal(refusals({ model: 'm', messages: [], tools: [1, [], null, {}], systemPrompt: 1 }), [
    'tools.0',
    'systemPrompt'
  ])
  assert.equal(refusals([]), [''])
})

test('a streamed step says where it belongs', () => {
  const valid = (turnId: unknown, stepIndex: unknown) =>
    streamBody.safeParse({ model: 'm', messages: [], turnId, stepIndex }).success
  assert.is(valid('t', 0), true)
  assert.is(valid('t'.repeat(128), 7), true)
  for (const turnId of ['', 't'.repeat(129), undefined, 5]) assert.is(valid(turnId, 0), false)
  for (const stepIndex of [-1, 0.5, '1', undefined, null]) assert.is(valid('t', stepIndex), false)
})

test('only a last message of the user begins a turn', () => {
  const starts = (...roles: readonly string[]) =>
    startsTurn(stepBody.parse({ model: 'm', messages: roles.map((role) => ({ role, content: '' })) }))
  assert.is(starts('user'), true)
  assert.is(starts('user', 'assistant', 'user'), true)
  assert.is(starts('user', 'tool'), false)
  assert.is(starts('assistant'), false)
  assert.is(starts(), false)
})

test('arguments that are no object, too long, or would take long to parse are none', () => {
  const of = (text: string) => argumentsOf({ id: 'c', name: 'f', arguments: text })
  assert.equal(of('{"a":[1]}'), { a: [1] })
  const large = [`{"a":"${'x'.repeat(LIMITS.toolArguments.max)}"}`, `{"a":${'['.repeat(100_000)}`]
  for (const text of ['', '{', '[]', '"x"', 'null', '7', ...large]) assert.equal(of(text), {})
})

test.run()
