import * as assert from 'uvu/assert'
import { Durations } from '../../src/lib/histogram.js'
import type { ModelCalls } from '../../src/llm/callCounts.js'
import { models } from '../../src/ops/probing.js'
import { suite } from '../support/suite.js'

const test = suite('the check of models in a running hub')

const calls = (model: string, completed: number, failed: number): ModelCalls => ({
  ...{ provider: 'openai', model, durations: new Durations(), prompt_tokens: 0, completion_tokens: 0 },
  ...{ spend_usd: null, outcomes: { completed, failed, cancelled: 9 } }
})
const found = (offered: number | null, ...all: readonly ModelCalls[]) =>
  models.run({ models: () => offered, calls: () => all })

test('where none are configured there is nothing to look at', async () => {
  assert.equal(
    (await found(null)).map(({ state }) => state),
    ['skipped']
  )
})

test('a call that fails now and then is well', async () => {
  const text = '3 models are on offer; they were called 12 times since the start.'
  assert.equal(await found(3, calls('a', 8, 1), calls('b', 2, 1)), [{ state: 'ok', text }])
})

test('a model of which more calls fail than are answered is told by its name', async () => {
  const findings = await found(3, calls('a', 8, 0), calls('b', 1, 4))
  assert.equal(
    findings.map(({ subject, state, text }) => [subject, state, text]),
    [['b', 'warning', '4 of 5 calls have failed since the start.']]
  )
})

test.run()
