import * as assert from 'uvu/assert'
import { VERSION } from '../../../src/lib/version.js'
import { suite } from '../../support/suite.js'
import { sseServer, streamableServer, type TestServer, type TestServerOptions } from './servers.js'
import { callTool, echo, hubWith, namesOf, never, serverAt, type TestHub, until } from './support.js'

const test = suite('tool servers by both transports')

let server: TestServer | undefined
let hub: TestHub | undefined

test.after.each(async () => {
  await hub?.tools.close()
  await server?.stop()
})

type Start = (options: TestServerOptions) => Promise<TestServer>

const KINDS: readonly (readonly [kind: string, start: Start])[] = [
  ['streamable HTTP', streamableServer],
  ['streamable HTTP with JSON', (options) => streamableServer({ ...options, json: true })],
  ['server-sent events', sseServer]
]

for (const [kind, start] of KINDS) {
  test(`${kind}: tools are offered as functions and can be called`, async () => {
    server = await start({ tools: echo })
    hub = hubWith([serverAt(server.url)])
    const [tool] = await hub.tools.tools(never)
    const { function: described } = JSON.parse(JSON.stringify(tool?.definition))
    assert.is(described.name, 'hubmcp__0__echo')
    assert.is(described.description, 'Says it again')
    assert.equal(described.parameters.properties, { text: { type: 'string' } })
    assert.equal(await tool?.call({ text: 'hello' }, never), { text: 'hello', ok: true })
    assert.equal(hub.warnings, [])
  })

  test(`${kind}: the configured headers are on every request`, async () => {
    server = await start({ tools: echo })
    hub = hubWith([
      serverAt(server.url, [
        ['Authorization', 'Bearer tool'],
        ['X-Team', 'blue']
      ])
    ])
    await callTool(hub, 'hubmcp__0__echo', { text: 'hello' })
    assert.ok(server.headers.length >= 4)
    for (const headers of server.headers) {
      assert.is(headers.authorization, 'Bearer tool')
      assert.is(headers['x-team'], 'blue')
    }
  })

  test(`${kind}: chats share one connection, also when they begin at once`, async () => {
    server = await start({ tools: echo })
    hub = hubWith([serverAt(server.url)])
    const { tools } = hub
    await Promise.all([tools.tools(never), tools.tools(never), tools.tools(never)])
    await callTool(hub, 'hubmcp__0__echo', { text: 'hello' })
    assert.is(server.sessions.length, 1)
    assert.is(server.requests.filter((request) => request.endsWith('tools/list')).length, 1)
  })

  test(`${kind}: a server that stops and comes back is connected again`, async () => {
    server = await start({ tools: echo })
    hub = hubWith([serverAt(server.url)])
    const { tools, clock } = hub
    const [tool] = await tools.tools(never)
    await server.stop()
    assert.equal(await tool?.call({ text: 'meanwhile' }, never), {
      text: '{"error":"The tool server \\"Test server\\" could not be reached."}',
      ok: false
    })
    assert.equal(await tools.tools(never), [])
    server = await start({ port: server.port, tools: echo })
    assert.equal(await tools.tools(never), [], 'it was dialled without a pause')
    clock.advance(2000)
    assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'after' }), { text: 'after', ok: true })
  })

  test(`${kind}: a new list of tools is seen when the server tells of it`, async () => {
    server = await start({ tools: echo })
    hub = hubWith([serverAt(server.url)])
    await hub.tools.tools(never)
    // The stream for notifications is opened by the client after the handshake.
    await until(() => server?.requests.some((request) => request.startsWith('GET')) === true)
    server.sessions[0]?.registerTool('second', {}, () => ({ content: [] }))
    await until(async () => (await hub?.tools.tools(never))?.length === 2)
    assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo', 'hubmcp__0__second'])
  })

  test(`${kind}: a call that takes too long fails, and the server stays`, async () => {
    server = await start({
      tools: (mcp) => {
        echo(mcp)
        mcp.registerTool('sleep', {}, () => new Promise(() => undefined))
      }
    })
    hub = hubWith([serverAt(server.url)], { call_ms: 1000 })
    const result = await callTool(hub, 'hubmcp__0__sleep')
    assert.equal(result, { text: '{"error":"The tool did not answer within 1 seconds."}', ok: false })
    assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'still here' }), { text: 'still here', ok: true })
    assert.is(server.sessions.length, 1)
  })

  test(`${kind}: an abort ends a call at once and tells the server`, async () => {
    let cancelled = false
    let started = false
    server = await start({
      tools: (mcp) =>
        mcp.registerTool('sleep', {}, ({ signal }) => {
          started = true
          signal.addEventListener('abort', () => {
            cancelled = true
          })
          return new Promise(() => undefined)
        })
    })
    hub = hubWith([serverAt(server.url)])
    const controller = new AbortController()
    const call = callTool(hub, 'hubmcp__0__sleep', {}, controller.signal)
    await until(() => started)
    controller.abort(new Error('gone'))
    const failure = await call.then(
      () => null,
      (error: Error) => error.message
    )
    assert.is(failure, 'gone')
    await until(() => cancelled)
  })

  test(`${kind}: an answer that is too large fails at once`, async () => {
    server = await start({
      tools: (mcp) => mcp.registerTool('huge', {}, () => ({ content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] }))
    })
    hub = hubWith([serverAt(server.url)], { response_bytes: 1_000_000 })
    // A test may not take as long as a call.
    const { ok, text } = await callTool(hub, 'hubmcp__0__huge')
    assert.is(ok, false)
    assert.match(text, /larger than 1000000 bytes|could not be reached/)
  })

  test(`${kind}: a large answer is cut`, async () => {
    server = await start({
      tools: (mcp) =>
        mcp.registerTool('large', {}, () => ({ content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] }))
    })
    hub = hubWith([serverAt(server.url)])
    const { ok, text } = await callTool(hub, 'hubmcp__0__large')
    assert.is(ok, true)
    assert.is(text, `${'x'.repeat(262_144)}\n[The rest was cut off after 262144 bytes.]`)
  })

  test(`${kind}: what a tool throws, and what it refuses, are results`, async () => {
    server = await start({
      tools: (mcp) => {
        echo(mcp)
        mcp.registerTool('fail', {}, () => {
          throw new Error('out of paper')
        })
      }
    })
    hub = hubWith([serverAt(server.url)])
    assert.equal(await callTool(hub, 'hubmcp__0__fail'), { text: '{"error":"out of paper"}', ok: false })
    const refused = await callTool(hub, 'hubmcp__0__echo', 'no object')
    assert.is(refused.ok, false)
    assert.match(refused.text, /^\{"error":".*Invalid arguments/)
  })
}

test('a server that was restarted unnoticed gets the call again in a new session', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url)])
  const [tool] = await hub.tools.tools(never)
  await server.stop()
  server = await streamableServer({ port: server.port, tools: echo })
  assert.equal(await tool?.call({ text: 'after' }, never), { text: 'after', ok: true })
  assert.is(server.requests.filter((request) => request.endsWith('tools/call')).length, 2)
})

test('a server is reached whose address has a name and a password in it', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url.replace('http://', 'http://name:word@'))])
  assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'hello' }), { text: 'hello', ok: true })
})

test('the hub introduces itself', async () => {
  server = await streamableServer({ tools: echo })
  hub = hubWith([serverAt(server.url)])
  await hub.tools.tools(never)
  assert.equal(server.sessions[0]?.server.getClientVersion(), { name: 'collections-hub', version: VERSION })
})

test('tools come in the order of the servers, and a call goes to the server of its tool', async () => {
  const first = await streamableServer({ tools: echo })
  server = await sseServer({ tools: echo })
  try {
    hub = hubWith([serverAt(first.url), serverAt(server.url)])
    assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo', 'hubmcp__1__echo'])
    await callTool(hub, 'hubmcp__1__echo', { text: 'hello' })
    assert.is(first.requests.filter((request) => request.endsWith('tools/call')).length, 0)
    assert.is(server.requests.filter((request) => request.endsWith('tools/call')).length, 1)
  } finally {
    await first.stop()
  }
})

test.run()
