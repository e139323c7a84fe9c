import { getEventListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { CallAborted, type ProviderFailure } from '../../src/llm/provider.js'
import { secondsUntil } from '../../src/llm/transport.js'
import { addUsage, estimateUsage, NO_USAGE, usageOf } from '../../src/llm/usage.js'
import { suite } from '../support/suite.js'
import { eventStream, hang, json, type Respond, reset } from './fakes/upstream.js'
import { ask, type Fixture, fixturesOf, never, rejection } from './support.js'

const test = suite('the way to providers')

const fixtures = fixturesOf(test)

test('what may work the next time is tried again, as often as configured', async () => {
  await Promise.all(
    fixtures.map(async (fixture) => {
      const busy = json(429, {}, { 'retry-after': '0.01' })
      fixture.upstream.answer(
        busy,
        reset,
        json(500, {}, { 'retry-after': '0.01' }),
        fixture.whole({ text: 'At last.' })
      )
      const { content, usage } = await fixture.with({ maxRetries: 3 }).complete(ask(), never)
      assert.is(content, 'At last.')
      assert.is(fixture.upstream.requests.length, 4)
      // Of those who failed, the one that broke off may bill what it was sent.
      const sent_chars = JSON.stringify(fixture.upstream.requests[1]?.body).length
      const { promptTokens } = addUsage(estimateUsage(sent_chars, 0), usageOf(11, 7))
      assert.equal([usage.promptTokens, usage.estimated], [promptTokens, true])
      fixture.upstream.answer(busy)
      await rejection(fixture.with({ maxRetries: 1 }).complete(ask(), never))
      assert.is(fixture.upstream.requests.length, 2)
    })
  )
})

test('headers behind which nothing comes are no answer: it is asked again, and then others may be', async () => {
  await Promise.all(
    fixtures.map(async (fixture) => {
      const told: string[] = []
      const tell = async ({ chunk }: { readonly chunk: string }) => void told.push(chunk)
      const silent: Respond = (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      fixture.upstream.answer(silent, eventStream(fixture.pieces({ text: 'At last.' })))
      const provider = fixture.with({ timeoutSeconds: 2, maxRetries: 1 })
      assert.is((await provider.complete(ask(), never, tell)).content, 'At last.')
      assert.is(told.join(''), 'At last.')
      fixture.upstream.answer(silent)
      const failed = async (maxRetries: number) =>
        (await rejection(
          fixture.with({ timeoutSeconds: 0.1, maxRetries }).complete(ask(), never, tell)
        )) as ProviderFailure
      const [once, again] = [await failed(0), await failed(1)]
      assert.equal([once.status, once.unanswered], [504, { status: null }])
      assert.ok(once.usage.promptTokens > 0, 'it may be at work on it')
      assert.is(again.usage.promptTokens, 2 * once.usage.promptTokens)
    })
  )
})

test('what cannot work the next time is not tried again', async () => {
  for (const fixture of fixtures) {
    for (const status of [400, 401, 403, 404]) {
      fixture.upstream.answer(fixture.error(status, 'no'))
      await rejection(fixture.with({ maxRetries: 3 }).complete(ask(), never))
      assert.is(fixture.upstream.requests.length, 1)
    }
  }
})

test('nobody is kept waiting for long: who asks learns when to come back', async () => {
  for (const fixture of fixtures) {
    fixture.upstream.answer(json(429, {}, { 'retry-after': '60', 'retry-after-ms': '60000' }))
    const error = await rejection(fixture.with({ maxRetries: 3 }).complete(ask(), never))
    assert.match((error as ProviderFailure).message, /is limiting the hub's requests\. Try again in 60 seconds\.$/)
    assert.is(fixture.upstream.requests.length, 1)
  }
})

test('an abort ends a call at once: before the answer, and between two attempts', async () => {
  for (const fixture of fixtures) {
    for (const answer of [hang, json(503, {}, { 'retry-after': '5' })]) {
      fixture.upstream.answer(answer)
      const client = new AbortController()
      const call = rejection(fixture.with({ maxRetries: 1 }).complete(ask(), client.signal))
      while (fixture.upstream.requests.length === 0) await setTimeout(5)
      await setTimeout(20)
      client.abort()
      const error = await call
      assert.instance(error, CallAborted)
      assert.is((error as CallAborted).usage.estimated, true)
      assert.is(fixture.upstream.requests.length, 1, 'nobody is asked again')
    }
    fixture.upstream.answer(hang)
    const client = new AbortController()
    const call = rejection(fixture.provider.complete(ask(), client.signal))
    while (fixture.upstream.requests.length === 0) await setTimeout(5)
    client.abort()
    await fixture.upstream.requests[0]?.abandoned
    await call
  }
})

test('a call that is aborted before it begins asks nobody and has used nothing', async () => {
  for (const fixture of fixtures) {
    fixture.upstream.answer(hang)
    const error = await rejection(fixture.provider.complete(ask(), AbortSignal.abort()))
    assert.instance(error, CallAborted)
    assert.is((error as CallAborted).usage.totalTokens, 0)
    assert.is(fixture.upstream.requests.length, 0)
  }
})

test('a call leaves no listener behind on the signal of its caller', async () => {
  const client = new AbortController()
  for (const fixture of fixtures) {
    fixture.upstream.answer(fixture.whole({ text: 'x' }), fixture.error(400, 'no'))
    await fixture.provider.complete(ask(), client.signal)
    await rejection(fixture.provider.complete(ask(), client.signal))
  }
  assert.is(getEventListeners(client.signal, 'abort').length, 0)
})

test('an answer that is too large is given up', async () => {
  const { provider, upstream: openai } = fixtures[0] as Fixture
  openai.answer(json(200, { choices: [{ message: { content: 'x'.repeat(33 * 1024 * 1024) } }] }))
  const error = await rejection(provider.complete(ask(), never))
  assert.is((error as ProviderFailure).message, 'OpenAI sent an answer that is too large.')
})

test('a provider that takes no connection cannot be reached, which is not to be slow, and uses nothing', async () => {
  const original = globalThis.fetch
  const code = 'UND_ERR_CONNECT_TIMEOUT'
  const cause = Object.assign(new Error('Connect Timeout Error'), { code })
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
  try {
    for (const { provider } of fixtures) {
      const error = (await rejection(provider.complete(ask(), never))) as ProviderFailure
      assert.match(error.message, /could not be reached \(ETIMEDOUT\)/)
      assert.equal([error.status, error.usage], [502, NO_USAGE])
    }
  } finally {
    globalThis.fetch = original
  }
})

test('a time to try again may be in seconds or a date', () => {
  assert.is(secondsUntil('7'), 7)
  assert.is(secondsUntil('-7'), 0)
  assert.is(secondsUntil('soon'), null)
  assert.is(secondsUntil(''), null)
  assert.is(secondsUntil(null), null)
  const seconds = secondsUntil(new Date(Date.now() + 30_000).toUTCString())
  assert.ok(seconds !== null && seconds > 27 && seconds <= 30)
  assert.is(secondsUntil(new Date(0).toUTCString()), 0)
})

test.run()
