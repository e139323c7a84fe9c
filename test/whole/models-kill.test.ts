import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { newHome } from '../cli/support.js'
import { chunks } from '../llm/fakes/openai.js'
import { eventStream, type Respond, startUpstream } from '../llm/fakes/upstream.js'
import { postgresDatabase } from '../support/databases.js'
import { isFull } from '../support/full.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from './client.js'

const MODEL = 'gpt-6.1-sol'
const LIMIT = 60_000
const MOST_OUTPUT = 400
const STREAMS = 12
const KILLS = 3

const made = z.object({ user: z.object({ id: z.string() }), secret: z.string() })
const used = z.object({ totalTokens: z.number() })
const budgets = z.object({ budgets: z.tuple([z.object({ used: z.number(), held: z.number() })]) })
const asked = z.object({ max_tokens: z.number(), user: z.string() })

/** Kills a hub again and again while streams of two accounts run, of which a limit bounds one and a budget the other. */
async function killAmidStreams(db: string): Promise<void> {
  const home = await newHome()
  const upstream = await startUpstream()
  /** What the provider has used for each account, whoever has heard of it. */
  const billed = new Map<string, number>()
  const greedy: Respond = async (response, request) => {
    const { max_tokens, user } = asked.parse(request.body)
    billed.set(user, (billed.get(user) ?? 0) + 30 + max_tokens)
    await sleep(20 + Math.random() * 60)
    await eventStream(chunks({ text: 'x', usage: [30, max_tokens] }))(response, request)
  }
  upstream.answer(greedy)
  const port = await freePort()
  const openai = { apiKey: 'sk-test', baseUrl: upstream.url, maxRetries: 0, timeoutSeconds: 2 }
  const llm = JSON.stringify({ providers: { openai } })
  const server = `{host: 127.0.0.1, port: ${port}}`
  writeFileSync(join(home.path, 'server.yaml'), `server: ${server}\ndb: ${db}\nredis: {driver: memory}\nllm: ${llm}\n`)
  const first = await firstStart(home, port)
  const account = { role: 'user', llmAccess: true, llmModels: ['*'] }
  const create = async (more: object) =>
    made.parse(await first.call(first.admin, 'POST', '/admin/users', { ...account, ...more }))
  const limited = await create({ name: 'limited', llmMonthlyTokenLimit: LIMIT })
  const budgeted = await create({ name: 'budgeted' })
  const other = await create({ name: 'other', llmMonthlyTokenLimit: LIMIT })
  await first.call(first.admin, 'POST', '/admin/llm/budgets', {
    ...{ name: 'Grace', subject: 'user', subjectId: budgeted.user.id },
    ...{ unit: 'tokens', period: 'day', limit: LIMIT }
  })

  const streams = [limited, budgeted].flatMap(({ secret, user }) =>
    Array.from({ length: STREAMS }, () => streamUntilSpent(`http://127.0.0.1:${port}`, secret, user.id))
  )
  let { server: hub } = first
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = upstream.requests.length
    while (upstream.requests.length < before + 10) await sleep(5)
    await hub.stop('SIGKILL')
    hub = await home.start(['start'])
  }
  await Promise.all(streams)

  const counted = async () => budgets.parse(await first.call(budgeted.secret, 'GET', '/llm/budgets')).budgets[0]
  while ((await counted()).held > 0) await sleep(100)
  // Of a month the log tells with the next call that is admitted, whoever makes it.
  const call = { model: MODEL, messages: [], max_tokens: 1, stream: true, user: other.user.id }
  const last = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, posted(other.secret, call))
  assert.is(last.status, 200, await last.text())
  const { totalTokens } = used.parse(await first.call(limited.secret, 'GET', '/llm/usage'))
  const known = { [limited.user.id]: totalTokens, [budgeted.user.id]: (await counted()).used }
  for (const [id, tokens] of Object.entries(known)) {
    const used = billed.get(id) ?? 0
    const told = `the provider has used ${used}, the hub knows of ${tokens} of ${LIMIT}`
    assert.ok(used <= tokens && tokens <= LIMIT && used > LIMIT / 3, told)
  }
  const verification = await home.hub('llm', 'usage', '--verify')
  assert.is(verification.code, 0, verification.stdout + verification.stderr)
  await hub.stop()
  await upstream.close()
}

/** One stream after the other until nothing is left; a hub that is gone is waited for. */
async function streamUntilSpent(url: string, secret: string, user: string): Promise<void> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const call = posted(secret, { model: MODEL, messages, max_tokens: MOST_OUTPUT, stream: true, user })
  for (;;) {
    const answer = await fetch(`${url}/v1/chat/completions`, call)
      .then(async (reply) => ({ status: reply.status, text: await reply.text() }))
      .catch(() => null)
    if (answer?.status === 402) return
    assert.ok(answer === null || [200, 429, 503].includes(answer.status), answer?.text)
    if (answer?.status !== 200) await sleep(50)
  }
}

function posted(secret: string, body: object): RequestInit {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

const embedded = suite('a hub that is killed again and again while programs ask models')
embedded('never admits more than a limit and a budget on its SQLite file, and holds nothing afterwards', () =>
  killAmidStreams('{driver: sqlite, path: data/hub.sqlite}')
)
embedded.run()

if (isFull) {
  const served = suite('a hub on a server that is killed while programs ask models', { needs: ['postgres'] })
  served('never admits more than a limit and a budget in Postgres, and holds nothing afterwards', async () => {
    const database = await postgresDatabase('models-kill')
    assert.ok(database)
    await killAmidStreams(JSON.stringify(database.config))
  })
  served.run()
}
