import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { tokensOf } from '../../../queries/callers.js'
import { usageDifferences } from '../../../queries/llm.js'
import { sqlite } from '../../http/drivers.js'
import { startBeside, startHub, type TestHub, until } from '../../http/support.js'
import { gate } from '../../log/faults.js'
import { afterwards } from '../../support/afterwards.js'
import { suite } from '../../support/suite.js'
import { eventsOf } from '../fakes/client.js'
import { chunks, completion, error, startOpenAi } from '../fakes/openai.js'
import { eventStream, hang, type Upstream } from '../fakes/upstream.js'

const test = suite('chat through the hub')
const KEY = 'sk-test-7f3a9b'
const SAID = 'Hello there'
/** The level of pino. */
const DEBUG = 20
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let upstream: Upstream
let hub: TestHub
let llm: object
/** How far the clock of the hub is ahead. */
/** Amid a month: limits begin anew with the next. */
const AMID_MS = Date.UTC(2040, 5, 15) - Date.now()
let ahead_ms = 0
const now = () => Date.now() + AMID_MS + ahead_ms

test.before(async () => {
  upstream = await startOpenAi(KEY)
  llm = { providers: { openai: { apiKey: KEY, baseUrl: upstream.url, maxRetries: 0, timeoutSeconds: 5 } } }
  hub = await startHub(sqlite, { config: { llm }, now })
})
test.after(() => hub.close())

const withSecret = z.object({ user: z.object({ id: z.string() }), secret: z.string() })

/** A user with LLM access and so many tokens a month. */
async function person(over: object = {}): Promise<{ readonly id: string; readonly token: string }> {
  const body = { name: randomUUID(), role: 'user', llmAccess: true, llmModels: ['*'], ...over }
  const reply = await hub.send({ method: 'POST', path: '/admin/users', token: hub.admin.token, body })
  const { user, secret } = withSecret.parse(reply.body)
  return { id: user.id, token: secret }
}

const turn = (role = 'user') => ({ model: 'gpt-6.1-sol', messages: [{ role, content: SAID, tool_call_id: 'x' }] })
const step = (token: string, body: unknown = turn()) =>
  hub.send({ method: 'POST', path: '/llm/chat/step', token, body })
const usage = async (token: string) => (await hub.send({ method: 'GET', path: '/llm/usage', token })).body

test('models are those that the account may use', async () => {
  const { token } = await person({ llmModels: ['gpt-6.1-sol'] })
  const { body } = await hub.send({ method: 'GET', path: '/llm/models', token })
  const models = [{ id: 'gpt-6.1-sol', label: 'GPT-6.1 Sol', provider: 'openai' }]
  assert.equal(body, { models, capabilities: { openai: true } })
})

test('a step answers with content and usage, and what is left of the month is told, also when nothing is', async () => {
  const { token } = await person({ llmMonthlyTokenLimit: 20 })
  upstream.answer(completion({ text: 'Hello', usage: [11, 7] }))
  const first = await step(token)
  const used = { promptTokens: 11, completionTokens: 7, totalTokens: 18 }
  assert.equal([first.status, first.body], [200, { content: 'Hello', toolCalls: [], usage: used }])
  assert.equal(await usage(token), { period: new Date(now()).toISOString().slice(0, 7), totalTokens: 18, limit: 20 })
  assert.match(String(first.headers['ratelimit-policy']), /^"llm-tokens";q=20;qu="tokens";w=\d{7}$/)
  assert.match(String(first.headers.ratelimit), /^"llm-tokens";r=2;t=\d+$/)
  assert.match(String((await step(token)).headers.ratelimit), /^"llm-tokens";r=0;/)
  const refused = await step(token)
  assert.is(refused.status, 402)
  assert.match(String(refused.headers.ratelimit), /^"llm-tokens";r=0;t=\d+$/)
  const unlimited = await person()
  assert.is((await step(unlimited.token)).headers.ratelimit, undefined)
})

