import type { ContentBlock } from '@anthropic-ai/sdk/resources/messages.js'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { eventStream } from '../fakes/upstream.js'
import { aHubWithModels, GPT, type Setting } from './setting.js'

const test = suite('streams of OpenAI-compatible providers, told as Anthropic has it')
let setting: Setting
let token: string
test.before(async () => {
  setting = await aHubWithModels()
  token = await setting.person()
})
test.after(() => setting.close())

const ASKED = { model: GPT, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }

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
  const { content } = await setting.libraries(token).anthropic.messages.stream(ASKED).finalMessage()
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
  const { content } = await setting.libraries(token).anthropic.messages.stream(ASKED).finalMessage()
  const ids = content.map((one) => (one.type === 'tool_use' ? one.id : ''))
  assert.is(new Set(ids).size, 2)
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
})

test('what calls tools has stopped for that, also where it says a plain stop', async () => {
  const [last] = [openai.chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], null)]
  setting.openai.answer(eventStream([...pieces(calls(called('f', '{}'))).slice(0, 1), last, 'data: [DONE]\n\n']))
  const { stop_reason } = await setting.libraries(token).anthropic.messages.stream(ASKED).finalMessage()
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
