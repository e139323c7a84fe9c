import * as assert from 'uvu/assert'
import { z } from 'zod'
import { llmReservationsTable } from '../../../projections/llm.js'
import { usageDifferences } from '../../../queries/llm.js'
import { sqlite } from '../../http/drivers.js'
import { startHub, type TestHub, until } from '../../http/support.js'
import { suite } from '../../support/suite.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { hang, json, type Respond, startUpstream, type Upstream } from '../fakes/upstream.js'

const test = suite('each call that a provider was asked for is one event')
let hub: TestHub
let token: string
let [local, other]: readonly Upstream[] = []

test.before(async () => {
  ;[local, other] = await Promise.all([startUpstream(), startUpstream()])
  const settings = { timeoutSeconds: 1, maxRetries: 2 }
  const endpoints = [
    { id: 'local', name: 'Local', interface: 'openai', baseUrl: local.url, apiKeys: ['one', 'two'], ...settings },
    { id: 'other', name: 'Other', interface: 'anthropic', baseUrl: other.url, ...settings }
  ]
  const catalog = [
    { id: 'small', label: 'Small', provider: 'local', fallbacks: ['large'], price: { input: 1, output: 2 } },
    { id: 'large', label: 'Large', provider: 'other', price: { input: 1, output: 2 } },
    { id: 'alone', label: 'Alone', provider: 'local', price: { input: 1, output: 2 } }
  ]
  hub = await startHub(sqlite, { config: { llm: { providers: {}, endpoints, catalog } } })
  const account = { name: 'Ada', role: 'user', llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: 1_000_000 }
  const sent = { method: 'POST', path: '/admin/users', token: hub.admin.token, body: account }
  token = z.object({ secret: z.string() }).parse((await hub.send(sent)).body).secret
})
test.after(async () => {
  await hub.close()
  await Promise.all([local?.close(), other?.close()])
})

const step = z.looseObject({
  ...{ model: z.string(), outcome: z.string(), estimated: z.boolean(), attempts: z.number().optional() },
  ...{ promptTokens: z.number(), completionTokens: z.number() }
})
const chat = (model: string, more: object = {}) => {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...more }
  return hub.send({ method: 'POST', path: '/v1/chat/completions', token, body })
}

/** What is recorded of what this does. */
async function recordedOf(act: () => Promise<unknown>) {
  const { storage } = hub.hub.ledger
  const before = (await storage.readLog(0, 10_000)).length
  await act()
  const events = (await storage.readLog(0, 10_000)).slice(before)
  return events.flatMap(({ type, payload }) =>
    type === 'LlmStepRecorded' ? [step.parse(JSON.parse(payload.text ?? ''))] : []
  )
}

const isWithin = (recorded: z.infer<typeof step> | undefined, least: number, most: number) =>
  recorded !== undefined && recorded.promptTokens > least && recorded.promptTokens < most
const no = (status: number): Respond => json(status, { error: { message: 'No.' } })
for (const [status, attempts, told] of [
  [400, undefined, 400],
  [401, 2, 502],
  [500, 3, 503]
] as const)
  test(`one that is answered with ${status} has used nothing, and says how often somebody was asked`, async () => {
    local?.answer(no(status))
    const [recorded, ...more] = await recordedOf(async () => assert.is((await chat('alone')).status, told))
    assert.equal([recorded?.outcome, recorded?.model, recorded?.attempts], ['failed', 'alone', attempts])
    assert.equal([recorded?.promptTokens, recorded?.completionTokens, recorded?.estimated], [0, 0, false])
    assert.equal([more, local?.requests.length], [[], attempts ?? 1])
  })

test('one that nobody answers names who was asked last, and counts what was sent to both', async () => {
  local?.answer(hang)
  other?.answer(hang)
  const [recorded, ...more] = await recordedOf(async () => assert.is((await chat('small')).status, 504))
  assert.equal([recorded?.outcome, recorded?.model, recorded?.attempts], ['failed', 'large', 2])
  assert.is(recorded?.completionTokens, 100)
  assert.ok(isWithin(recorded, 30, 80), JSON.stringify(recorded))
  assert.equal(more, [])
})

test('one that is answered by a stand-in counts what was sent to who stayed silent', async () => {
  local?.answer(hang)
  other?.answer(anthropic.message({ text: 'x', usage: [10, 5] }))
  const [recorded] = await recordedOf(async () => assert.is((await chat('small')).status, 200))
  assert.equal([recorded?.outcome, recorded?.model, recorded?.attempts], ['completed', 'large', 2])
  assert.equal([recorded?.completionTokens, recorded?.estimated], [5, true])
  assert.ok(isWithin(recorded, 20, 50), JSON.stringify(recorded))
  // Who has refused it takes nothing.
  local?.answer(no(503))
  const [refused] = await recordedOf(async () => assert.is((await chat('small')).status, 200))
  assert.equal([refused?.promptTokens, refused?.completionTokens, refused?.estimated], [10, 5, false])
})

test('one that no provider was asked for is none', async () => {
  local?.answer(openai.completion({ text: 'x' }))
  const recorded = await recordedOf(async () => {
    assert.is((await chat('alone', { previous_response_id: 'r' })).status, 400)
    assert.is((await chat('large', { logprobs: true })).status, 400)
    assert.is((await chat('alone', { max_tokens: 2_000_000 })).status, 402)
  })
  assert.equal(recorded, [])
  assert.is(local?.requests.length, 0)
})

test('nothing stays reserved, and the sums of months and budgets hold', async () => {
  const body = { name: 'All', subject: 'hub', unit: 'usd', period: 'month', limit: 5 }
  await hub.send({ method: 'POST', path: '/admin/llm/budgets', token: hub.admin.token, body })
  local?.answer(no(400))
  assert.is((await recordedOf(() => chat('alone'))).length, 1)
  const { body: told } = await hub.send({ method: 'GET', path: '/llm/budgets', token })
  const standing = z.object({ budgets: z.tuple([z.object({ used: z.number(), held: z.number() })]) })
  assert.equal({ ...standing.parse(told).budgets[0] }, { used: 0, held: 0 })
  const { readModel } = hub.hub.ledger
  await until(async () => ((await readModel.list(llmReservationsTable, 'byExpiry', [])).length === 0 ? true : null))
  assert.equal(await usageDifferences(readModel), [])
  const usage = await hub.send({ method: 'GET', path: '/admin/llm/usage?by=model', token: hub.admin.token })
  assert.is(usage.status, 200)
})

test.run()