test('the refusals come in their order: body, access, model on offer, model allowed, limit', async () => {
  const { token } = await person({ llmModels: ['gpt-6.1-sol'], llmMonthlyTokenLimit: 0 })
  const nobody = await person({ llmAccess: false })
  upstream.answer(completion({ text: 'x' }))
  for (const [who, body, status, message] of [
    [token, { messages: [] }, 400, /model/],
    [nobody.token, turn(), 403, /^Forbidden$/],
    [token, { ...turn(), model: 'gpt-0' }, 403, /^Model is not offered by this Team Hub\.$/],
    [token, { ...turn(), model: 'gpt-6-luna' }, 403, /^You are not allowed to use this model\.$/],
    [token, turn(), 402, /^Monthly LLM token limit reached\./],
    [hub.admin.token, turn(), 403, /^Forbidden$/]
  ] as const) {
    const reply = await step(who, body)
    assert.is(reply.status, status)
    assert.match(z.object({ error: z.string() }).parse(reply.body).error, message)
  }
  assert.is(upstream.requests.length, 0, 'no provider was asked')
})

const calling = completion({ calls: [{ id: 'x', name: 'weather', arguments: '{}' }], usage: [11, 7] })

test('a continuation belongs to its turn for a day, in another process too, as after a restart', async () => {
  const { token } = await person({ llmMonthlyTokenLimit: 18 })
  const stranger = await person({ llmMonthlyTokenLimit: 0 })
  upstream.answer(calling)
  assert.is((await step(token)).status, 200)
  const beside = await startBeside(hub, { config: { llm }, now })
  try {
    const there = (token: string) => beside.send({ method: 'POST', path: '/llm/chat/step', token, body: turn('tool') })
    assert.is((await there(token)).status, 200)
    assert.is((await there(stranger.token)).status, 402)
    assert.is((await step(token, turn('tool'))).status, 200)
    ahead_ms = 25 * HOUR_MS
    assert.is((await step(token, turn('tool'))).status, 402)
  } finally {
    ahead_ms = 0
    await beside.close()
  }
})

test('turns at once whose sizes are too much for the month are let through or held up, and the month is not called used up', async () => {
  const { id, token } = await person({ llmMonthlyTokenLimit: 100_000 })
  const large = { ...turn(), messages: [{ role: 'user', content: 'x'.repeat(300_000) }] }
  const door = gate()
  upstream.answer(async (response, request) => {
    await door.passed
    await completion({ text: 'Hello', usage: [11, 7] })(response, request)
  })
  const begun = [step(token, large), step(token, large)]
  await until(async () => (upstream.requests.length === 2 ? true : null))
  const held = z.array(z.object({ tokens: z.number() })).parse(await pending(id))
  assert.is(
    held.reduce((sum, { tokens }) => sum + tokens, 0),
    100_000,
    'the second holds what the first has left'
  )
  const third = await step(token, large)
  assert.is(third.status, 429)
  assert.match(z.object({ error: z.string() }).parse(third.body).error, /another chat of yours is still running/)
  assert.match(String(third.headers['retry-after']), /^[1-9]\d?$/)
  door.open()
  for (const { status } of await Promise.all(begun)) assert.is(status, 200)
  assert.equal(await pending(id), [])
})

async function pending(userId: string): Promise<readonly unknown[]> {
  const { llmReservationsTable } = await import('../../../commands/llm/table.js')
  return hub.hub.ledger.readModel.list(llmReservationsTable, 'byUser', [userId])
}

test('a step reserves what its body may take, also where the client has not said how long it is', async () => {
  const { id, token } = await person({ llmMonthlyTokenLimit: 100_000 })
  upstream.answer(hang)
  const leaving = new AbortController()
  const body = JSON.stringify({ ...turn(), messages: [{ role: 'user', content: 'x'.repeat(40_000) }] })
  const asked = fetch(`${hub.url}/llm/chat/step`, {
    method: 'POST',
    body: new Blob([body]).stream(),
    duplex: 'half',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: leaving.signal
  }).catch(() => {})
  const [{ tokens }] = await until(async () => {
    const rows = z.array(z.object({ tokens: z.number() })).parse(await pending(id))
    return rows[0] ? [rows[0]] : null
  })
  leaving.abort()
  await asked
  assert.is(tokens, 1000 + Math.ceil(body.length / 4))
})

async function tokenIdOf(userId: string): Promise<string | undefined> {
  const { index, under, selection, table } = tokensOf(userId)
  return (await hub.hub.ledger.readModel.list(table, index, under, selection))[0]?.id
}

