import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { llmReservationsTable } from '../../../commands/llm/table.js'
import { ask, askWhole } from '../../../src/llm/gateway/ask.js'
import { Attempts } from '../../../src/llm/gateway/attempts.js'
import { KeyRing } from '../../../src/llm/gateway/keyRing.js'
import { CallAborted, ProviderFailure } from '../../../src/llm/provider.js'
import { StorageUnavailable } from '../../../src/storage/storage.js'
import { until } from '../../http/support.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, hang, hangAfter, json, type Respond, reset, type Upstream } from '../fakes/upstream.js'
import { aHubWithModels, CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

let setting: Setting
const test = modelSuite(
  'what calls cost that are left, or fail without a count',
  (made) => {
    setting = made
  },
  { timeoutSeconds: 2 }
)

const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages'
const limited = (llmMonthlyTokenLimit: number) => setting.person({ llmMonthlyTokenLimit })
/** A call, which is left as soon as the signal says so. */
const call = (token: string, path: string, body: object, signal?: AbortSignal) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify({ messages: HELLO, ...body }) }
  return fetch(setting.hub.url + path, { ...sent, signal: signal ?? null })
}

/** Makes a call and leaves it when a provider has it; what is recorded of it. */
async function leftUnanswered(token: string, path: string, body: object, provider: Upstream) {
  const before = (await setting.recorded()).length
  const leaving = new AbortController()
  const asked = call(token, path, body, leaving.signal).then(
    ({ status }) => status,
    () => 'left'
  )
  await until(() => provider.requests[0] ?? null)
  leaving.abort()
  assert.is(await asked, 'left')
  await provider.requests[0]?.abandoned
  return until(async () => (await setting.recorded())[before] ?? null)
}

/** Reads a stream until it has told so much, and leaves it; what is recorded of it. */
async function leftWithin(token: string, path: string, body: object, isEnough: (text: string) => boolean) {
  const before = (await setting.recorded()).length
  const leaving = new AbortController()
  const reply = await call(token, path, { ...body, stream: true }, leaving.signal)
  assert.is(reply.status, 200)
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of reply.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (isEnough(text)) break
  }
  leaving.abort()
  return until(async () => (await setting.recorded())[before] ?? null)
}

test('a plain call that is left counts what was sent and all that it lets the model write', async () => {
  const token = await limited(3000)
  for (const respond of [hang, hangAfter({ 'content-type': 'application/json' }, '{"id":')]) {
    setting.openai.answer(respond)
    const step = await leftUnanswered(token, CHAT, { model: GPT, max_tokens: 1200 }, setting.openai)
    assert.equal([step.outcome, step.estimated, step.completionTokens], ['cancelled', true, 1200])
    assert.ok(step.promptTokens > 5 && step.promptTokens < 50, String(step.promptTokens))
  }
  assert.is(await setting.held(token), 0)
  // So the third finds nothing left.
  assert.is((await call(token, CHAT, { model: GPT, max_tokens: 1200 })).status, 402)
})

test('one that names no bound counts what it was let write', async () => {
  const token = await limited(1000)
  setting.openai.answer(hang)
  const step = await leftUnanswered(token, CHAT, { model: GPT }, setting.openai)
  assert.ok(step.completionTokens > 800 && step.completionTokens < 1000, String(step.completionTokens))
  assert.ok((await setting.usage(token)) <= 1000)
})

test('an embedding that is left counts what was sent, and an image in a call no more than an image', async () => {
  const token = await limited(10_000)
  setting.openai.answer(hang)
  const embedding = { model: GPT, input: 'x'.repeat(400) }
  const step = await leftUnanswered(token, '/v1/embeddings', embedding, setting.openai)
  assert.equal([step.completionTokens, step.promptTokens > 100 && step.promptTokens < 150], [0, true])
  setting.claude.answer(hang)
  const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(100_000) }
  const messages = [{ role: 'user', content: [{ type: 'image', source }] }]
  const image = await leftUnanswered(token, MESSAGES, { model: CLAUDE, max_tokens: 5, messages }, setting.claude)
  assert.ok(image.promptTokens >= 5000 && image.promptTokens < 5500, String(image.promptTokens))
})

