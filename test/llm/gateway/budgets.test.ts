import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { ownBudgets } from '../../../queries/llmBudgets.js'
import { budgetDifferences } from '../../../src/llm/budgetProof.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream } from '../fakes/upstream.js'
import { CLAUDE, GPT, HELLO, modelSuite, type Setting } from './setting.js'

let setting: Setting
const test = modelSuite('limits of accounts, and budgets of accounts, groups, tokens and models', (made) => {
  setting = made
})
test.after.each(async () => {
  for (const { id } of await budgets(setting.hub.admin.token, '/admin/llm/budgets'))
    await setting.hub.send({ method: 'DELETE', path: `/admin/llm/budgets/${id}`, token: setting.hub.admin.token })
})

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
  return setting.post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, max_tokens: 100, ...over })
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

const limited = (llmMonthlyTokenLimit: number) => setting.person({ llmMonthlyTokenLimit })

test('a call whose most is not left is refused before anybody is asked, and told how much is', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x' }))
  const reply = await setting.post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, max_tokens: 1000 })
  assert.is(reply.status, 402)
  assert.match(reply.text, /"type":"insufficient_quota"/)
  assert.match(reply.text, /may use up to 1\d\d\d tokens, and 1000 are left/)
  const message = await setting.post(token, '/v1/messages', { model: CLAUDE, messages: HELLO, max_tokens: 1000 })
  assert.equal([message.status, /"type":"billing_error"/.test(message.text)], [402, true])
  assert.is(setting.openai.requests.length, 0)
})

test('who says no bound is given the one that is left', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x', usage: [10, 20] }))
  assert.is((await setting.post(token, '/v1/chat/completions', { model: GPT, messages: HELLO })).status, 200)
  const sent = z.object({ max_completion_tokens: z.number() }).parse(setting.openai.requests[0]?.body)
  assert.ok(sent.max_completion_tokens > 800 && sent.max_completion_tokens < 1000, JSON.stringify(sent))
  assert.is(await setting.usage(token), 30)
  // Without a limit nothing is added.
  await setting.post(await setting.person(), '/v1/chat/completions', { model: GPT, messages: HELLO })
  assert.equal(setting.openai.requests[1]?.body, { model: GPT, messages: HELLO })
})

test('what a call may use is reserved while it is under way', async () => {
  const token = await limited(10_000)
  let during = 0
  setting.openai.answer(async (response, request) => {
    during = await setting.held(token)
    await openai.completion({ text: 'x', usage: [10, 20] })(response, request)
  })
  assert.is(
    (await setting.post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, max_tokens: 700 })).status,
    200
  )
  assert.ok(during > 700 && during < 1000, String(during))
  assert.equal([await setting.usage(token), await setting.held(token)], [30, 0])
})

test('a call that cannot be carried over reserves nothing', async () => {
  const token = await limited(1000)
  const body = { model: CLAUDE, messages: HELLO, max_tokens: 700, logprobs: true }
  for (let i = 0; i < 3; i++) assert.is((await setting.post(token, '/v1/chat/completions', body)).status, 400)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await setting.post(token, '/v1/chat/completions', { ...body, logprobs: false })).status, 200)
})

test('an image is let through where the most is left that the models that may answer count for one', async () => {
  const token = await limited(40_000)
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const chat = { max_tokens: 100, messages: [{ role: 'user', content: [image] }] }
  setting.openai.answer(openai.completion({ text: 'x' }))
  assert.is((await setting.post(token, '/v1/chat/completions', { model: GPT, ...chat })).status, 402)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await setting.post(token, '/v1/chat/completions', { model: CLAUDE, ...chat })).status, 200)
})

test('tools that the provider runs are not for who has a limit', async () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const body = { model: CLAUDE, max_tokens: 10, messages: HELLO, tools }
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await setting.post(await limited(100_000), '/v1/messages', body)).status, 400)
  assert.is((await setting.post(await setting.person(), '/v1/messages', body)).status, 200)
})

test('a bound that is no number is refused of everybody, and nobody is asked', async () => {
  const before = setting.openai.requests.length
  for (const token of [await limited(100_000), await setting.person()])
    for (const bound of [{ max_tokens: '50' }, { n: '2' }, { max_completion_tokens: 0 }]) {
      const reply = await setting.post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, ...bound })
      assert.equal([reply.status, /must be a whole number above 0/.test(reply.text)], [400, true])
    }
  assert.is(setting.openai.requests.length, before)
})

test.run()