test('a provider that fails gives 503 with a text that helps, and the turn costs nothing', async () => {
  const before = hub.log.length
  const { id, token } = await person({ llmMonthlyTokenLimit: 10 })
  upstream.answer(error(500, 'internal'))
  const { status, text } = await step(token)
  assert.is(status, 503)
  assert.not.match(text, new RegExp(KEY))
  assert.ok(
    hub.log.slice(before).some(({ msg }) => msg === 'request failed'),
    'an outage is told in the log'
  )
  assert.equal(await pending(id), [])
  assert.is(z.object({ totalTokens: z.number() }).parse(await usage(token)).totalTokens, 0)
})

const audited = z.object({
  entries: z.array(
    z.object({
      resource: z.object({ name: z.string().nullable() }),
      actor: z.object({ id: z.string(), name: z.string() }),
      token: z.object({ id: z.string() }),
      changes: z.array(z.object({ to: z.object({ model: z.string(), totalTokens: z.number() }) }))
    })
  )
})

test('the audit says who used which model with which token, and how many tokens, with a limit and without', async () => {
  for (const llmMonthlyTokenLimit of [1000, null]) {
    const name = randomUUID()
    const { id, token } = await person({ name, llmMonthlyTokenLimit })
    upstream.answer(completion({ text: 'Hello', usage: [11, 7] }))
    assert.is((await step(token)).status, 200)
    const path = '/admin/audit?type=LlmStepRecorded&limit=1'
    const { entries } = audited.parse((await hub.send({ method: 'GET', path, token: hub.admin.token })).body)
    const tokenId = await tokenIdOf(id)
    const to = { model: 'gpt-6.1-sol', totalTokens: 18 }
    assert.equal(entries, [
      { resource: { name: 'gpt-6.1-sol' }, actor: { id, name }, token: { id: tokenId }, changes: [{ to }] }
    ])
  }
})

for (const [what, takeAway] of [
  ['its token is revoked', (_: string, token: string) => ['DELETE', `/admin/tokens/${token}`, undefined] as const],
  ['its account loses the models', (id: string) => ['PUT', `/admin/users/${id}`, { llmAccess: false }] as const]
] as const) {
  test(`a stream ends when ${what}, with the upstream closed and what was used counted`, async () => {
    const { id, token } = await person({ llmMonthlyTokenLimit: 100_000 })
    const words = chunks({ text: SAID, usage: [11, 7] }).slice(0, 1)
    upstream.answer(eventStream(words, { ending: 'hang' }))
    const body = { ...turn(), turnId: 't-3', stepIndex: 0 }
    const streamed = hub.send({ method: 'POST', path: '/llm/chat/stream', token, body })
    const asked = await until(async () => upstream.requests[0] ?? null)
    const [method, path, change] = takeAway(id, (await tokenIdOf(id)) ?? '')
    const { status } = await hub.send({ method, path, token: hub.admin.token, body: change })
    assert.ok(status < 300, `${status}`)
    await asked.abandoned
    assert.is(eventsOf((await streamed).text).at(-1)?.type, 'turn.cancelled')
    assert.equal(await pending(id), [])
    assert.ok((await usedBy(id)) > 0)
    const [recorded] = (await hub.hub.ledger.storage.readLog(hub.hub.ledger.readModel.head.position - 1, 1)).slice(-1)
    assert.equal([recorded?.type, recorded?.actorId], ['LlmStepRecorded', id])
    assert.equal(await usageDifferences(hub.hub.ledger.readModel), [])
  })
}

/** What an account has used this month, which it need not be able to ask for itself. */
async function usedBy(userId: string): Promise<number> {
  const { tokensUsed } = await import('../../../queries/llm.js')
  return tokensUsed(hub.hub.ledger.readModel, userId, new Date(now()).toISOString().slice(0, 7))
}

test('without the section the routes answer 503, which is no failure to the log', async () => {
  const bare = await startHub(sqlite)
  afterwards(() => bare.close())
  assert.is((await bare.send({ method: 'GET', path: '/llm/models', token: bare.admin.token })).status, 503)
  const told = bare.log.map(({ level, status, err }) => ({ level, status, err }))
  assert.ok(told.some(({ status }) => status === 503))
  for (const { level, status, err } of told) assert.ok(err === undefined && (status !== 503 || level === DEBUG))
})

test.run()