const content = (text: string) => openai.chunk([{ index: 0, delta: { content: text }, finish_reason: null }], null)
const called = (text: string) => {
  const tool = { index: 0, function: { arguments: text } }
  return openai.chunk([{ index: 0, delta: { tool_calls: [tool] }, finish_reason: null }], null)
}

test('a stream that is left counts what was written of texts and arguments, and not how it was wrapped', async () => {
  const token = await limited(3000)
  const pieces = [...Array.from({ length: 500 }, () => content('a')), ...Array.from({ length: 500 }, () => called('b'))]
  setting.openai.answer(eventStream(pieces, { ending: 'hang' }))
  const isAll = (text: string) => text.split('\n\n').length > 1000
  const step = await leftWithin(token, CHAT, { model: GPT, max_tokens: 1200 }, isAll)
  assert.equal([step.outcome, step.estimated, step.completionTokens], ['cancelled', true, 250])
  await setting.openai.requests[0]?.abandoned
  const warnings = setting.hub.log.filter(({ msg }) => msg === 'an answer of a model broke off')
  assert.equal(warnings, [], 'who leaves is no failure of the provider')
})

test('a stream ends when its token is revoked, also while its provider says nothing', async () => {
  const token = await setting.person()
  const before = (await setting.recorded()).length
  setting.openai.answer(eventStream([content('a')], { ending: 'hang' }))
  const reader = (await call(token, CHAT, { model: GPT, stream: true })).body?.getReader()
  assert.not.ok((await reader?.read())?.done)
  await setting.hub.send({ method: 'POST', path: '/auth/sign-out', token })
  await setting.openai.requests[0]?.abandoned
  const step = await until(async () => (await setting.recorded())[before] ?? null)
  assert.is(step.outcome, 'cancelled')
  assert.ok((await reader?.read().catch((error: unknown) => error)) instanceof Error)
})

test('so does a call that is answered as a whole, a count of tokens and a step of a chat', async () => {
  const asked = { max_tokens: 9, messages: HELLO }
  for (const [path, body, provider] of [
    [CHAT, { model: GPT, ...asked }, setting.openai],
    ['/v1/messages/count_tokens', { model: CLAUDE, messages: HELLO }, setting.claude],
    ['/llm/chat/step', { model: GPT, messages: HELLO }, setting.openai]
  ] as const) {
    const token = await setting.person()
    provider.answer(hang)
    const answer = call(token, path, body).then(
      ({ status }) => status,
      () => 'ended'
    )
    const request = await until(() => provider.requests[0] ?? null)
    await setting.hub.send({ method: 'POST', path: '/auth/sign-out', token })
    await request.abandoned
    // By itself it ends with 504 after two seconds.
    assert.is(await answer, path === '/llm/chat/step' ? 503 : 'ended', path)
  }
})

test('so does one of Anthropic, with what it thought, and one that is carried over', async () => {
  const events = anthropic.events({ thought: 't'.repeat(200), text: 'x'.repeat(200), usage: [33, 1] }).slice(0, -2)
  for (const [path, seen] of [
    [MESSAGES, '"text_delta","text":"x'],
    [CHAT, '"content":"x']
  ] as const) {
    setting.claude.answer(eventStream(events, { ending: 'hang' }))
    const isAll = (text: string) => text.includes(seen) && (text.match(/x/g)?.length ?? 0) >= 200
    const step = await leftWithin(await setting.person(), path, { model: CLAUDE, max_tokens: 300 }, isAll)
    assert.equal([step.outcome, step.promptTokens, step.completionTokens], ['cancelled', 33, 100])
  }
})

test('one of a response does too, each text once', async () => {
  const delta = { type: 'response.output_text.delta', delta: 'x'.repeat(40) }
  const done = { type: 'response.output_text.done', text: 'x'.repeat(40) }
  const events = [delta, done].map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
  setting.openai.answer(eventStream(events, { ending: 'hang' }))
  const body = { model: GPT, input: 'Hello' }
  const step = await leftWithin(await setting.person(), '/v1/responses', body, (text) => text.includes('.done'))
  assert.equal([step.outcome, step.completionTokens], ['cancelled', 10])
})

