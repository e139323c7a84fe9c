import type { LookupAddress } from 'node:dns'
import * as assert from 'uvu/assert'
import { suite } from '../../support/suite.js'
import { sseServer, streamableServer } from './servers.js'
import { callTool, echo, hubWith, namesOf, never, serverAt, type TestHub } from './support.js'

const test = suite('where the names of tool servers lead')

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const METADATA = { address: '169.254.169.254', family: 4 }

function hubResolving(url: string, resolve: (host: string) => readonly LookupAddress[]): TestHub {
  return hubWith([serverAt(url)], {}, { resolve: async (host) => resolve(host) })
}

test('the hub connects to the address that was checked', async () => {
  const server = await streamableServer({ tools: echo })
  const asked: string[] = []
  const hub = hubResolving(`http://tools.example:${server.port}/mcp`, (host) => {
    asked.push(host)
    return [LOOPBACK]
  })
  assert.equal(namesOf(await hub.tools.tools(never)), ['hubmcp__0__echo'])
  assert.is(new Set(asked).size, 1)
  assert.is(server.headers[0]?.host, `tools.example:${server.port}`)
})

for (const [what, addresses] of [
  ['to the metadata service', [METADATA]],
  ['to it among others', [LOOPBACK, METADATA]],
  ['to it in the guise of IPv6', [{ address: '::ffff:a9fe:a9fe', family: 6 }]],
  ['to a link-local address', [{ address: 'fe80::1%eth0', family: 6 }]]
] as const) {
  test(`a name that leads ${what} is refused`, async () => {
    const server = await streamableServer({ tools: echo })
    const hub = hubResolving(`http://tools.example:${server.port}/mcp`, () => addresses)
    assert.equal(await hub.tools.tools(never), [])
    assert.match(JSON.stringify(hub.warnings), /does not connect to/)
    assert.equal(server.requests, [])
  })
}

for (const host of [
  '169.254.169.254',
  '2852039166',
  '0xa9.0xfe.0xa9.0xfe',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]'
]) {
  test(`${host} is refused without asking anybody`, async () => {
    const hub = hubResolving(`http://${host}/mcp`, () => [LOOPBACK])
    assert.equal(await hub.tools.tools(never), [])
    assert.match(JSON.stringify(hub.warnings), /does not connect to/)
  })
}

test('a name that changes its mind between two requests is refused at the second', async () => {
  const server = await streamableServer({ tools: echo })
  let addresses = [LOOPBACK]
  const hub = hubResolving(`http://tools.example:${server.port}/mcp`, () => addresses)
  const [tool] = await hub.tools.tools(never)
  addresses = [METADATA]
  const result = await tool?.call({ text: 'hello' }, never)
  assert.is(result?.ok, false)
  assert.match(result?.text ?? '', /at an address that the hub does not connect to/)
})

test('a name that leads nowhere is a server that is left out', async () => {
  const hub = hubResolving('http://tools.example/mcp', () => [])
  assert.equal(await hub.tools.tools(never), [])
})

test('an event stream may not send the messages elsewhere', async () => {
  const server = await sseServer({ tools: echo })
  const hub = hubResolving(`http://tools.example:${server.port}/mcp`, () => [LOOPBACK])
  assert.equal(await callTool(hub, 'hubmcp__0__echo', { text: 'hello' }), { text: 'hello', ok: true })
  for (const { host } of server.headers) assert.is(host, `tools.example:${server.port}`)
})

test.run()
