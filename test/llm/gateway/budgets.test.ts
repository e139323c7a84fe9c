import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { ownBudgets } from '../../../queries/llmBudgets.js'
import { budgetDifferences } from '../../../src/llm/budgetProof.js'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { eventStream } from '../fakes/upstream.js'
import { aHubWithModels, CLAUDE, GPT, type Setting } from './setting.js'

const test = suite('budgets of accounts, groups, tokens and models')
let setting: Setting
test.before(async () => {
  setting = await aHubWithModels()
})
test.after.each(async () => {
  for (const { id } of await budgets(setting.hub.admin.token, '/admin/llm/budgets'))
    await setting.hub.send({ method: 'DELETE', path: `/admin/llm/budgets/${id}`, token: setting.hub.admin.token })
})
test.after(() => setting.close())

const HELLO = [{ role: 'user' as const, content: 'Hello' }]
const standing = z.object({
  ...{ id: z.string(), name: z.string(), used: z.number(), held: z.number(), limit: z.number(), endsAt: z.string() }
})
const session = z.object({ user: z.object({ id: z.string() }), token: z.object({ id: z.string() }) })

async function budgets(token: string, path = '/llm/budgets') {
  const reply = await setting.hub.send({ method: 'GET', path, token })
  return z.object({ budgets: z.array(standing) }).parse(reply.body).budgets
}

async function budget(over: object): Promise<string> {
  const whole = { name: 'Payments', subject: 'hub', unit: 'tokens', period: 'day', limit: 1000, ...over }
  return made('/admin/llm/budgets', whole)
}

async function made(path: string, body: object): Promise<string> {
  const reply = await setting.hub.send({ method: 'POST', path, token: setting.hub.admin.token, body })
  assert.is(reply.status, 201, reply.text)
  return z.object({ id: z.string() }).parse(reply.body).id
}

async function idsOf(token: string) {
  const { user, token: own } = session.parse(
    (await setting.hub.send({ method: 'GET', path: '/auth/session', token })).body
  )
  return { user: user.id, token: own.id }
}

const ask = (token: string, over: object = {}) => {
  const body = { model: GPT, messages: HELLO, max_tokens: 100, ...over }
  return setting.hub.send({ method: 'POST', path: '/v1/chat/completions', token, body })
}

test('members of a group use its budget together, and are refused together until it ends', async () => {
  const group = await made('/admin/groups', { name: 'Payments' })
  const [ada, bob, eve] = [await setting.person(), await setting.person(), await setting.person()]
  for (const one of [ada, bob]) {
    const path = `/admin/groups/${group}/members/${(await idsOf(one)).user}`
    await setting.hub.send({ method: 'PUT', path, token: setting.hub.admin.token })
  }
  await budget({ subject: 'group', subjectId: group })
  setting.openai.answer(openai.completion({ text: 'x', usage: [400, 100] }))
  for (const one of [ada, bob]) assert.is((await ask(one)).status, 200)
  assert.equal(
    (await budgets(bob)).map(({ name, used, held, limit }) => [name, used, held, limit]),
    [['Payments', 1000, 0, 1000]]
  )
  const refused = await ask(ada)
  assert.is(refused.status, 402)
  assert.match(refused.text, /The budget \\"Payments\\" is used up until \d{4}-\d\d-\d\dT00:00:00\.000Z/)
  const step = { method: 'POST', path: '/llm/chat/step', token: bob, body: { model: GPT, messages: HELLO } }
  assert.is((await setting.hub.send(step)).status, 402)
  // Who is in no group is not counted by it.
  assert.equal(await budgets(eve), [])
  assert.is((await ask(eve)).status, 200)
})

test('a chat of the desktop that a budget counts may write what is left, and is refused where too little is', async () => {
  const token = await setting.person()
  await budget({ limit: 1000 })
  const step = () =>
    setting.hub.send({ method: 'POST', path: '/llm/chat/step', token, body: { model: GPT, messages: HELLO } })
  setting.openai.answer(openai.completion({ text: 'x', usage: [100, 500] }))
  assert.is((await step()).status, 200)
  const sent = z.object({ max_completion_tokens: z.number() }).parse(setting.openai.requests.at(-1)?.body)
  assert.ok(sent.max_completion_tokens < 1000 && sent.max_completion_tokens > 800, `${sent.max_completion_tokens}`)
  // The next could write 256 and more of what is left; one behind it could not.
  setting.openai.answer(openai.completion({ text: 'x', usage: [50, 150] }))
  assert.is((await step()).status, 200)
  const refused = await step()
  assert.equal([refused.status, /more than is left of the budget/.test(refused.text)], [402, true])
  assert.equal(
    (await budgets(token)).map(({ used, held }) => [used, held]),
    [[800, 0]]
  )
})

