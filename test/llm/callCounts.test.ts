import * as assert from 'uvu/assert'
import { CallCounts } from '../../src/llm/callCounts.js'
import type { ChatRequest } from '../../src/llm/messages.js'
import { CallAborted, type Completion, type Provider, ProviderFailure } from '../../src/llm/provider.js'
import { usageOf } from '../../src/llm/usage.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'

const test = suite('what calls of models come to')
const prices = new Map([['priced', { input: 2, output: 10 }]])
const completion: Completion = { content: 'Yes.', toolCalls: [], usage: usageOf(1000, 200) }
const request: ChatRequest = { model: 'm', systemPrompt: '', messages: [], tools: [] }
const { signal } = new AbortController()

/** A provider that answers, unless a test has something else happen. */
function counted(complete: () => Promise<Completion> = async () => completion) {
  const provider: Provider = {
    async complete(_request, _signal, tell) {
      await tell?.({ type: 'text', chunk: 'Yes.' })
      return complete()
    }
  }
  const counts = new CallCounts()
  const seen = () =>
    [...counts.all].map(({ model, outcomes, prompt_tokens, completion_tokens, spend_usd, durations }) => ({
      ...{ model, outcomes, tokens: [prompt_tokens, completion_tokens], spend_usd, calls: durations.count }
    }))
  const of = (id: string) => counts.counting(provider, { id, provider: 'openai' }, prices.get(id))
  return { seen, of }
}

const whole = (provider: Provider) => provider.complete(request, signal)
const streamed = (provider: Provider) => provider.complete(request, signal, async () => {})

test('calls as a whole and streamed ones are counted by model, with tokens and what they cost', async () => {
  const { of, seen } = counted()
  assert.is(await whole(of('priced')), completion)
  await streamed(of('priced'))
  await streamed(of('free'))
  const completed = (count: number) => ({ completed: count, failed: 0, cancelled: 0 })
  assert.equal(seen(), [
    { model: 'priced', outcomes: completed(2), tokens: [2000, 400], spend_usd: 0.008, calls: 2 },
    { model: 'free', outcomes: completed(1), tokens: [1000, 200], spend_usd: null, calls: 1 }
  ])
})

test('failed and cancelled calls count with what they have used, and reject as before', async () => {
  const usage = { ...usageOf(10, 0), estimated: true }
  const failure = new ProviderFailure(502, 'gone', usage)
  const failing = counted(() => Promise.reject(failure))
  assert.is(await rejection(whole(failing.of('free'))), failure)
  assert.is(await rejection(streamed(failing.of('free'))), failure)
  assert.equal(failing.seen()[0]?.outcomes, { completed: 0, failed: 2, cancelled: 0 })
  assert.equal(failing.seen()[0]?.tokens, [20, 0])
  const aborted = counted(() => Promise.reject(new CallAborted(usage)))
  await rejection(streamed(aborted.of('free')))
  assert.equal(aborted.seen()[0]?.outcomes, { completed: 0, failed: 0, cancelled: 1 })
})

test.run()
