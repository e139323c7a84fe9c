import * as assert from 'uvu/assert'
import { ProviderFailure } from '../../src/llm/provider.js'
import { finalEvents, type StepEvent, stepReply, streamEvents } from '../../src/llm/stepEvents.js'
import { NO_USAGE } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'

const test = suite('events of a streamed step')

const turn = { turnId: 'turn-1', stepIndex: 3 }
const sent = (event: StepEvent) => streamEvents(turn, event)
const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 }
const calls = [
  { id: 'a', name: 'f', arguments: '{}' },
  { id: 'b', name: 'g', arguments: 'x' }
]

test('every event says its version, its turn and its step', () => {
  assert.equal(sent({ type: 'step.start' }), [{ v: 1, type: 'step.start', turnId: 'turn-1', stepIndex: 3 }])
  assert.equal(sent({ type: 'turn.cancelled' }), [{ v: 1, type: 'turn.cancelled', turnId: 'turn-1', stepIndex: 3 }])
})

test('a chunk that is too long becomes several, none of them empty and no character cut in half', () => {
  for (const type of ['delta.text', 'delta.thought'] as const) {
    const chunk = `${'x'.repeat(65_535)}🏔${'é'.repeat(70_000)}`
    const chunks = sent({ type, chunk }).map((event) => ('chunk' in event ? event.chunk : ''))
    assert.is(chunks.join(''), chunk)
    assert.equal(
      chunks.map(({ length }) => length),
      [65_535, 65_536, 4466]
    )
    assert.ok(chunks.every((part) => part.isWellFormed()))
    assert.equal(sent({ type, chunk: '' }), [])
    assert.is(sent({ type, chunk: 'y'.repeat(65_536) }).length, 1)
  }
})

test('what is told of results, contents and failures is cut to what clients accept', () => {
  const lengthOf = (event: StepEvent, key: string) => {
    const [first] = sent(event)
    const text: unknown = Object.entries(first ?? {}).find(([name]) => name === key)?.[1]
    assert.ok(typeof text === 'string' && text.isWellFormed())
    return typeof text === 'string' ? text.length : 0
  }
  const long = '🏔'.repeat(600_000)
  const result = { type: 'tool.result', callId: 'c', name: 'f', owner: 'hub', ok: true } as const
  assert.is(lengthOf({ ...result, summary: long }, 'summary'), 2047)
  assert.is(lengthOf({ ...result, summary: 'x'.repeat(2048) }, 'summary'), 2048)
  assert.is(lengthOf({ ...result, summary: 'x'.repeat(2049) }, 'summary'), 2048)
  assert.is(lengthOf({ type: 'step.end', content: long, usage }, 'content'), 1_048_575)
  assert.is(lengthOf({ type: 'turn.error', message: long }, 'message'), 4095)
  assert.is(lengthOf({ type: 'turn.error', message: '' }, 'message'), 'The chat step failed.'.length)
  assert.equal(sent({ type: 'step.end', content: null, usage }), [
    { v: 1, type: 'step.end', content: null, usage, ...turn }
  ])
})

test('a step that is done announces the calls that the client has to make, and ends', () => {
  const outcome = { kind: 'done', content: 'Hm', toolCalls: calls, hitIterationLimit: false } as const
  assert.equal(finalEvents({ ...outcome, usage: { ...usage, estimated: false } }), [
    { type: 'tool.call', callId: 'a', name: 'f', owner: 'harbor', arguments: '{}' },
    { type: 'tool.call', callId: 'b', name: 'g', owner: 'harbor', arguments: 'x' },
    { type: 'step.end', content: 'Hm', toolCalls: calls, usage }
  ])
  assert.equal(finalEvents({ ...outcome, content: null, toolCalls: [], hitIterationLimit: true, usage: NO_USAGE }), [
    {
      type: 'step.end',
      content: null,
      usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
      iteration: { hitIterationLimit: true, boundary: 'hub_inner' }
    }
  ])
})

test('the reply to a step has a content and a list of calls, whatever the model said', () => {
  const outcome = { kind: 'done', hitIterationLimit: false, usage: { ...usage, estimated: false } } as const
  assert.equal(stepReply({ ...outcome, content: 'Hm', toolCalls: calls }), { content: 'Hm', toolCalls: calls, usage })
  assert.equal(stepReply({ ...outcome, content: null, toolCalls: [] }), { content: '', toolCalls: [], usage })
})

test('a step that failed says why, and one that was cancelled says so', () => {
  const failure = new ProviderFailure(503, 'Come back later.', NO_USAGE)
  assert.equal(finalEvents({ kind: 'failed', failure, cause: new Error('inner'), usage: NO_USAGE }), [
    { type: 'turn.error', message: 'Come back later.' }
  ])
  assert.equal(finalEvents({ kind: 'cancelled', usage: NO_USAGE }), [{ type: 'turn.cancelled' }])
})

test.run()
