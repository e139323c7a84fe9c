import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { reservationLifetime_ms } from '../../src/llm/reservation.js'
import { newHome } from '../cli/support.js'
import { completion, startOpenAi } from '../llm/fakes/openai.js'
import { hang } from '../llm/fakes/upstream.js'
import { postgresDatabase } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from './client.js'

const KEY = 'sk-test'
const STEP_TIMEOUT_SECONDS = 3
/** One turn fills it, however little it will use. */
const LIMIT = 500

const turn = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hello' }] }
const withSecret = z.object({ secret: z.string() })
const counted = z.object({ totalTokens: z.number() })

/** Kills a hub while a provider works on a turn, and returns once the next turn was admitted when the first had expired. */
async function killAmidTurn(db: string): Promise<void> {
  const home = await newHome()
  const upstream = await startOpenAi(KEY)
  try {
    const port = await freePort()
    const openai = { apiKey: KEY, baseUrl: upstream.url, maxRetries: 0 }
    const llm = JSON.stringify({ providers: { openai }, stepTimeoutSeconds: STEP_TIMEOUT_SECONDS })
    const server = `{host: 127.0.0.1, port: ${port}}`
    writeFileSync(
      join(home.path, 'server.yaml'),
      `server: ${server}\ndb: ${db}\nredis: {driver: memory}\nllm: ${llm}\n`
    )
    const first = await firstStart(home, port)
    const person = { name: 'grace', role: 'user', llmAccess: true, llmModels: ['*'], llmMonthlyTokenLimit: LIMIT }
    const { secret } = withSecret.parse(await first.call(first.admin, 'POST', '/admin/users', person))
    const chat = () => first.call(secret, 'POST', '/llm/chat/step', turn).then(() => null, String)

    upstream.answer(hang)
    const begun = Date.now()
    const lost = chat()
    while (upstream.requests.length === 0) await sleep(5)
    await first.server.stop('SIGKILL')
    assert.match(String(await lost), /fetch failed/)

    upstream.answer(completion({ text: 'Hello', usage: [11, 7] }))
    const second = await home.start(['start'])
    for (let refusal = await chat(); refusal !== null; refusal = await chat()) {
      assert.match(refusal, /: 429 .*another chat of yours is still running/)
      await sleep(50)
    }
    const held_ms = Date.now() - begun
    assert.ok(held_ms >= reservationLifetime_ms(STEP_TIMEOUT_SECONDS, false), `it was admitted after ${held_ms} ms`)
    assert.is(upstream.requests.length, 1, 'no refused turn reached the provider')
    assert.is(counted.parse(await first.call(secret, 'GET', '/llm/usage')).totalTokens, 18)
    const verification = await home.hub('llm', 'usage', '--verify')
    assert.is(verification.code, 0, verification.stdout + verification.stderr)
    await second.stop()
  } finally {
    await upstream.close()
  }
}

const embedded = suite('a hub that is killed while a provider works')
embedded('holds what the turn reserved in its SQLite file until it expires, and not longer', () =>
  killAmidTurn('{driver: sqlite, path: data/hub.sqlite}')
)
embedded.run()

const served = suite('a hub on a server that is killed while a provider works', { needs: ['postgres'] })
served('holds what the turn reserved in Postgres until it expires, and not longer', async () => {
  const database = await postgresDatabase('chat-kill')
  assert.ok(database)
  await killAmidTurn(JSON.stringify(database.config))
})
served.run()
