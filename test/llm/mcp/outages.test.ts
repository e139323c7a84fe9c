import type { ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { plainServer, scriptedServer, streamableServer } from './servers.js'
import { callTool, echo, hubWith, joined, namesOf, never, serverAt, until } from './support.js'

const test = suite('tool servers that fail')
const answering = (answer: (response: ServerResponse) => unknown) =>
  plainServer((_request, response) => answer(response))
const JSON_TYPE = { 'content-type': 'application/json' }

test('a server that hangs costs a chat the wait, later chats nothing, and the other servers not their tools', async () => {
  const hanging = await plainServer(() => undefined)
  const good = await streamableServer({ tools: echo })
  const { tools, clock } = hubWith([serverAt(good.url)], { wait_ms: 1000 })
  while ((await tools.tools(never)).length === 0) clock.advance(1)
  tools.reload([serverAt(hanging.url), serverAt(good.url)])
  assert.equal(namesOf(await tools.tools(never)), ['hubmcp__1__echo'])
  clock.advance(1000)
  let offered: readonly (string | null)[] | undefined
  const second = tools.tools(never).then((list) => {
    offered = namesOf(list)
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(offered, ['hubmcp__1__echo'], 'the second chat waited as well')
  await second
  assert.is(hanging.requests.length, 1)
})

test('a server that comes up after the wait is there for the next chat, and the log says both', async () => {
  const { server, hub } = await joined(streamableServer({ tools: echo }), { wait_ms: 0 })
  const { tools, warnings, infos } = hub
  assert.equal(await tools.tools(never), [])
  assert.match(warnings[0]?.message ?? '', /^A chat goes without a tool server/)
  await until(async () => (await tools.tools(never)).length === 1)
  assert.equal(infos, [{ details: { server: 'Test server', tools: 1 }, message: 'A tool server is connected' }])
  assert.is(server.sessions.length, 1)
})

test('a chat that is aborted does not wait, and the connection it began serves the next', async () => {
  const { server, hub } = await joined(streamableServer({ tools: echo }))
  assert.equal(await hub.tools.tools(AbortSignal.abort()), [])
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo'])
  assert.is(server.sessions.length, 1)
})

test('the pauses between attempts double up to the longest', async () => {
  const broken = answering((response) => response.writeHead(500).end())
  const { server, hub } = await joined(broken, { firstPause_ms: 1000, longestPause_ms: 5000 })
  const { tools, clock, warnings } = hub
  for (const pause_ms of [1000, 2000, 4000, 5000, 5000]) {
    assert.equal(await tools.tools(never), [])
    const attempts = warnings.length
    clock.advance(pause_ms - 1)
    await tools.tools(never)
    assert.is(warnings.length, attempts, `it was dialled before ${pause_ms} ms were over`)
    clock.advance(1)
  }
  assert.is(warnings.length, 5)
  // Each attempt is one by either transport.
  assert.equal(server.requests.slice(0, 2), ['POST /mcp', 'GET /mcp'])
  assert.is(server.requests.length, 10)
})

function pour(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE)
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

const bare = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'bare', version: '1' } }
for (const [what, start, told] of [
  [
    'redirects, be it to itself, takes no credentials elsewhere and',
    () => answering((response) => response.writeHead(308, { location: '/elsewhere' }).end()),
    /redirects, which the hub does not follow/
  ],
  ['answers without end', () => answering(pour), /larger than 1000000 bytes/],
  [
    'compresses its answers',
    () => answering((response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('bomb')),
    /compresses its answers/
  ],
  [
    'sends brackets without end',
    () => answering((response) => response.writeHead(200, JSON_TYPE).end('['.repeat(900_000))),
    /has too many values in it/
  ],
  [
    'refuses with what it was sent',
    () => plainServer(({ headers }, response) => response.writeHead(401).end(`You sent ${headers.authorization}`)),
    /"kind":"status","code":401/
  ],
  [
    'answers the list with nonsense',
    () => scriptedServer({ 'tools/list': { result: { tools: 'many' } } }),
    /"kind":"unreadable"/
  ],
  ['has no tools', () => scriptedServer({ initialize: { result: bare } }), /^\[\]$/]
] as const) {
  test(`a server that ${what} is left out, and the log says why without its words`, async () => {
    const server = await start()
    const headers = [['authorization', 'Bearer tool-secret']] as const
    const hub = hubWith([serverAt(server.url, headers)], { response_bytes: 1_000_000 })
    assert.equal(await hub.tools.tools(never), [])
    const log = JSON.stringify(hub.warnings)
    assert.match(log, told)
    assert.not.match(log, /tool-secret|You sent/)
    assert.not(server.requests.some((request) => request.includes('/elsewhere')))
  })
}

test('a server that cannot be reached is told with the code of the system', async () => {
  const { server, hub } = await joined(streamableServer())
  await server.stop()
  assert.equal(await hub.tools.tools(never), [])
  assert.match(JSON.stringify(hub.warnings), /"kind":"network","code":"ECONNREFUSED"/)
})

test('a call fails at once when the server breaks off its answer', async () => {
  const { server, hub } = await joined(
    streamableServer({
      tools: (mcp) =>
        mcp.registerTool('crash', {}, () => {
          void server.stop()
          return new Promise(() => undefined)
        })
    })
  )
  assert.equal(await callTool(hub, 'hubmcp__0__crash'), {
    text: '{"error":"The tool server \\"Test server\\" could not be reached."}',
    ok: false
  })
})

const ONE_TOOL = { 'tools/list': { result: { tools: [{ name: 'odd' }] } } }

for (const [what, answer, text] of [
  [
    'nonsense',
    { result: { content: 'nonsense' } },
    'The tool server "Test server" sent an answer that could not be understood.'
  ],
  ['an error of the protocol', { error: { code: -32000, message: 'No paper' } }, 'MCP error -32000: No paper'],
  ['an error that sounds like a time limit', { error: { code: -32001, message: 'No' } }, 'MCP error -32001: No']
] as const) {
  test(`${what} in answer to a call is a result, and the connection stays`, async () => {
    const { server, hub } = await joined(scriptedServer({ ...ONE_TOOL, 'tools/call': answer }))
    for (let call = 0; call < 2; call++) {
      const result = await callTool(hub, 'hubmcp__0__odd')
      assert.equal(result, { text: JSON.stringify({ error: text }), ok: false })
    }
    assert.is(server.requests.filter((request) => request.endsWith('initialize')).length, 1)
  })
}

test('what a server echoes of arguments is for the model alone: the log tells the kind of failure', async () => {
  const error = { code: -32050, message: 'You sent argument-secret' }
  const { hub } = await joined(scriptedServer({ ...ONE_TOOL, 'tools/call': { error } }))
  const { text } = await callTool(hub, 'hubmcp__0__odd', { text: 'argument-secret' })
  assert.match(text, /argument-secret/)
  const details = { server: 'Test server', tool: 'odd', kind: 'error', code: -32050 }
  assert.equal(hub.warnings, [{ details, message: 'A tool of a tool server failed' }])
})

test('a server that closes its stream and wants it back at once gets it back now and then', async () => {
  let opened = 0
  const restless = scriptedServer(ONE_TOOL, (response) => {
    opened += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata:\n\n')
  })
  const { hub } = await joined(restless, { getEvery_ms: 60_000 })
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__odd'])
  await until(() => opened === 1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.is(opened, 1)
})

test('closing while a server is being dialled does not wait for it', async () => {
  const { hub } = await joined(
    plainServer(() => undefined),
    { wait_ms: 0, connect_ms: 20_000 }
  )
  await hub.tools.tools(never)
  // The attempt itself takes as long as a test may.
  await hub.tools.close()
})

test('closing fails the calls that run, also on servers that are configured no more', async () => {
  let isRunning = false
  const { hub } = await joined(
    streamableServer({
      tools: (mcp) =>
        mcp.registerTool('sleep', {}, () => {
          isRunning = true
          return new Promise(() => undefined)
        })
    })
  )
  const call = callTool(hub, 'hubmcp__0__sleep')
  await until(() => isRunning)
  hub.tools.reload([])
  await hub.tools.close()
  assert.is((await call).ok, false)
})

test.run()
