import type { IncomingMessage, ServerResponse } from 'node:http'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { plainServer, scriptedServer, streamableServer, type TestServer } from './servers.js'
import { callTool, echo, hubWith, namesOf, never, serverAt, type TestHub, until } from './support.js'

const test = suite('tool servers that fail')

const started: TestServer[] = []
let hub: TestHub | undefined

async function start(server: Promise<TestServer>): Promise<TestServer> {
  started.push(await server)
  return server
}

test.after.each(async () => {
  await hub?.tools.close()
  await Promise.all(started.splice(0).map((server) => server.stop()))
})

test('a server that hangs costs a chat the wait, later chats nothing, and the other servers not their tools', async () => {
  const hanging = await start(plainServer(() => undefined))
  const good = await start(streamableServer({ tools: echo }))
  hub = hubWith([serverAt(good.url)], { wait_ms: 1000 })
  const { tools, clock } = hub
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
  const good = await start(streamableServer({ tools: echo }))
  hub = hubWith([serverAt(good.url)], { wait_ms: 0 })
  assert.equal(await hub.tools.tools(never), [])
  const { tools, warnings, infos } = hub
  assert.match(warnings[0]?.message ?? '', /^A chat goes without a tool server/)
  await until(async () => (await tools.tools(never)).length === 1)
  assert.equal(infos, [{ details: { server: 'Test server', tools: 1 }, message: 'A tool server is connected' }])
  assert.is(good.sessions.length, 1)
})

test('a chat that is aborted does not wait, and the connection it began serves the next', async () => {
  const good = await start(streamableServer({ tools: echo }))
  hub = hubWith([serverAt(good.url)])
  assert.equal(await hub.tools.tools(AbortSignal.abort()), [])
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo'])
  assert.is(good.sessions.length, 1)
})

test('the pauses between attempts double up to the longest', async () => {
  const broken = await start(plainServer((_request, response) => response.writeHead(500).end()))
  hub = hubWith([serverAt(broken.url)], { firstPause_ms: 1000, longestPause_ms: 5000 })
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
  assert.equal(broken.requests.slice(0, 2), ['POST /mcp', 'GET /mcp'])
  assert.is(broken.requests.length, 10)
})

test('a redirect is refused, and the credentials stay here', async () => {
  const elsewhere = await start(streamableServer({ tools: echo }))
  const redirecting = await start(
    plainServer((_request, response) => response.writeHead(307, { location: elsewhere.url }).end())
  )
  hub = hubWith([serverAt(redirecting.url, [['authorization', 'Bearer tool']])])
  assert.equal(await hub.tools.tools(never), [])
  assert.equal(elsewhere.requests, [])
  assert.match(JSON.stringify(hub.warnings), /redirects, which the hub does not follow/)
})

