import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Driver, usualDrivers } from '../../http/drivers.js'
import { startBeside } from '../../http/support.js'
import { isFull } from '../../support/full.js'
import { suite } from '../../support/suite.js'
import * as openai from '../fakes/openai.js'
import { eventStream, type Respond } from '../fakes/upstream.js'
import { aHubWithModels, GPT, type Setting } from './setting.js'

const ACCOUNTS = isFull ? 8 : 4
const STREAMS = isFull ? 128 : 16
const MOST_OUTPUT = 400
const asked = z.object({ max_tokens: z.number() })

/** Uses all that it may, after a while. */
const greedy: Respond = async (response, request) => {
  const { max_tokens } = asked.parse(request.body)
  await sleep(5 + Math.random() * 30)
  await eventStream(openai.chunks({ text: 'x', usage: [30, max_tokens] }))(response, request)
}

/** What bounds each account. */
interface Bound {
  readonly what: string
  readonly limit: number
  /** Makes an account that is bounded by it; returns its token. */
  person(setting: Setting): Promise<string>
  used(setting: Setting, token: string): Promise<number>
  held(setting: Setting, token: string): Promise<number>
}

const TOKENS: Bound = {
  what: '20,000 tokens',
  limit: 20_000,
  person: (setting) => setting.person({ llmMonthlyTokenLimit: 20_000 }),
  used: (setting, token) => setting.usage(token),
  held: (setting, token) => setting.held(token)
}

/** As much, at what its model costs. */
const DOLLARS: Bound = {
  what: '20 cents of a budget',
  limit: 0.2,
  async person(setting) {
    const token = await setting.person()
    const { body } = await setting.hub.send({ method: 'GET', path: '/auth/session', token })
    const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(body)
    const budget = { name: `Budget of ${user.id}`, subject: 'user', subjectId: user.id, unit: 'usd', period: 'month' }
    const sent = { method: 'POST', path: '/admin/llm/budgets', token: setting.hub.admin.token }
    assert.is((await setting.hub.send({ ...sent, body: { ...budget, limit: 0.2 } })).status, 201)
    return token
  },
  used: async (setting, token) => (await budgetOf(setting, token)).used,
  held: async (setting, token) => (await budgetOf(setting, token)).held
}

async function budgetOf({ hub }: Setting, token: string) {
  const told = z.object({ budgets: z.tuple([z.object({ used: z.number(), held: z.number() })]) })
  return told.parse((await hub.send({ method: 'GET', path: '/llm/budgets', token })).body).budgets[0]
}

for (const driver of usualDrivers) {
  const hubs = driver.name === 'sqlite' ? 1 : 3
  const test = suite(`budgets under many streams on ${driver.name}`, { needs: driver.needs })
  for (const bound of [TOKENS, DOLLARS])
    test(
      `${STREAMS} streams at once of each of ${ACCOUNTS} accounts at ${hubs} hubs use no more than ${bound.what}, and nearly all of it`,
      () => overshoot(driver, hubs, bound),
      { timeout_ms: 600_000 }
    )
  test.run()
}

async function overshoot(driver: Driver, hubs: number, { limit, person, used, held }: Bound): Promise<void> {
  const setting = await aHubWithModels(driver)
  const { config } = setting.hub.hub
  const sections = { config: { llm: { providers: config.llm?.providers } } }
  const beside = await Promise.all(Array.from({ length: hubs - 1 }, () => startBeside(setting.hub, sections)))
  const urls = [setting.hub.url, ...beside.map(({ url }) => url)]
  setting.openai.answer(greedy)
  const tokens = await Promise.all(Array.from({ length: ACCOUNTS }, () => person(setting)))
  await Promise.all(
    tokens.flatMap((token) => Array.from({ length: STREAMS }, (_, at) => streams(urls[at % urls.length] ?? '', token)))
  )
  for (const token of tokens) {
    const sum = await used(setting, token)
    assert.ok(sum <= limit && sum > limit * 0.95, `${sum} of ${limit}`)
    assert.is(await held(setting, token), 0)
  }
  await Promise.all(beside.map((one) => one.close()))
  await setting.close()
}

/** One stream after the other, until nothing is left. */
async function streams(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({
    ...{ model: GPT, messages: [{ role: 'user', content: 'Hello' }] },
    ...{ max_tokens: MOST_OUTPUT, stream: true }
  })
  for (;;) {
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    await reply.text()
    if (reply.status === 402) return
    // A database that does not keep up with so many is told of by 503.
    assert.ok([200, 429, 503].includes(reply.status), String(reply.status))
    if (reply.status !== 200) await sleep(20 + Math.random() * 100)
  }
}
