import * as assert from 'uvu/assert'
import type { ChatRequest } from '../../src/llm/messages.js'
import type { UsageReport } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'
import type { FakeAnswer } from './fakes/answer.js'
import * as openai from './fakes/openai.js'
import { eventStream, json } from './fakes/upstream.js'
import { ask, type Fixture, fixturesOf, gather, KEYS, never, streamed, weather } from './support.js'

const test = suite('what providers answer')

const fixtures = fixturesOf(test)

const of = (name: keyof typeof KEYS): Fixture => {
  const found = fixtures.find((fixture) => fixture.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

const two = [
  { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
  { id: 'call_2', name: 'weather', arguments: '{"city":"Zürich 🏔"}' }
]
const answers: Readonly<Record<string, FakeAnswer>> = {
  text: { text: 'Grüße aus Zürich: 🏔️ and a lot more text.' },
  'a call': { calls: two.slice(0, 1) },
  'text and parallel calls': { text: 'I look.', calls: two, usage: [1000, 99] }
}
const expected = ({ text, calls = [], usage: [prompt, answered] = [11, 7] }: FakeAnswer) => ({
  content: text ?? null,
  toolCalls: calls,
  usage: { promptTokens: prompt, completionTokens: answered, totalTokens: prompt + answered }
})

for (const [what, answer] of Object.entries(answers)) {
  test(`${what} comes back the same from every provider, streamed or not`, async () => {
    for (const fixture of fixtures) {
      fixture.upstream.answer(fixture.whole(answer))
      assert.equal(await fixture.provider.complete(ask({ tools: [weather] }), never), expected(answer))
      for (const bytes of [3, 64, Number.POSITIVE_INFINITY]) {
        fixture.upstream.answer(streamed(fixture, answer, { bytes }))
        const { text, completion } = await gather(fixture.provider, ask({ tools: [weather] }), never)
        assert.equal([text, completion], [answer.text ?? '', expected(answer)], `cut every ${bytes} bytes`)
      }
    }
  })
}

test('what a model asked for can be sent back to it with the results, streamed or not', async () => {
  const history: ChatRequest['messages'] = [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, toolCalls: two },
    { role: 'tool', toolCallId: 'call_1', content: 'snow' },
    { role: 'tool', toolCallId: 'call_2', content: '' }
  ]
  for (const fixture of fixtures) {
    const request = ask({ messages: history, tools: [weather], systemPrompt: 'Be brief.' })
    // The fakes are as strict as the real ones: a bad mapping gets 400.
    fixture.upstream.answer(fixture.whole({ text: 'Cold.' }))
    assert.is((await fixture.provider.complete(request, never)).content, 'Cold.')
    fixture.upstream.answer(streamed(fixture, { text: 'Cold.' }))
    assert.is((await gather(fixture.provider, request, never)).text, 'Cold.')
  }
})

test('the key goes into the header, and neither the environment nor the SDK adds an account', async () => {
  process.env.OPENAI_ORG_ID = 'org-of-somebody'
  process.env.OPENAI_PROJECT_ID = 'project-of-somebody'
  for (const { name, upstream, whole, with: make } of fixtures) {
    upstream.answer(whole({ text: 'x' }))
    await make({}).complete(ask(), never)
    const { headers } = upstream.requests[0] ?? {}
    const account = name === 'claude' ? [undefined, KEYS.claude] : [`Bearer ${KEYS[name]}`, undefined]
    assert.equal([headers?.authorization, headers?.['x-api-key']], account)
    assert.is(headers?.['openai-organization'], undefined)
    assert.is(headers?.['openai-project'], undefined)
  }
  delete process.env.OPENAI_ORG_ID
  delete process.env.OPENAI_PROJECT_ID
})

test('the address of Anthropic may be given with its version', async () => {
  const { upstream, whole, with: make } = of('claude')
  upstream.answer(whole({ text: 'x' }))
  assert.is((await make({ baseUrl: `${upstream.url}/v1` }).complete(ask(), never)).content, 'x')
  assert.is(upstream.requests[0]?.path, '/v1/messages')
})

test('thoughts are told apart from text, and are no content', async () => {
  // Of Gemini there are none.
  for (const fixture of [of('claude'), of('openai')]) {
    fixture.upstream.answer(streamed(fixture, { text: 'Yes.', thought: 'Hmm, let me see.' }))
    const { text, thought, completion } = await gather(fixture.provider, ask(), never)
    assert.equal([text, thought, completion?.content], ['Yes.', 'Hmm, let me see.', 'Yes.'])
  }
  const { upstream, provider, whole } = of('claude')
  upstream.answer(whole({ text: 'Yes.', thought: 'Hmm.' }))
  assert.is((await provider.complete(ask(), never)).content, 'Yes.')
})

test('only calls of functions with an id and a name are kept', async () => {
  const { upstream, provider } = of('openai')
  const good = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const tool_calls = [
    { ...good, id: '' },
    { ...good, function: { name: '', arguments: '{}' } },
    { ...good, type: 'custom' },
    { id: 'd', type: 'function' },
    null,
    good
  ]
  upstream.answer(json(200, { choices: [{ message: { role: 'assistant', content: null, tool_calls } }] }))
  assert.equal((await provider.complete(ask(), never)).toolCalls, [{ id: 'c', name: 'f', arguments: '{}' }])
  const { upstream: other, provider: claude } = of('claude')
  const content = [
    { type: 'tool_use', id: '', name: 'f', input: {} },
    { type: 'server_tool_use', id: 's', name: 'web', input: {} },
    { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } }
  ]
  other.answer(json(200, { type: 'message', content, usage: { input_tokens: 1, output_tokens: 1 } }))
  assert.equal((await claude.complete(ask(), never)).toolCalls, [{ id: 'c', name: 'f', arguments: '{"a":1}' }])
})

test('usage that is missing or makes no sense is reckoned by what was sent and written, and a total is never below its parts', async () => {
  const { upstream, provider } = of('openai')
  const choices = [{ message: { content: 'x' } }]
  const isReckoned = (usage: Partial<UsageReport> = {}) => {
    assert.equal([usage.estimated, usage.completionTokens], [true, 1])
    assert.ok(usage.promptTokens && usage.promptTokens > 10)
  }
  const odd = { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: 'x' }
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  for (const usage of [undefined, null, 'many', {}, odd, zeros]) {
    upstream.answer(json(200, { choices, usage }))
    isReckoned((await provider.complete(ask(), never)).usage)
  }
  upstream.answer(json(200, { choices, usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 0 } }))
  const counted = { promptTokens: 3, completionTokens: 2, totalTokens: 5 }
  assert.equal((await provider.complete(ask(), never)).usage, counted)
  upstream.answer(eventStream(openai.chunks({ text: 'x' }).filter((event) => !event.includes('"usage":{'))))
  isReckoned((await gather(provider, ask(), never)).completion?.usage)
})

test('calls of a stream are told apart by index, or by id where the indices are missing or alike', async () => {
  const { upstream, provider } = of('openai')
  const delta = (tool_calls: readonly object[], finish_reason: string | null = null) =>
    openai.chunk([{ index: 0, delta: { tool_calls }, finish_reason }], null)
  const expectedCalls = [
    { id: 'a', name: 'f', arguments: '{"x":1}' },
    { id: 'b', name: 'g', arguments: '{}' }
  ]
  const streams = [
    [
      delta([{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }]),
      delta([{ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{' } }]),
      delta([{ index: 0, function: { arguments: '{"x"' } }]),
      delta(
        [
          { index: 1, function: { arguments: '}' } },
          { index: 0, id: 'a', function: { arguments: ':1}' } }
        ],
        'stop'
      )
    ],
    [
      delta([{ id: 'a', function: { name: 'f', arguments: '{"x"' } }]),
      delta([{ function: { arguments: ':1}' } }]),
      delta([{ id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }], 'stop')
    ]
  ]
  for (const events of streams) {
    upstream.answer(eventStream(events))
    const { completion } = await gather(provider, ask(), never)
    assert.equal(completion?.toolCalls, expectedCalls)
  }
})

test.run()