test('no estimate is above what was reserved, however much a provider sends', async () => {
  const token = await limited(1000)
  setting.openai.answer(eventStream([content('a'.repeat(100_000))], { ending: 'hang' }))
  const step = await leftWithin(token, CHAT, { model: GPT, max_tokens: 500 }, (text) => text.length > 100_000)
  assert.is(step.completionTokens, 500)
  setting.openai.answer(json(200, { choices: [{ message: { role: 'assistant', content: 'a'.repeat(100_000) } }] }))
  const before = (await setting.recorded()).length
  assert.is((await call(token, CHAT, { model: GPT, max_tokens: 100 })).status, 200)
  const whole = await until(async () => (await setting.recorded())[before] ?? null)
  assert.equal([whole.outcome, whole.completionTokens], ['completed', 100])
})

/** Sends all of an answer, and keeps the connection. */
const kept = (events: readonly string[]): Respond => eventStream(events, { ending: 'hang' })
const ENDS = [
  ['[DONE]', CHAT, GPT, 'openai', kept([...openai.chunks({ text: 'Good day', usage: [10, 200] })])],
  ['message_stop', MESSAGES, CLAUDE, 'claude', kept([...anthropic.events({ text: 'Good day', usage: [10, 200] })])],
  // What is carried over is told to its end when the provider's connection ends.
  ['"content"', CHAT, CLAUDE, 'claude', kept([...anthropic.events({ text: 'Good day', usage: [10, 200] })])],
  [
    'response.completed',
    '/v1/responses',
    GPT,
    'openai',
    kept([
      `data: ${JSON.stringify({ type: 'response.completed', response: { usage: { input_tokens: 10, output_tokens: 200 } } })}\n\n`
    ])
  ]
] as const
for (const [end, path, model, provider, respond] of ENDS)
  test(`who closes at ${end} of ${model} by ${path} has its whole answer, which costs what was counted`, async () => {
    setting[provider].answer(respond)
    const body = { model, ...(path === '/v1/responses' ? { input: 'Hello' } : { max_tokens: 300 }) }
    const step = await leftWithin(await setting.person(), path, body, (text) => text.includes(end))
    assert.equal(
      [step.outcome, step.promptTokens, step.completionTokens, step.estimated],
      ['completed', 10, 200, false]
    )
  })

test('a call that is broken off or never answered costs as one that is left, and a refusal nothing', async () => {
  const body = { model: GPT, max_tokens: 700 }
  for (const [respond, status, most] of [
    [reset, 502, 750],
    [hang, 504, 750],
    [json(400, { error: { message: 'No.' } }), 400, 0],
    [json(500, { error: { message: 'Oops.' } }), 503, 0]
  ] as const) {
    const token = await limited(1000)
    setting.openai.answer(respond)
    assert.is((await call(token, CHAT, body)).status, status)
    const used = await setting.usage(token)
    assert.ok(most === 0 ? used === 0 : used > 700 && used < most, `${status}: ${used}`)
    assert.is(await setting.held(token), 0)
  }
})

test('a provider that cannot be reached was sent nothing', async () => {
  const gone = await aHubWithModels()
  await gone.openai.close()
  const token = await gone.person({ llmMonthlyTokenLimit: 1000 })
  const body = { model: GPT, messages: HELLO, max_tokens: 700 }
  const reply = await gone.hub.send({ method: 'POST', path: CHAT, token, body })
  assert.is(reply.status, 502)
  assert.is(await gone.usage(token), 0)
  await gone.hub.close()
})

test('a call that has reserved what it may use is asked, also while the database does not answer any more', async () => {
  const token = await limited(1000)
  setting.openai.answer(json(200, { choices: [], usage: { prompt_tokens: 10, completion_tokens: 20 } }))
  const { readModel } = setting.hub.hub.ledger
  const get = readModel.get.bind(readModel)
  const away = mock.method(readModel, 'get', async (...asked: Parameters<typeof get>) => {
    const row = await get(...asked)
    const isReserved = asked[0].name === llmReservationsTable.name && row !== null
    if (isReserved && setting.openai.requests.length === 0) throw new StorageUnavailable('It is away.')
    return row
  })
  const { status } = await call(token, CHAT, { model: GPT }).finally(() => away.mock.restore())
  assert.equal([status, await setting.usage(token), await setting.held(token)], [200, 30, 0])
})

