import * as assert from 'uvu/assert'
import { errors } from '../../src/errors.js'
import { boundedCalls } from '../../src/llm/boundedCalls.js'
import type { Tokens } from '../../src/llm/reservation.js'
import { runStep } from '../../src/llm/step.js'
import { usageOf } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'
import { turnsOfOthers } from '../support/turns.js'
import { hubToolsOf, scripted } from './fakes/scripted.js'
import { ask, never } from './support.js'

const test = suite('calls of a step that budgets count')

const TOOL = { id: 'call', name: 'hubmcp__0__look', arguments: '{}' }

/** A step whose model looks something up and then answers, of a budget that has so many tokens, and is gone after so many calls. */
async function step(tokens: number, calls = 2) {
  const provider = scripted(
    { toolCalls: [TOOL], usage: usageOf(100, 50) },
    { content: 'Done.', usage: usageOf(300, 20) }
  )
  const hubTools = hubToolsOf({ hubmcp__0__look: async () => ({ text: 'x'.repeat(400), ok: true }) })
  const reserved: Tokens[] = []
  const reservation = {
    async reserve(asked: Tokens) {
      if (asked.atLeast > tokens) throw errors.llmBudgetUsedUp('All', '2026-03-05T00:00:00.000Z')
      reserved.push(asked)
      return reserved.length > calls ? 0 : Math.min(asked.tokens, tokens)
    }
  }
  const { tools } = await hubTools.offered([], never)
  const request = { ...ask(), tools }
  const bounded = await boundedCalls(provider, request, reservation)
  const limits = { timeoutSeconds: 5, toolCallsPerStep: 4 }
  const outcome = await runStep({ request: ask(), provider: bounded, hubTools, signal: never, ...limits })
  return { outcome, reserved, asked: provider.asked }
}

test('each call asks for what the step has used and what it can use, and may write what is held of it', async () => {
  const { outcome, reserved, asked } = await step(5000)
  assert.is(outcome.kind, 'done')
  assert.is(reserved.length, 2)
  const [first, next] = reserved
  assert.ok(first && next)
  // The second has read what the first one has, and the result of the tool.
  assert.ok(next.input > first.input + 100 + 400, `${first.input} ${next.input}`)
  assert.is(next.atLeast, next.input + 50 + 256)
  assert.equal(
    asked.map(({ mostOutput }) => mostOutput),
    [5000 - first.input, 5000 - next.input - 50]
  )
})

test('a step ends with the refusal of a call that too little is left for, and tells what it has used', async () => {
  const { outcome, reserved } = await step(1700)
  assert.is(reserved.length, 1)
  assert.ok(outcome.kind === 'failed')
  assert.is(outcome.failure.status, 402)
  assert.equal([outcome.usage.promptTokens, outcome.usage.completionTokens], [100, 50])
})

test('a step whose budget is gone meanwhile writes as much as one that none counts', async () => {
  const { outcome, asked } = await step(5000, 1)
  assert.is(outcome.kind, 'done')
  const [first, next] = asked
  assert.ok(Number(first?.mostOutput) > 1000)
  assert.is(next?.mostOutput, undefined)
})

test('others have their turn while a long conversation is counted', async () => {
  const messages = Array.from({ length: 50_000 }, () => ({ role: 'user', content: 'x'.repeat(100) }) as const)
  const held: Tokens[] = []
  const reserve = async (asked: Tokens) => held.push(asked)
  const turns = await turnsOfOthers(() => boundedCalls(scripted(), ask({ messages }), { reserve }))
  assert.ok(Number(held[0]?.input) > 50_000 * 100)
  assert.ok(turns > 3, `${turns} turns`)
})

test.run()
