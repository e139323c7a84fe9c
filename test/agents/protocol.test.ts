import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { type Fields, fields, type Reply } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'
import { connectAgent, writingToken } from './support.js'

const server = { host: '127.0.0.1', port: 1, publicUrl: 'https://hub.example.com/api' }
const { test, world } = hubSuite('the protocol of agents', sqlite, { config: { server } })

const SESSION = 'mcp-session-id'

function send(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  token = world.owner.token
): Promise<Reply> {
  return world.hub.send({ method: 'POST', path: '/mcp', token, body, headers })
}

const request = (method: string, params: Fields = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const introduction = (name = 'client', protocolVersion = '2025-11-25') =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } })

async function session(token = world.owner.token): Promise<Record<string, string>> {
  const { headers } = await send(introduction(), {}, token)
  return { [SESSION]: String(headers[SESSION]) }
}

/** The JSON-RPC error in an answer. */
function errorIn({ body }: Reply): { readonly code: unknown; readonly message: string } {
  const { code, message } = fields(fields(body).error)
  return { code, message: String(message) }
}

test('a message of a session with another token, or of none, is 404, and one without a session 400', async () => {
  const listing = request('tools/list')
  const own = await session()
  assert.is((await send(listing, own)).status, 200)
  const foreign = await send(listing, own, world.colleague.token)
  assert.equal([foreign.status, errorIn(foreign).message], [404, 'Session not found. Initialize again.'])
  for (const wrong of ['x', '', 'W10.x', `${own[SESSION]}x`])
    assert.is((await send(listing, { [SESSION]: wrong })).status, 404, wrong)
  const missing = await send(listing)
  assert.equal([missing.status, errorIn(missing).code], [400, -32_000])
})

test('a version of the protocol that nobody speaks is refused, and another one is offered at the beginning', async () => {
  const own = await session()
  const refused = await send(request('ping'), { ...own, 'mcp-protocol-version': '1999-01-01' })
  assert.equal([refused.status, errorIn(refused).code], [400, -32_000])
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    assert.is((await send(request('ping'), { ...own, 'mcp-protocol-version': version })).status, 200)
    const { body } = await send(introduction('client', version))
    assert.is(fields(fields(body).result).protocolVersion, version)
  }
  const { body } = await send(introduction('client', '1999-01-01'))
  assert.is(fields(fields(body).result).protocolVersion, '2025-11-25')
})

test('a notification is taken without an answer', async () => {
  const { status, text } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, await session())
  assert.equal([status, text], [202, ''])
})

test('pages of this machine and of the public address may ask, those of other origins may not', async () => {
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:80', 'https://hub.example.com'])
    assert.is((await send(introduction(), { origin })).status, 200, origin)
  for (const origin of ['https://evil.example', 'http://hub.example.com', 'null', 'http://localhost.evil.example', 'x'])
    await world.refused(
      403,
      () => send(introduction(), { origin }),
      'Requests from pages of this origin are not taken.'
    )
})

test('what is asked for and is not there is a JSON-RPC error, whose text does not say its code again', async () => {
  const own = await session()
  const errorOf = async (method: string, params: Fields = {}) => errorIn(await send(request(method, params), own))
  assert.equal(await errorOf('prompts/list'), { code: -32_601, message: 'Method not found' })
  assert.equal(await errorOf('tools/call', { name: 'nothing' }), {
    code: -32_602,
    message: 'There is no such tool: list them with tools/list.'
  })
  for (const uri of [
    'hub://requests',
    'hub://folders/x',
    'file:///etc/passwd',
    `hub://requests/${'x'.repeat(100)}`,
    ''
  ])
    assert.match((await errorOf('resources/read', { uri })).message, /^There is no such resource/, uri)
  assert.equal(await errorOf('resources/read', { uri: 'hub://requests/x' }), {
    code: -32_002,
    message: 'Request not found'
  })
})

test('params that are not as the protocol has them, and cursors of no list, are refused in a sentence', async () => {
  const own = await session()
  const params = (path: string, expected: string) =>
    new RegExp(`^params${path}: Invalid input: expected ${expected}, received \\w+$`)
  const unknown = /^cursor: None of this list\. Send `next`, or `nextCursor`, of the answer before, or leave it out\.$/
  const lists = ['tools/list', 'resources/list', 'resources/templates/list']
  const refusals: readonly (readonly [string, Fields | undefined, RegExp])[] = [
    ...lists.map((list) => [list, { cursor: 7 }, params('.cursor', 'string')] as const),
    ...lists.map((list) => [list, { cursor: 'nope' }, unknown] as const),
    ['resources/read', { uri: 7 }, params('.uri', 'string')],
    ['tools/call', undefined, params('', 'object')],
    ['tools/call', { arguments: {} }, params('.name', 'string')],
    ['tools/call', { name: 'search', arguments: 'x' }, params('.arguments', 'record')],
    ['initialize', {}, params('.protocolVersion', 'string')]
  ]
  for (const [method, given, says] of refusals) {
    const answer = await send({ jsonrpc: '2.0', id: 'seven', method, params: given }, own)
    const { code, message } = errorIn(answer)
    assert.equal([answer.status, fields(answer.body).id, code], [200, 'seven', -32_602], method)
    assert.match(message, says)
  }
})

