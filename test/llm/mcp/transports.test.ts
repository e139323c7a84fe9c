import * as assert from 'uvu/assert'
import { VERSION } from '../../../src/lib/version.js'
import { suite } from '../../support/suite.js'
import { sseServer, streamableServer, type TestServer, type TestServerOptions } from './servers.js'
import { callTool, echo, hubWith, joined, namesOf, never, saying, serverAt, until } from './support.js'

const test = suite('tool servers by both transports')
type Start = (options: TestServerOptions) => Promise<TestServer>

const KINDS: readonly (readonly [kind: string, start: Start])[] = [
  ['streamable HTTP', streamableServer],
  ['streamable HTTP with JSON', (options) => streamableServer({ ...options, json: true })],
  ['server-sent events', sseServer]
]
const asked = ({ requests }: TestServer, what: string) => requests.filter((request) => request.endsWith(what)).length

for (const [kind, start] of KINDS) {
  test(`${kind}: tools are offered as functions and can be called, with the configured headers on every request`, async () => {
    const server = await start({ tools: echo })
    const headers = [
      ['Authorization', 'Bearer tool'],
      ['X-Team', 'blue']
    ] as const
    const hub = hubWith([serverAt(server.url, headers)])
    const [tool] = await hub.tools.tools(never)
    const { function: described } = JSON.parse(JSON.stringify(tool?.definition))
    assert.equal([described.name, described.description], ['hubmcp__0__echo', 'Says it again'])
    assert.equal(described.parameters.properties, { text: { type: 'string' } })
    assert.equal(await tool?.call({ text: 'hello' }, never), { text: 'hello', ok: true })
    assert.equal(hub.warnings, [])
    assert.ok(server.headers.length >= 4)
    for (const headers of server.headers)
      assert.equal([headers.authorization, headers['x-team']], ['Bearer tool', 'blue'])
  })

  test(`${kind}: chats share one connection, also when they begin at once`, async () => {
    const { server, hub } = await joined(start({ tools: echo }))
    await Promise.all([1, 2, 3].map(() => hub.tools.tools(never)))
    await callTool(hub, 'hubmcp__0__echo', { text: 'hello' })
    assert.equal([server.sessions.length, asked(server, 'tools/list')], [1, 1])
  })

  test(`${kind}: a server that stops and comes back is connected again`, async () => {
    const { server, hub } = await joined(start({ tools: echo }))
    const { tools, clock } = hub
    const [tool] = await tools.tools(never)
    await server.stop()
    assert.equal(await tool?.call({ text: 'meanwhile' }, never), {
      text: '{"error":"The tool server \\"Test server\\" could not be reached."}',
      ok: false
    })
    assert.equal(await tools.tools(never), [])
    await start({ port: server.port, tools: echo })
    assert.equal(await tools.tools(never), [], 'it was dialled without a pause')
    clock.advance(2000)
    assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'after' }), { text: 'after', ok: true })
  })

  test(`${kind}: a new list of tools is seen when the server tells of it`, async () => {
    const { server, hub } = await joined(start({ tools: echo }))
    await hub.tools.tools(never)
    // The stream for notifications is opened by the client after the handshake.
    await until(() => server.requests.some((request) => request.startsWith('GET')))
    server.sessions[0]?.registerTool('second', {}, () => ({ content: [] }))
    await until(async () => (await hub.tools.tools(never)).length === 2)
    assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo', 'hubmcp__0__second'])
  })

  test(`${kind}: a call that takes too long fails, and the server stays`, async () => {
    const sleeping: TestServerOptions['tools'] = (mcp) => {
      echo(mcp)
      mcp.registerTool('sleep', {}, () => new Promise(() => undefined))
    }
    const { server, hub } = await joined(start({ tools: sleeping }), { call_ms: 1000 })
    const result = await callTool(hub, 'hubmcp__0__sleep')
    assert.equal(result, { text: '{"error":"The tool did not answer within 1 seconds."}', ok: false })
    assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'still here' }), { text: 'still here', ok: true })
    assert.is(server.sessions.length, 1)
  })

  test(`${kind}: an abort ends a call at once and tells the server`, async () => {
    let [hasStarted, isCancelled] = [false, false]
    const sleeping: TestServerOptions['tools'] = (mcp) =>
      mcp.registerTool('sleep', {}, ({ signal }) => {
        hasStarted = true
        signal.addEventListener('abort', () => {
          isCancelled = true
        })
        return new Promise(() => undefined)
      })
    const { hub } = await joined(start({ tools: sleeping }))
    const controller = new AbortController()
    const call = callTool(hub, 'hubmcp__0__sleep', {}, controller.signal)
    await until(() => hasStarted)
    controller.abort(new Error('gone'))
    const failure = await call.then(String, (error: Error) => error.message)
    assert.is(failure, 'gone')
    await until(() => isCancelled)
  })

  test(`${kind}: a large answer is cut, and one that is too large fails at once`, async () => {
    const { hub } = await joined(start({ tools: saying('x'.repeat(1_000_000)) }), { response_bytes: 2_000_000 })
    const { ok, text } = await callTool(hub, 'hubmcp__0__say')
    assert.is(ok, true)
    assert.is(text, `${'x'.repeat(262_144)}\n[The rest was cut off after 262144 bytes.]`)
    const other = await joined(start({ tools: saying('x'.repeat(3_000_000)) }), { response_bytes: 2_000_000 })
    // A test may not take as long as a call.
    const refused = await callTool(other.hub, 'hubmcp__0__say')
    assert.is(refused.ok, false)
    assert.match(refused.text, /larger than 2000000 bytes|could not be reached/)
  })

  test(`${kind}: what a tool throws, and what it refuses, are results`, async () => {
    const failing: TestServerOptions['tools'] = (mcp) => {
      echo(mcp)
      mcp.registerTool('fail', {}, () => {
        throw new Error('out of paper')
      })
    }
    const { hub } = await joined(start({ tools: failing }))
    assert.equal(await callTool(hub, 'hubmcp__0__fail'), { text: '{"error":"out of paper"}', ok: false })
    const refused = await callTool(hub, 'hubmcp__0__echo', { text: 7 })
    assert.is(refused.ok, false)
    assert.match(refused.text, /^\{"error":".*Invalid arguments/)
  })
}

test('a server that was restarted unnoticed gets the call again in a new session', async () => {
  const { server, hub } = await joined(streamableServer({ tools: echo }))
  const [tool] = await hub.tools.tools(never)
  await server.stop()
  const again = await streamableServer({ port: server.port, tools: echo })
  assert.equal(await tool?.call({ text: 'after' }, never), { text: 'after', ok: true })
  assert.is(asked(again, 'tools/call'), 2)
})

test('a server is reached whose address has a name and a password in it, and the hub introduces itself', async () => {
  const server = await streamableServer({ tools: echo })
  const hub = hubWith([serverAt(server.url.replace('http://', 'http://name:word@'))])
  assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'hello' }), { text: 'hello', ok: true })
  assert.equal(server.sessions[0]?.server.getClientVersion(), { name: 'collections-hub', version: VERSION })
})

test('tools come in the order of the servers, and a call goes to the server of its tool', async () => {
  const servers = [await streamableServer({ tools: echo }), await sseServer({ tools: echo })]
  const hub = hubWith(servers.map(({ url }) => serverAt(url)))
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo', 'hubmcp__1__echo'])
  await callTool(hub, 'hubmcp__1__echo', { text: 'hello' })
  assert.equal(
    servers.map((server) => asked(server, 'tools/call')),
    [0, 1]
  )
})

test.run()
