import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { ProviderFailure } from '../../src/llm/provider.js'
import { type ChatStep, MAX_PROVIDER_CALLS, runStep } from '../../src/llm/step.js'
import type { StepEvent } from '../../src/llm/stepEvents.js'
import { stepReply } from '../../src/llm/stepEvents.js'
import type { HubToolResult } from '../../src/llm/tools.js'
import { estimateUsage, NO_USAGE, type UsageReport } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'
import { call, hubToolsOf, type Reply, scripted } from './fakes/scripted.js'
import { ask, never, rejection, weather } from './support.js'

const test = suite('the step loop')

const good = (text: string) => async (): Promise<HubToolResult> => ({ text, ok: true })
const step = (provider: ChatStep['provider'], over: Partial<ChatStep> = {}): ChatStep => ({
  request: ask(),
  provider,
  hubTools: hubToolsOf({}),
  signal: never,
  timeoutSeconds: 5,
  toolCallsPerStep: 64,
  ...over
})
const times = (count: number, estimated = false): UsageReport => {
  return { promptTokens: 10 * count, completionTokens: 5 * count, totalTokens: 15 * count, estimated }
}

/** Runs the step whole and streamed: both have to end alike. */
async function both(script: readonly Reply[], over: () => Partial<ChatStep>) {
  const whole = await runStep(step(scripted(...script), over()))
  const events: StepEvent[] = []
  const emit = async (event: StepEvent) => void events.push(event)
  const provider = scripted(...script)
  const streamed = await runStep(step(provider, { ...over(), emit }))
  assert.equal(streamed, whole)
  return { outcome: whole, events, asked: provider.asked }
}

test('an answer without calls is the answer', async () => {
  const { outcome, events, asked } = await both([{ content: 'Hello there' }], () => ({
    request: ask({ tools: [weather] })
  }))
  assert.equal(outcome, {
    kind: 'done',
    content: 'Hello there',
    toolCalls: [],
    hitIterationLimit: false,
    usage: times(1)
  })
  assert.equal(events, [
    { type: 'step.start' },
    { type: 'delta.text', chunk: 'Hell' },
    { type: 'delta.text', chunk: 'o th' },
    { type: 'delta.text', chunk: 'ere' }
  ])
  assert.equal(asked, [ask({ tools: [weather] })])
})

test('calls of the hub’s tools are made in order, and the model is asked again with the results', async () => {
  const first = [call('hubmcp__0__find', '{"q":"x"}', 'a'), call('search_docs', '{broken', 'b')]
  const second = [call('hubmcp__0__find', '[1]', 'c')]
  const script = [{ content: 'Let me look.', toolCalls: first }, { toolCalls: second }, { content: 'Found.' }]
  const tools = () =>
    hubToolsOf({
      hubmcp__0__find: good('r1'),
      search_docs: async () => ({ text: '{"error":"no index"}', ok: false })
    })
  const hubTools = tools()
  const { outcome, events, asked } = await both(script, () => ({ hubTools, request: ask({ tools: [weather] }) }))
  assert.equal(outcome, { kind: 'done', content: 'Found.', toolCalls: [], hitIterationLimit: false, usage: times(3) })
  const once = [
    ['hubmcp__0__find', { q: 'x' }],
    ['search_docs', {}],
    ['hubmcp__0__find', {}]
  ]
  assert.equal(hubTools.called, [...once, ...once])
  const offered = [
    { type: 'function', function: { name: 'hubmcp__0__find' } },
    { type: 'function', function: { name: 'search_docs' } },
    weather
  ]
  for (const { tools } of asked) assert.equal(tools, offered)
  assert.equal(asked[2]?.messages, [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Let me look.', toolCalls: first },
    { role: 'tool', toolCallId: 'a', content: 'r1' },
    { role: 'tool', toolCallId: 'b', content: '{"error":"no index"}' },
    { role: 'assistant', content: null, toolCalls: second },
    { role: 'tool', toolCallId: 'c', content: 'r1' }
  ])
  assert.equal(events.slice(4, 10), [
    { type: 'tool.call', callId: 'a', name: 'hubmcp__0__find', owner: 'hub', arguments: '{"q":"x"}' },
    { type: 'tool.result', callId: 'a', name: 'hubmcp__0__find', owner: 'hub', summary: 'r1', ok: true },
    { type: 'tool.call', callId: 'b', name: 'search_docs', owner: 'hub', arguments: '{broken' },
    { type: 'tool.result', callId: 'b', name: 'search_docs', owner: 'hub', summary: '{"error":"no index"}', ok: false },
    { type: 'tool.call', callId: 'c', name: 'hubmcp__0__find', owner: 'hub', arguments: '[1]' },
    { type: 'tool.result', callId: 'c', name: 'hubmcp__0__find', owner: 'hub', summary: 'r1', ok: true }
  ])
})

