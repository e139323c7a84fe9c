import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { answer, questionOf } from '../../src/authorization/questions.js'
import { authorizationServer, PATHS } from '../../src/authorization/server.js'
import { storeIn } from '../../src/authorization/store.js'
import { HubError } from '../../src/errors.js'
import { createMemoryTexts, type ExpiringTexts } from '../../src/throttle/expiringTexts.js'
import { fields, text } from '../http/client.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('what of programs that ask for tokens is on its way')
const BASE = new URL('https://hub.example.com')

interface Watched extends ExpiringTexts {
  readonly seen: string[]
  isFull: boolean
}

/** The same, and all that was given to it to keep; it takes nothing while it is full. */
function watched(kept: ExpiringTexts): Watched {
  const seen: string[] = []
  const own: Watched = {
    ...kept,
    seen,
    isFull: false,
    async set(key, value, seconds) {
      seen.push(key, value)
      return !own.isFull && kept.set(key, value, seconds)
    }
  }
  return own
}

async function aServer(waits_seconds?: number) {
  const { path } = await temporaryDirectory()
  const kept = watched(createMemoryTexts(() => performance.now()))
  const server = await authorizationServer(BASE, join(path, 'key'), kept, waits_seconds)()
  const ask = async (url: string, sent: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await server.ask({
      method: 'POST',
      url,
      headers,
      payload: String(new URLSearchParams(sent))
    })
    return { status, body: fields(JSON.parse(body)) }
  }
  const begin = () => ask(PATHS.device_authorization, { client_id: 'terminal', scope: 'read' })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = (device_code: string) => ask(PATHS.token, { grant_type, client_id: 'terminal', device_code })
  return { server, kept, begin, poll }
}

test('who reads the store has no code of it', async () => {
  const { kept, begin } = await aServer()
  const { body } = await begin()
  const codes = [text(body, 'device_code'), text(body, 'user_code'), text(body, 'user_code').replace('-', '')]
  assert.ok(kept.seen.length >= 4)
  for (const code of codes) assert.not.match(kept.seen.join('\n'), code)
})

test('with another key nothing of it is found', async () => {
  const kept = watched(createMemoryTexts(() => performance.now()))
  const key = randomBytes(32)
  const [one, other] = [storeIn(kept, key), storeIn(kept, randomBytes(32))]
  await one.set('kind', 'name', 'text', 60)
  assert.equal([await one.get('kind', 'name'), await other.get('kind', 'name')], ['text', null])
  // Nor is it read by whoever finds the sealed text itself.
  const [, sealed = ''] = kept.seen
  const found = (key: Buffer) => storeIn({ ...kept, get: async () => sealed }, key).get('kind', 'name')
  assert.equal([await found(key), await found(randomBytes(32))], ['text', null])
})

test('what is no key is refused before anything is kept with it', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'key')
  await writeFile(file, '')
  const opening = authorizationServer(
    BASE,
    file,
    createMemoryTexts(() => 0)
  )
  const refusal = await opening().catch((error: unknown) => error)
  assert.match(String(refusal), 'must hold 32 bytes, and it holds 0.')
  await rm(file)
  assert.ok(await opening())
})

test('who comes with a code that is over learns that it is', async () => {
  const asked = async (seconds: number) => {
    const { server, begin, poll } = await aServer(seconds)
    const { body } = await begin()
    return { question: () => questionOf(server, text(body, 'user_code'), null), poll, code: text(body, 'device_code') }
  }
  const on = await asked(60)
  assert.is((await on.question())?.program, 'A program at a terminal')
  assert.is((await on.poll(on.code)).body.error, 'authorization_pending')
  const over = await asked(1)
  await setTimeout(2100)
  assert.is((await over.poll(over.code)).body.error, 'expired_token')
  assert.is(await over.question(), null)
  assert.is((await over.poll('unknown')).body.error, 'invalid_grant')
})

test('an answer that could not be kept may be given once more', async () => {
  const { server, kept, begin, poll } = await aServer()
  const { body } = await begin()
  const question = await questionOf(server, text(body, 'user_code'), null)
  assert.ok(question)
  const approve = () => answer(server, question, { userId: 'u', tokenId: 't', agentWrites: false }, true)
  kept.isFull = true
  const refusal = await approve().catch((error: unknown) => error)
  assert.is(refusal instanceof HubError && refusal.status, 503)
  assert.is((await poll(text(body, 'device_code'))).body.error, 'authorization_pending')
  kept.isFull = false
  assert.equal([await approve(), await approve()], [null, false])
  assert.is((await poll(text(body, 'device_code'))).status, 200)
})

test('a kind that has no room left takes none from another', async () => {
  let now = 0
  const kept = createMemoryTexts(() => now)
  for (let i = 0; i < 20_000; i++) assert.ok(await kept.set(`oauth:one:${i}`, '', 60))
  assert.not.ok(await kept.set('oauth:one:more', '', 60))
  assert.ok(await kept.claim('oauth:other:1', 60))
  now = 60_000
  assert.ok(await kept.set('oauth:one:more', '', 60))
})

test('a name is counted until its time is over', async () => {
  let now = 0
  const kept = createMemoryTexts(() => now)
  assert.equal([await kept.count('a:b', 10), await kept.count('a:b', 10)], [1, 2])
  now = 9999
  assert.is(await kept.count('a:b', 10), 3)
  now = 10_000
  assert.is(await kept.count('a:b', 10), 1)
})

test.run()