test('a call whose reservation nobody was told of gives it back, as soon as the database answers again', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x', usage: [10, 20] }))
  const { ledger } = setting.hub.hub
  const run = ledger.run.bind(ledger)
  const given: string[] = []
  const away = mock.method(ledger, 'run', async (...asked: Parameters<typeof run>) => {
    const [{ type }] = asked
    given.push(type)
    if (type === 'ReleaseLlmTurn' && given.length < 4) throw new StorageUnavailable('It is away.')
    const outcome = await run(...asked)
    if (type === 'ReserveLlmTurn') throw new StorageUnavailable('The answer is lost.')
    return outcome
  })
  const { status } = await call(token, CHAT, { model: GPT })
  assert.equal([status, setting.openai.requests.length], [503, 0])
  await until(async () => ((await setting.held(token)) === 0 ? true : null)).finally(() => away.mock.restore())
  assert.equal(given, ['ReserveLlmTurn', ...Array.from({ length: 3 }, () => 'ReleaseLlmTurn')])
  assert.is(await setting.usage(token), 0)
})

test('a call that ends as the database goes away is answered, and recorded once as soon as that answers again', async () => {
  const { ledger } = setting.hub.hub
  const run = ledger.run.bind(ledger)
  for (const [respond, isLimited, status, used] of [
    [json(400, { error: { message: 'No.' } }), true, 400, 0],
    [openai.completion({ text: 'x', usage: [10, 20] }), true, 200, 30],
    [openai.completion({ text: 'x', usage: [10, 20] }), false, 200, 30]
  ] as const) {
    const token = isLimited ? await limited(1000) : await setting.person()
    setting.openai.answer(respond)
    const before = (await setting.recorded()).length
    const given: string[] = []
    const away = mock.method(ledger, 'run', async (...asked: Parameters<typeof run>) => {
      const [{ type }] = asked
      if (type === 'ReserveLlmTurn') return run(...asked)
      given.push(type)
      if (given.length === 1) throw new StorageUnavailable('It is away.')
      const outcome = await run(...asked)
      if (given.length === 2) throw new StorageUnavailable('The answer is lost.')
      return outcome
    })
    assert.is((await call(token, CHAT, { model: GPT })).status, status)
    await until(async () => (given.length === 3 ? true : null)).finally(() => away.mock.restore())
    assert.equal(given, ['RecordLlmStep', 'RecordLlmStep', 'RecordLlmStep'])
    assert.equal([await setting.usage(token), await setting.held(token)], [used, 0])
    assert.is((await setting.recorded()).length, before + 1)
  }
})

test('who still waits as the time of a call is over is told so, and only who has left is told nothing', async () => {
  const target = {
    ...({
      id: GPT,
      model: GPT,
      provider: 'openai',
      label: 'OpenAI',
      wire: 'openai',
      baseUrl: setting.openai.url
    } as const),
    ...{ keys: ['k'], timeoutSeconds: 60, maxRetries: 1 }
  }
  const sent = { path: '/chat/completions', body: { model: GPT }, headers: {} }
  const waits = (signal: AbortSignal) => ask(async () => sent, [target], new KeyRing(), signal, new Attempts())
  const reads = (signal: AbortSignal) => askWhole(sent, target, new KeyRing(), signal)
  for (const [respond, asked] of [
    [hang, waits],
    [hangAfter({ 'content-type': 'application/json' }, '{"id":'), reads],
    // It waits to ask again.
    [json(429, { error: { message: 'Later.' } }, { 'retry-after': '5' }), waits]
  ] as const) {
    setting.openai.answer(respond)
    const late = await asked(AbortSignal.timeout(100)).catch((error: unknown) => error)
    assert.ok(late instanceof ProviderFailure, String(late))
    assert.equal([late.status, late.message.includes('did not answer in time')], [504, true])
    const leaving = new AbortController()
    void sleep(100).then(() => leaving.abort())
    assert.ok((await asked(leaving.signal).catch((error: unknown) => error)) instanceof CallAborted)
  }
})

test.run()