test('a call of the client beside calls of the hub ends the step, and those of the hub are dropped', async () => {
  const hubTools = hubToolsOf({ hubmcp__0__find: good('r') })
  const mine = call('weather')
  const toolCalls = [call('hubmcp__0__find'), mine, call('search_docs')]
  const { outcome, events } = await both([{ toolCalls }], () => ({ hubTools }))
  assert.equal(outcome.kind === 'done' && outcome.toolCalls, [mine])
  assert.equal(hubTools.called, [])
  assert.equal(events, [{ type: 'step.start' }])
})

test('a hub tool that does not exist, or breaks, is an error for the model and not for the client', async () => {
  const hubTools = () => hubToolsOf({ hubmcp__0__bad: () => Promise.reject(new Error('secret detail')) })
  const script = [
    { toolCalls: [call('hubmcp__0__bad'), call('hubmcp__7__gone'), call('search_docs')] },
    { content: 'Sorry.' }
  ]
  const { outcome, asked } = await both(script, () => ({ hubTools: hubTools() }))
  assert.is(outcome.kind, 'done')
  assert.equal(
    asked[1]?.messages.slice(2).map(({ content }) => content),
    [
      '{"error":"The tool failed."}',
      '{"error":"This tool is not available."}',
      '{"error":"This tool is not available."}'
    ]
  )
})

test('a model that never stops is asked eight times, and the answer says so', async () => {
  const hubTools = () => hubToolsOf({ hubmcp__0__find: good('r') })
  const { outcome, events, asked } = await both([{ content: 'Again', toolCalls: [call('hubmcp__0__find')] }], () => ({
    hubTools: hubTools()
  }))
  assert.is(MAX_PROVIDER_CALLS, 8)
  assert.is(asked.length, 8)
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  assert.match(outcome.content ?? '', /^I have stopped here: this hub lets me work with its tools 8 times in a row/)
  assert.equal([outcome.toolCalls, outcome.hitIterationLimit, outcome.usage], [[], true, times(8)])
  assert.is(events.filter(({ type }) => type === 'tool.result').length, 7)
  assert.equal(events.at(-1), { type: 'delta.text', chunk: outcome.content })
})

test('a model that asks for thousands of tools at once gets none of them, and the answer says so', async () => {
  for (const name of ['hubmcp__0__find', 'weather']) {
    const toolCalls = Array.from({ length: 1000 }, (_, at) => call(name, '{}', `call_${at}`))
    const hubTools = hubToolsOf({ hubmcp__0__find: good('r') })
    const { outcome, events, asked } = await both([{ content: 'All', toolCalls }], () => ({ hubTools }))
    if (outcome.kind !== 'done') throw new Error(outcome.kind)
    assert.match(outcome.content ?? '', /^I have stopped here: this hub lets me use 64 tools in one step/)
    assert.equal([outcome.toolCalls, outcome.hitIterationLimit, outcome.usage], [[], true, times(1)])
    assert.equal([hubTools.called, asked.length], [[], 1])
    assert.equal(events.at(-1), { type: 'delta.text', chunk: outcome.content })
  }
})

test('the calls of a step are counted over all of its answers', async () => {
  const three = { toolCalls: [1, 2, 3].map((at) => call('hubmcp__0__find', '{}', `call_${at}`)) }
  for (const [toolCallsPerStep, made] of [
    [6, 6],
    [5, 3]
  ] as const) {
    const hubTools = hubToolsOf({ hubmcp__0__find: good('r') })
    const provider = scripted(three, three, { content: 'Done' })
    const outcome = await runStep(step(provider, { hubTools, toolCallsPerStep }))
    assert.is(hubTools.called.length, made)
    assert.is(outcome.kind === 'done' && outcome.hitIterationLimit, made === 3)
  }
})

test('tools that say too much in one step are not all listened to', async () => {
  const toolCalls = [1, 2, 3].map((at) => call('hubmcp__0__find', '{}', `call_${at}`))
  const hubTools = () => hubToolsOf({ hubmcp__0__find: good('x'.repeat(LIMITS.toolResults.max / 2)) })
  const { asked, events } = await both([{ toolCalls }, { content: 'Done' }], () => ({ hubTools: hubTools() }))
  const results = asked[1]?.messages.flatMap(({ role, content }) => (role === 'tool' ? content : [])) ?? []
  assert.equal(results.map((text) => text?.length).slice(0, 2), [
    LIMITS.toolResults.max / 2,
    LIMITS.toolResults.max / 2
  ])
  assert.is(results[2], '{"error":"The tools have said too much in this step."}')
  assert.equal(
    events.flatMap((event) => (event.type === 'tool.result' ? event.ok : [])),
    [true, true, false]
  )
})

