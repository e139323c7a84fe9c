import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { streamStep } from '../../src/llm/chat.js'
import { type ChatStep, runStep, type StepOutcome } from '../../src/llm/step.js'
import { openEventStream } from '../../src/net/sse.js'
import { suite } from '../support/suite.js'
import type { FakeAnswer } from './fakes/answer.js'
import { eventsOf, type Served, serve, textOf } from './fakes/client.js'
import { hubToolsOf, scripted } from './fakes/scripted.js'
import { type Received, stepwise } from './fakes/upstream.js'
import { ask, type Fixture, fixturesOf, streamed, weather } from './support.js'

const test = suite('streamed steps')

const ref = { turnId: 'turn-1', stepIndex: 0 }
const stamp = { v: 1, ...ref }
const fixtures = fixturesOf(test)
let served: Served
let next: { readonly step: Omit<ChatStep, 'emit' | 'signal'>; settle(outcome: StepOutcome): Promise<void> }
let outcomes: Promise<StepOutcome>[] = []
test.before(async () => {
  served = await serve((response) => {
    const stream = openEventStream(response)
    const { step, settle } = next
    const outcome = streamStep(stream, ref, async (left, emit) => {
      const outcome = await runStep({ ...step, signal: left, ...(emit && { emit }) })
      await settle(outcome)
      return outcome
    })
    outcome.catch(() => {})
    outcomes.push(outcome)
  })
})
test.before.each(() => {
  outcomes = []
})
test.after(() => served.close())

/** Prepares the answer to the next requests; returns what was settled for them. */
function prepare(over: Partial<typeof next.step>): StepOutcome[] {
  const settled: StepOutcome[] = []
  const hubTools = hubToolsOf({ hubmcp__0__find: async () => ({ text: 'r', ok: true }) })
  next = {
    step: {
      request: ask(),
      provider: scripted({}),
      hubTools,
      timeoutSeconds: 5,
      toolCallsPerStep: 64,
      ...over
    },
    async settle(outcome) {
      settled.push(outcome)
    }
  }
  return settled
}

const read = async () => eventsOf(await textOf(await served.request()))

test('a whole step through every provider: text, a call of the hub, text, a call of the client', async () => {
  const hubCall = { id: 'call_1', name: 'hubmcp__0__find', arguments: '{"q":"Oslo"}' }
  const clientCall = { id: 'call_2', name: 'weather', arguments: '{"city":"Oslo"}' }
  for (const fixture of fixtures) {
    fixture.upstream.answer(
      streamed(fixture, { text: 'Look:', calls: [hubCall] }),
      streamed(fixture, { text: 'Now.', calls: [clientCall], usage: [20, 3] })
    )
    const settled = prepare({ provider: fixture.provider, request: ask({ tools: [weather] }) })
    const usage = { promptTokens: 31, completionTokens: 10, totalTokens: 41 }
    assert.equal(await read(), [
      { type: 'step.start', ...stamp },
      { type: 'delta.text', chunk: 'Look:', ...stamp },
      {
        type: 'tool.call',
        callId: 'call_1',
        name: 'hubmcp__0__find',
        owner: 'hub',
        arguments: '{"q":"Oslo"}',
        ...stamp
      },
      {
        type: 'tool.result',
        callId: 'call_1',
        name: 'hubmcp__0__find',
        owner: 'hub',
        summary: 'r',
        ok: true,
        ...stamp
      },
      { type: 'delta.text', chunk: 'Now.', ...stamp },
      { type: 'tool.call', callId: 'call_2', name: 'weather', owner: 'harbor', arguments: '{"city":"Oslo"}', ...stamp },
      { type: 'step.end', content: 'Now.', toolCalls: [clientCall], usage, ...stamp }
    ])
    assert.equal(
      settled.map((outcome) => outcome.usage),
      [{ ...usage, estimated: false }]
    )
  }
})

test('what was used is settled before the client is told of the end', async () => {
  prepare({ provider: scripted({ content: 'x' }) })
  let settledAt = 0
  next = {
    ...next,
    async settle() {
      await setTimeout(30)
      settledAt = performance.now()
    }
  }
  const reply = await served.request()
  let text = ''
  let endAt = 0
  for await (const part of reply) {
    text += part
    if (endAt === 0 && text.includes('step.end')) endAt = performance.now()
  }
  assert.ok(settledAt > 0 && endAt >= settledAt)
})

test('where it cannot be settled, the step has failed for the client, and for the caller', async () => {
  prepare({ provider: scripted({ content: 'x' }) })
  next = { ...next, settle: () => Promise.reject(new Error('the database is gone')) }
  const events = await read()
  assert.equal(events.at(-1), {
    type: 'turn.error',
    message: 'What this step used could not be recorded. Try again in a moment.',
    ...stamp
  })
  const [outcome] = await Promise.allSettled(outcomes)
  assert.is(outcome?.status === 'rejected' && outcome.reason.message, 'the database is gone')
})

const long: FakeAnswer = {
  text: 'Twenty chars or more.',
  calls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
  usage: [50, 20]
}

test(
  'a client may leave at every chunk: the provider is let go at once, and what was used is settled',
  async () => {
    for (const fixture of fixtures) {
      const events = fixture.pieces(long)
      for (let sent = 0; sent < events.length; sent += 1) {
        await leaveAfter(fixture, events, sent)
      }
    }
  },
  { timeout_ms: 30_000 }
)

async function leaveAfter(fixture: Fixture, events: readonly string[], sent: number): Promise<void> {
  let released = 0
  let waiting = () => {}
  const reached = new Promise<void>((resolve) => {
    waiting = resolve
  })
  let received: Received | undefined
  fixture.upstream.answer((response, request) => {
    received = request
    return stepwise(events, async () => {
      released += 1
      if (released <= sent) return
      waiting()
      await request.abandoned
    })(response, request)
  })
  const settled = prepare({ provider: fixture.provider })
  const reply = await served.request()
  reply.resume()
  await reached
  // What was sent has arrived and been passed on before the client leaves.
  await setTimeout(5)
  reply.destroy()
  await received?.abandoned
  const [outcome] = await Promise.all(outcomes.splice(0))
  assert.is(settled.length, 1)
  assert.is(settled[0], outcome)
  assert.is(outcome?.kind, 'cancelled')
  const usage = outcome?.usage
  assert.ok(usage?.estimated && usage.promptTokens > 0, `${fixture.name} after ${sent}: ${JSON.stringify(usage)}`)
  assert.ok(usage.completionTokens <= 20)
  if (sent === events.length - 1) assert.ok(usage.completionTokens >= 9, JSON.stringify(usage))
}

test.run()