test('a redirect within the server is refused as well', async () => {
  const redirecting = await start(
    plainServer((_request, response) => response.writeHead(308, { location: '/elsewhere' }).end())
  )
  hub = hubWith([serverAt(redirecting.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.equal(redirecting.requests, ['POST /mcp', 'GET /mcp'])
})

test('an answer without end is cut off while it is read', async () => {
  const pour = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  const endless = await start(plainServer((_request, response) => pour(response)))
  hub = hubWith([serverAt(endless.url)], { response_bytes: 1_000_000 })
  assert.equal(await hub.tools.tools(never), [])
  assert.match(JSON.stringify(hub.warnings), /larger than 1000000 bytes/)
})

test('an answer that comes compressed is refused', async () => {
  const compressing = await start(
    plainServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('bomb')
    )
  )
  hub = hubWith([serverAt(compressing.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.match(JSON.stringify(hub.warnings), /compresses its answers/)
})

test('a call fails at once when the server breaks off its answer', async () => {
  const server = await start(
    streamableServer({
      tools: (mcp) =>
        mcp.registerTool('crash', {}, () => {
          void server.stop()
          return new Promise(() => undefined)
        })
    })
  )
  hub = hubWith([serverAt(server.url)])
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
    const server = await start(scriptedServer({ ...ONE_TOOL, 'tools/call': answer }))
    hub = hubWith([serverAt(server.url)])
    for (let call = 0; call < 2; call++) {
      const result = await callTool(hub, 'hubmcp__0__odd')
      assert.equal(result, { text: JSON.stringify({ error: text }), ok: false })
    }
    assert.is(server.requests.filter((request) => request.endsWith('initialize')).length, 1)
  })
}

test('what a server echoes of headers and arguments is for the model alone: the log tells the kind of failure', async () => {
  const echoing = { message: 'You sent Bearer tool-secret and argument-secret' }
  const server = await start(scriptedServer({ ...ONE_TOOL, 'tools/call': { error: { code: -32050, ...echoing } } }))
  hub = hubWith([serverAt(server.url, [['authorization', 'Bearer tool-secret']])])
  const { text } = await callTool(hub, 'hubmcp__0__odd', { text: 'argument-secret' })
  assert.match(text, /argument-secret/)
  assert.equal(hub.warnings, [
    {
      details: { server: 'Test server', tool: 'odd', kind: 'error', code: -32050 },
      message: 'A tool of a tool server failed'
    }
  ])
})

test('a server that is left out is told with the status that it answered with, and without its words', async () => {
  const telling = await start(
    plainServer((request, response) => response.writeHead(401).end(`You sent ${request.headers.authorization}`))
  )
  hub = hubWith([serverAt(telling.url, [['authorization', 'Bearer tool-secret']])])
  assert.equal(await hub.tools.tools(never), [])
  const told = JSON.stringify(hub.warnings)
  assert.not.match(told, /tool-secret|You sent/)
  assert.match(told, /"kind":"status","code":401/)
})

test('a server that cannot be reached is told with the code of the system', async () => {
  const gone = await streamableServer()
  await gone.stop()
  hub = hubWith([serverAt(gone.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.match(JSON.stringify(hub.warnings), /"kind":"network","code":"ECONNREFUSED"/)
})

test('a server that sends brackets without end is given up before anybody parses them', async () => {
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(1_000_000))
  const server = await start(plainServer((_request, response) => answer(response)))
  hub = hubWith([serverAt(server.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.match(JSON.stringify(hub.warnings), /has too many values in it/)
})

test('a server that closes its stream and wants it back at once gets it back now and then', async () => {
  let opened = 0
  const server = await start(
    plainServer((request, response) => {
      if (request.method !== 'GET') return rpc(request, response)
      opened += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata:\n\n')
    })
  )
  hub = hubWith([serverAt(server.url)], { getEvery_ms: 60_000 })
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__odd'])
  await until(() => opened === 1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.is(opened, 1)
})

/** Answers the messages that a client sends, with one tool. */
function rpc(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(parts).toString())
    const serverInfo = { name: 'restless', version: '1' }
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: [{ name: 'odd' }] }
    }
    const result = results[method]
    if (result === undefined) return response.writeHead(202).end()
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}

test('a server that answers the list with nonsense is left out', async () => {
  const server = await start(scriptedServer({ 'tools/list': { result: { tools: 'many' } } }))
  hub = hubWith([serverAt(server.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.is(hub.warnings.length, 1)
})

test('a server without tools is no failure', async () => {
  const initialize = {
    result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'bare', version: '1' } }
  }
  const server = await start(scriptedServer({ initialize }))
  hub = hubWith([serverAt(server.url)])
  assert.equal(await hub.tools.tools(never), [])
  assert.equal(hub.warnings, [])
})

test('closing while a server is being dialled does not wait for it', async () => {
  const hanging = await start(plainServer(() => undefined))
  hub = hubWith([serverAt(hanging.url)], { wait_ms: 0, connect_ms: 20_000 })
  await hub.tools.tools(never)
  // The attempt itself takes as long as a test may.
  await hub.tools.close()
})

test('closing fails the calls that run, also on servers that are configured no more', async () => {
  let running = () => {}
  const isRunning = new Promise<void>((resolve) => {
    running = resolve
  })
  const server = await start(
    streamableServer({
      tools: (mcp) =>
        mcp.registerTool('sleep', {}, () => {
          running()
          return new Promise(() => undefined)
        })
    })
  )
  hub = hubWith([serverAt(server.url)])
  const call = callTool(hub, 'hubmcp__0__sleep')
  await isRunning
  hub.tools.reload([])
  await hub.tools.close()
  assert.is((await call).ok, false)
})

test.run()