test('a budget in dollars is used by what each model costs', async () => {
  const token = await setting.person()
  await budget({ subject: 'user', subjectId: (await idsOf(token)).user, unit: 'usd', limit: 0.01 })
  // 2 dollars for a million that are read, 10 for a million that are written.
  setting.openai.answer(openai.completion({ text: 'x', usage: [500, 100] }))
  assert.is((await ask(token)).status, 200)
  assert.is((await budgets(token))[0]?.used, 0.002)
  // Another 900 that are written would be 9,000 millionths.
  const refused = await ask(token, { max_tokens: 900 })
  assert.equal([refused.status, /more than is left of the budget/.test(refused.text)], [402, true])
  assert.is((await ask(token, { max_tokens: 600 })).status, 200)
})

test('many at once, of several accounts, never use more of a budget than there is, and most of it', async () => {
  await budget({ unit: 'usd', limit: 0.05 })
  setting.openai.answer(async (response, request) => {
    const { max_tokens } = z.object({ max_tokens: z.number() }).parse(request.body)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await eventStream(openai.chunks({ text: 'x', usage: [20, max_tokens] }))(response, request)
  })
  const people = await Promise.all(Array.from({ length: 4 }, () => setting.person()))
  const statuses = await Promise.all(
    people.flatMap((one) => Array.from({ length: 15 }, async () => (await ask(one, { stream: true })).status))
  )
  const [told] = await budgets(setting.hub.admin.token, '/admin/llm/budgets')
  assert.ok(told && told.used <= 0.05 && told.used > 0.04, JSON.stringify(told))
  assert.is(told.held, 0)
  assert.ok(statuses.every((status) => [200, 402, 429].includes(status)))
})

test('a budget of one model counts nothing of others, and one of a token nothing of other tokens', async () => {
  const token = await setting.person()
  await budget({ model: CLAUDE, limit: 1 })
  await budget({ name: 'Token', subject: 'token', subjectId: (await idsOf(token)).token, limit: 400 })
  setting.openai.answer(openai.completion({ text: 'x', usage: [200, 100] }))
  assert.is((await ask(token)).status, 200)
  assert.equal(
    (await budgets(token)).map(({ name, used }) => [name, used]),
    [
      ['Payments', 0],
      ['Token', 300]
    ]
  )
  assert.is((await ask(token)).status, 402)
  assert.is((await ask(await setting.person())).status, 200)
})

test('who says no bound may write what is left of a budget', async () => {
  const token = await setting.person()
  await budget({ unit: 'usd', limit: 0.01 })
  setting.openai.answer(openai.completion({ text: 'x', usage: [10, 20] }))
  assert.is((await ask(token, { max_tokens: undefined })).status, 200)
  const sent = z.object({ max_completion_tokens: z.number() }).parse(setting.openai.requests.at(-1)?.body)
  assert.ok(sent.max_completion_tokens > 900 && sent.max_completion_tokens <= 1000, JSON.stringify(sent))
})

test('what nobody speaks for is told as used and as held no more, also where nobody is admitted behind it', async () => {
  const token = await setting.person()
  await budget({ limit: 1000 })
  const { readModel } = setting.hub.hub.ledger
  const { user, token: tokenId } = await idsOf(token)
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const reservation = {
    type: 'ReserveLlmTurn',
    id: randomUUID(),
    models: [GPT],
    price: null,
    chat: null,
    expiresAt
  } as const
  const tokens = { tokens: 400, atLeast: 400, input: 100 }
  await setting.hub.hub.ledger.run({ ...reservation, ...tokens }, { tokenId, address: null, requestId: null })
  const toldAt = async (at: string) =>
    (await ownBudgets({ userId: user, tokenId, models: [GPT] }, readModel, at)).map(({ used, held }) => [used, held])
  assert.equal(await toldAt(new Date().toISOString()), [[0, 400]])
  assert.equal(await toldAt(expiresAt), [[400, 0]])
})

test('what is told of budgets is what their calls come to, and a sum that is another is found', async () => {
  const { storage } = setting.hub.hub.ledger
  const token = await setting.person()
  await budget({ unit: 'usd', limit: 1 })
  await budget({ name: 'Tokens', unit: 'tokens', limit: 5000 })
  setting.openai.answer(openai.completion({ text: 'x', usage: [200, 100] }))
  assert.is((await ask(token)).status, 200)
  assert.equal(await budgetDifferences(storage), [])
  const changed: typeof storage.snapshot = (read) =>
    storage.snapshot(({ head, scan }) => {
      const more = async (...asked: Parameters<typeof scan>) =>
        (await scan(...asked)).map((row) => ({ ...row, used: 7 }))
      return read({ head, scan: more })
    })
  const found = await budgetDifferences({ readLog: (...asked) => storage.readLog(...asked), snapshot: changed })
  assert.equal(
    found.map(({ what, told }) => [what, told]),
    [
      ['used', 7],
      ['used', 7]
    ]
  )
  assert.ok(found.some(({ log }) => log === 300) && found.every(({ log }) => log > 7), JSON.stringify(found))
})

test.run()
