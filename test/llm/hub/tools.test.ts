import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { sqlite } from '../../http/drivers.js'
import { startHub, type TestHub, until } from '../../http/support.js'
import { suite } from '../../support/suite.js'
import { completion, startOpenAi } from '../fakes/openai.js'
import type { Upstream } from '../fakes/upstream.js'
import { sseServer, streamableServer, type TestServer } from '../mcp/servers.js'
import { echo } from '../mcp/support.js'
import { never, weather } from '../support.js'

const KEY = 'sk-test'
const echoCall = (index: number, text: string) => ({
  id: `call-${index}`,
  name: `hubmcp__${index}__echo`,
  arguments: JSON.stringify({ text })
})
const _weatherCall = { id: 'call-w', name: 'weather', arguments: '{"city":"Oslo"}' }
/** What each server is asked to say again, in one answer of the model. */
const both = { calls: [echoCall(0, 'over HTTP'), echoCall(1, 'over SSE')], usage: [100, 10] as const }

const test = suite('tools of the hub over HTTP')
let upstream: Upstream
let servers: readonly [TestServer, TestServer]
let hub: TestHub
let token: string

test.before(async () => {
  upstream = await startOpenAi(KEY)
  servers = await Promise.all([streamableServer({ tools: echo }), sseServer({ tools: echo })])
  const mcp = servers.map(({ url }, i) => ({ name: `tools ${i}`, url, headers: { 'x-tools-key': `secret ${i}` } }))
  const openai = { apiKey: KEY, baseUrl: upstream.url, maxRetries: 0 }
  hub = await startHub(sqlite, { config: { llm: { providers: { openai }, mcp } } })
  const account = { name: randomUUID(), role: 'user', llmAccess: true, llmModels: ['*'] }
  const reply = await hub.send({ method: 'POST', path: '/admin/users', token: hub.admin.token, body: account })
  token = z.object({ secret: z.string() }).parse(reply.body).secret
  // A chat would not wait for them for long.
  await until(async () => {
    const offered = await hub.hub.llm?.hubTools.offered([], never)
    return offered?.tools.length === servers.length || null
  })
})
test.after(() => hub.close())
test.before.each(() => {
  for (const { requests } of servers) requests.length = 0
})

const body = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hi' }], tools: [weather] }
const send = (way: 'step' | 'stream', over: object = {}) =>
  hub.send({ method: 'POST', path: `/llm/chat/${way}`, token, body: { ...body, turnId: 't', stepIndex: 0, ...over } })

const named = z.object({ function: z.object({ name: z.string() }) })
const sent = z.object({
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(named).transform((tools) => tools.map((tool) => tool.function.name))
})
const asked = (call: number) => sent.parse(upstream.requests[call]?.body)
const toolCalls = () => servers.map(({ requests }) => requests.filter((one) => one.endsWith('tools/call')).length)

const results = [
  { role: 'tool', tool_call_id: 'call-0', content: 'over HTTP' },
  { role: 'tool', tool_call_id: 'call-1', content: 'over SSE' }
]

test('a step makes the calls of both kinds of servers on the hub, and its client sees the answer alone', async () => {
  upstream.answer(completion(both), completion({ text: 'Done', usage: [200, 20] }))
  const { status, body: answer } = await send('step')
  assert.is(status, 200)
  assert.equal(answer, {
    content: 'Done',
    toolCalls: [],
    usage: { promptTokens: 300, completionTokens: 30, totalTokens: 330 }
  })
  assert.equal(toolCalls(), [1, 1])
  assert.equal(asked(0).tools, ['hubmcp__0__echo', 'hubmcp__1__echo', 'weather'], "the hub's own come first")
  assert.equal(asked(1).messages.slice(-2), results)
  for (const [i, { headers }] of servers.entries()) assert.is(headers.at(-1)?.['x-tools-key'], `secret ${i}`)
})

test.run()
