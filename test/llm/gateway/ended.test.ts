import * as assert from 'uvu/assert'
import { z } from 'zod'
import { llmReservationsTable } from '../../../commands/llm/table.js'
import { usageDifferences } from '../../../queries/llm.js'
import { type TestHub, until } from '../../http/support.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { hang, json, type Respond, reset, type Upstream } from '../fakes/upstream.js'
import { endpointSuite, personOf, recordedBy, type Step } from './setting.js'

const settings = { timeoutSeconds: 3, maxRetries: 2 }
const price = { input: 1, output: 2 }
const configured = (local: string, other: string) => ({
  endpoints: [
    { id: 'local', name: 'Local', interface: 'openai', baseUrl: local, apiKeys: ['one', 'two'], ...settings },
    { id: 'other', name: 'Other', interface: 'anthropic', baseUrl: other, ...settings }
  ],
  catalog: [
    { id: 'small', label: 'Small', provider: 'local', fallbacks: ['large'], price },
    { id: 'large', label: 'Large', provider: 'other', price },
    { id: 'alone', label: 'Alone', provider: 'local', price }
  ]
})
let hub: TestHub
let [local, other]: readonly Upstream[] = []
let token: string
const test = endpointSuite('each call that a provider was asked for is one event', configured, async (made) => {
  ;({ hub, local, other } = made)
  token = await personOf(hub, { llmMonthlyTokenLimit: 1_000_000 })
})

const chat = (model: string, more: object = {}) => {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...more }
  return hub.send({ method: 'POST', path: '/v1/chat/completions', token, body })
}

/** What is recorded of what this does. */
async function recordedOf(act: () => Promise<unknown>) {
  const before = (await recordedBy(hub)).length
  await act()
  return (await recordedBy(hub)).slice(before)
}

const isWithin = (recorded: Step | undefined, least: number, most: number) =>
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

test('a step of a chat counts what was sent to who broke off, also where another key is taken then', async () => {
  local?.answer(reset, no(401), openai.completion({ text: 'x', usage: [10, 5] }))
  const body = { model: 'alone', messages: [{ role: 'user', content: 'Hello' }], systemPrompt: '', tools: [] }
  const step = () => hub.send({ method: 'POST', path: '/llm/chat/step', token, body })
  const [recorded] = await recordedOf(async () => assert.is((await step()).status, 200))
  assert.equal([recorded?.completionTokens, recorded?.estimated, local?.requests.length], [5, true, 3])
  assert.ok(isWithin(recorded, 20, 50), JSON.stringify(recorded))
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