test('a failure in a later call tells what all of them have used', async () => {
  const failure = new ProviderFailure(503, 'OpenAI has trouble.', estimateUsage(40, 20))
  const script = [{ toolCalls: [call('hubmcp__0__find')] }, { toolCalls: [call('hubmcp__0__find')] }, failure]
  const { outcome } = await both(script, () => ({ hubTools: hubToolsOf({ hubmcp__0__find: good('r') }) }))
  const usage = { promptTokens: 30, completionTokens: 15, totalTokens: 45, estimated: true }
  assert.equal(outcome.usage, usage)
  assert.is(outcome.kind === 'failed' && outcome.failure, failure)
  assert.throws(
    () => stepReply(outcome),
    (error: unknown) => error === failure
  )
})

test('a fault of the hub itself is a failure whose cause is kept for the log, and for who answers', async () => {
  const fault = new TypeError('x is not a function')
  const { outcome } = await both([fault], () => ({}))
  if (outcome.kind !== 'failed') throw new Error(outcome.kind)
  assert.equal([outcome.failure.status, outcome.failure.message], [502, 'The chat step failed.'])
  assert.is(outcome.cause, fault)
  assert.throws(
    () => stepReply(outcome),
    (error: unknown) => error === fault
  )
  const broken = { offered: () => Promise.reject(fault) }
  const other = await both([{ content: 'x' }], () => ({ hubTools: broken }))
  assert.is(other.outcome.kind === 'failed' && other.outcome.cause, fault)
  assert.equal(other.outcome.usage, NO_USAGE)
})

const find = { toolCalls: [call('hubmcp__0__find')] }
const hangs: Readonly<
  Record<string, readonly [script: readonly Reply[], usage: UsageReport, over?: Partial<ChatStep>]>
> = {
  'the provider': [['hang'], estimateUsage(400, 0)],
  'a later call of the provider': [
    [find, 'hang'],
    { promptTokens: 110, completionTokens: 5, totalTokens: 115, estimated: true },
    { hubTools: hubToolsOf({ hubmcp__0__find: good('r') }) }
  ],
  'a tool': [[find], times(1), { hubTools: hubToolsOf({ hubmcp__0__find: () => new Promise(() => {}) }) }],
  'the list of tools': [[{ content: 'x' }], NO_USAGE, { hubTools: { offered: () => new Promise(() => {}) } }]
}
for (const [what, [script, usage, over]] of Object.entries(hangs)) {
  test(`when ${what} hangs, the time limit ends the step with 504, and so does a client that leaves`, async () => {
    const late = await runStep(step(scripted(...script), { ...over, timeoutSeconds: 0.05 }))
    if (late.kind !== 'failed') throw new Error(late.kind)
    assert.is(late.failure.status, 504)
    assert.match(late.failure.message, /^The answer took longer than the 0\.05 seconds that this hub allows\./)
    assert.equal(late.usage, usage)
    const signal = AbortSignal.timeout(20)
    const left = await runStep(step(scripted(...script), { ...over, signal, emit: async () => {} }))
    assert.equal(left, { kind: 'cancelled', usage })
    const refusal = await rejection((async () => stepReply(left))())
    assert.is((refusal as ProviderFailure).status, 503)
  })
}

test('a client that reads no further holds the step up until its time is over, and no longer', async () => {
  const provider = scripted({ content: 'A long text in many chunks' })
  const emit = (event: StepEvent) => (event.type === 'delta.text' ? new Promise<void>(() => {}) : Promise.resolve())
  const outcome = await runStep(step(provider, { emit, timeoutSeconds: 0.05 }))
  assert.is(outcome.kind === 'failed' && outcome.failure.status, 504)
  assert.is(outcome.usage.estimated, true)
})

test('a client that has left before the step begins costs nothing', async () => {
  const provider = scripted({ content: 'x' })
  const outcome = await runStep(step(provider, { signal: AbortSignal.abort() }))
  assert.equal(outcome, { kind: 'cancelled', usage: NO_USAGE })
  assert.is(provider.asked.length, 0)
})

test('a step leaves no listener behind on the signal of its client', async () => {
  const { signal } = new AbortController()
  await both([{ toolCalls: [call('hubmcp__0__find')] }], () => {
    return { signal, hubTools: hubToolsOf({ hubmcp__0__find: good('r') }), emit: async () => {} }
  })
  assert.is(getEventListeners(signal, 'abort').length, 0)
})

test.run()
