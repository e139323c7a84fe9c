import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { isCode } from '../../../src/lib/files.js'
import { NO_KEYS } from '../../../src/log/chain.js'
import { exportLog } from '../../../src/trust/backup/export.js'
import { linesIn } from '../../backup/place.js'
import { sqlite } from '../../http/drivers.js'
import { startHub, type TestHub, until } from '../../http/support.js'
import { temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'
import { chunks, completion, error, startOpenAi } from '../fakes/openai.js'
import { eventStream, hang, type Respond, raw, type Upstream } from '../fakes/upstream.js'
import { streamableServer, type TestServer } from '../mcp/servers.js'
import { echo } from '../mcp/support.js'

// What nobody may keep. The pieces tell which one was found where.
const KEY = 'sk-canary-7f3a9b'
const HEADER = 'canary-header-5e21c8'
const SAID = 'canary words of the user'
const PROMPT = 'canary system prompt'
const ANSWERED = 'canary answer of the model'
const TOLD = 'canary words for a tool'
const WRONG = 'canary words of a failing provider'

const test = suite('what chats leave behind')
let upstream: Upstream
let tools: TestServer
let hub: TestHub
/** The texts of every answer, beside those that are the model's own. */
const refusals: string[] = []
const name = `Person ${randomUUID()}`

test.before(async () => {
  upstream = await startOpenAi(KEY)
  tools = await streamableServer({ tools: echo })
  const openai = { apiKey: KEY, baseUrl: upstream.url, maxRetries: 0, timeoutSeconds: 5 }
  const mcp = [{ name: 'tools', url: tools.url, headers: { 'x-tools-key': HEADER } }]
  hub = await startHub(sqlite, { config: { llm: { providers: { openai }, mcp } } })
  await chatInEveryWay()
})
test.after(() => hub.close())

/** Steps and streams that end well, use a tool, are refused, fail in several ways, and are left by their client. */
async function chatInEveryWay(): Promise<void> {
  const token = await person()
  const broke = await person({ llmMonthlyTokenLimit: 0 })
  const usesTool = { calls: [{ id: 'c1', name: 'hubmcp__0__echo', arguments: JSON.stringify({ text: TOLD }) }] }
  const failures: readonly Respond[] = [
    error(400, `Bad request: ${WRONG}`),
    error(401, `Incorrect API key provided: ${KEY}. ${WRONG}`),
    error(500, `${WRONG} ${KEY}`),
    raw(200, `${WRONG} ${KEY}`, { 'content-type': 'application/json' }),
    raw(200, JSON.stringify({ choices: WRONG }), { 'content-type': 'application/json' })
  ]
  upstream.answer(completion(usesTool), completion({ text: ANSWERED }))
  assert.is((await chat(token, 'step')).status, 200)
  assert.ok(tools.requests.includes('POST /mcp tools/call'))
  upstream.answer(eventStream(chunks(usesTool)), eventStream(chunks({ text: ANSWERED })))
  assert.is((await chat(token, 'stream')).status, 200)
  for (const failure of failures) {
    for (const way of ['step', 'stream'] as const) {
      upstream.answer(failure)
      refusals.push((await chat(token, way)).text)
    }
  }
  for (const [who, body] of [
    [broke, {}],
    [token, { model: `gpt-none` }],
    [token, { messages: [{ role: SAID, content: SAID }] }],
    [token, { turnId: 7 }]
  ] as const) {
    refusals.push((await chat(who, 'stream', body)).text)
  }
  refusals.push((await hub.send({ method: 'POST', path: '/llm/chat/step', token, text: `{"${SAID}` })).text)
  await leave(token)
  for (const path of ['/llm/models', '/llm/usage']) refusals.push((await hub.send({ method: 'GET', path, token })).text)
}

async function person(over: object = {}): Promise<string> {
  const account = { name: `${name} ${randomUUID()}`, role: 'user', llmAccess: true }
  const body = { ...account, llmModels: ['*'], llmMonthlyTokenLimit: 1_000_000, ...over }
  const reply = await hub.send({ method: 'POST', path: '/admin/users', token: hub.admin.token, body })
  return z.object({ secret: z.string() }).parse(reply.body).secret
}

function bodyWith(over: object) {
  const messages = [{ role: 'user', content: SAID }]
  return { model: 'gpt-6.1-sol', messages, systemPrompt: PROMPT, turnId: 't', stepIndex: 0, ...over }
}

function chat(token: string, way: 'step' | 'stream', over: object = {}) {
  return hub.send({ method: 'POST', path: `/llm/chat/${way}`, token, body: bodyWith(over) })
}

/** Goes away while the provider works, and returns once that is in the log. */
async function leave(token: string): Promise<void> {
  upstream.answer(hang)
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify(bodyWith({}))
  await fetch(`${hub.url}/llm/chat/stream`, { method: 'POST', body, headers, signal: leaving.signal })
  await until(() => upstream.requests[0] ?? null)
  leaving.abort()
  const { storage } = hub.hub.ledger
  await until(async () => {
    const events = await storage.readLog(0, 10_000)
    return events.some(({ payload }) => payload?.text?.includes('"cancelled"')) || null
  })
}

const KEPT = [KEY, HEADER, SAID, PROMPT, ANSWERED, TOLD, WRONG]

/** No such text, whole or in pieces of JSON. */
function assertClean(text: string, what: string, forbidden: readonly string[] = KEPT): void {
  for (const canary of forbidden) assert.not.ok(text.includes(canary), `${what} holds "${canary}"`)
}

test('no file of the database holds a key or a word that was said, in whatever table', async () => {
  const { db } = hub.place
  assert.ok(db.driver === 'sqlite')
  const directory = dirname(db.path)
  // The search index writes beside the database, and its journal is gone as soon as it has.
  const files = readdirSync(directory).flatMap((file) => {
    try {
      return readFileSync(join(directory, file)).toString('latin1')
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      return []
    }
  })
  assert.ok(
    files.some((bytes) => bytes.includes(name)),
    'what is kept would be found'
  )
  for (const bytes of files) assertClean(bytes, 'the database')
})

test('an exported log holds neither', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory.path, 'hub.backup')
  await exportLog(hub.hub.ledger, file, { keys: NO_KEYS, now: Date.now() })
  const text = linesIn(file).join('\n')
  assert.ok(text.includes('LlmStepRecorded') && text.includes(name))
  assertClean(text, 'the export')
})

test('no line that the server logs holds either, though it logs at debug', () => {
  const lines = JSON.stringify(hub.log)
  assert.ok(lines.includes('/llm/chat/stream'))
  assertClean(lines, 'the log of the server')
})

test('no answer to a chat that was refused or failed holds a key or what was said', () => {
  assert.is(refusals.length, 17)
  for (const text of refusals) assertClean(text, text, [KEY, HEADER, SAID, PROMPT])
})

test.run()