test('nonsense is refused, tells nothing of the inside, and changes nothing', async () => {
  const own = await session()
  const before = world.position()
  const json = fc.jsonValue({ maxDepth: 3 })
  const message = fc.oneof(
    fc.dictionary(fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', 'x'), json),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), json),
      method: fc.constantFrom('tools/list', 'tools/call', 'resources/read', 'initialize', 'ping', 'x', '__proto__'),
      params: json
    }),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.constant(1),
      method: fc.constant('tools/call'),
      params: fc.record({ name: fc.oneof(json, fc.constantFrom('toString', '__proto__')), arguments: json })
    })
  )
  await fc.assert(
    fc.asyncProperty(message, async (body) => {
      const { status, text } = await send(body, own)
      assert.ok([200, 202, 400, 404].includes(status), `${status} ${text}`)
      assert.not.match(text, /\.(js|ts):\d|node_modules|at \w+ \(/)
    }),
    { numRuns: 300 }
  )
  assert.is(world.position(), before)
})

// A `__proto__` key never reaches a tool: the body is refused with 400.
const nonsense = fc
  .dictionary(fc.constantFrom('id', 'query', 'cursor', 'limit', 'kind', 'after', 'before', 'x'), fc.jsonValue())
  .filter((args) => !JSON.stringify(args).includes('"__proto__"'))

test('arguments that are nonsense are refused by the tool', async () => {
  const agent = await connectAgent(world.hub.url, (await writingToken(world.hub, world.owner)).secret)
  const { tools } = await agent.client.listTools()
  const own = await session()
  const before = world.position()
  let calls = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tools.map(({ name }) => name)), nonsense, async (name, args) => {
      const { status, body, text } = await send(request('tools/call', { name, arguments: args }), own)
      assert.is(status, 200, text)
      assert.ok('result' in fields(body), text)
      assert.not.match(text, /\.(js|ts):\d|node_modules/)
      calls++
    }),
    { numRuns: 300 }
  )
  assert.is(world.position(), before + calls, 'each call is one event')
})

test('a message above 64 KB is taken from a tool that writes alone', async () => {
  const { secret } = await writingToken(world.hub, world.owner)
  const own = await session(secret)
  const collectionId = await world.collection()
  const content = 'x'.repeat(LIMITS.body.max)
  const args = { collectionId, name: 'Large', url: '', comment: content }
  const call = (name: string, more: Fields) => request('tools/call', { name, arguments: more })
  const written = await send(call('create_request', args), own, secret)
  assert.is(written.status, 200)
  const tooLarge = `The request body is larger than ${LIMITS.body.max} bytes.`
  await world.refused(413, () => send(call('search', { query: content }), own, secret), tooLarge)
  await world.refused(413, () => send(introduction(content)), tooLarge)
  // A token that only reads brings no content.
  await world.refused(413, async () => send(call('create_request', args), await session()), tooLarge)
})

test('JSON that is too deep or has too much in it is refused before the protocol sees it', async () => {
  const own = await session()
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
  await world.refused(400, () => send(request('ping', { x: deep(100) }), own), /at most 64 levels/)
  await world.refused(400, () => send(request('ping', { x: Array(300_000).fill(1) }), own), /at most 262144/)
})

test('a client’s name is kept as far as it can be shown', async () => {
  const agent = await connectAgent(world.hub.url, world.owner.token, `Editor\u001b[2J ${'x'.repeat(5000)}`)
  await agent.call('list_collections')
  const { body } = await world.by(world.admin).get('/admin/audit?type=AgentToolCalled&limit=1')
  assert.match(JSON.stringify(body), `"name":"Editor\uFFFD[2J ${'x'.repeat(89)}"`)
})

test('where agents are switched off, nothing is there', async () => {
  world.hub.reconfigure({ server, agents: { enabled: false } })
  await world.by(world.admin).post('/admin/config/reload')
  try {
    const off = 'This hub serves no agents: agents.enabled is off in its configuration.'
    await world.refused(404, () => send(introduction()), off)
  } finally {
    world.hub.reconfigure({ server })
    await world.by(world.admin).post('/admin/config/reload')
  }
  assert.is((await send(introduction())).status, 200)
})

test.run()
