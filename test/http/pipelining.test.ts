import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { Connections } from '../../src/http/connections.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'

const MANY = 5000
/** What is read of a connection at once, at most. */
const ONE_READ = 65_536

const request = (id: string, more = '') => `GET /health HTTP/1.1\r\nHost: h\r\nX-Request-Id: ${id}\r\n${more}\r\n`
const last = request('last', 'Connection: close\r\n')
const ids = Array.from({ length: MANY }, (_, i) => `r${i}`)
const many = (count = MANY) =>
  ids
    .slice(0, count)
    .map((id) => request(id))
    .join('')

/** Sends this over a connection of its own; what has come back when it is closed. */
function send(port: number, text: string) {
  const parts: Buffer[] = []
  const socket = connect(port, '127.0.0.1', () => socket.write(text)).on('data', (part) => void parts.push(part))
  // Whose connection is cut gets an error before it is closed.
  socket.on('error', () => {})
  return new Promise<string>((resolve) => socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1'))))
}

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, what]) => what)

const test = suite('requests that come before others have their answers')
let server: Server
let connections: Connections

/** A server whose connections are watched; its port. */
async function serve(handle: RequestListener, bounds: ConstructorParameters<typeof Connections>[1] = LIMITS) {
  server = createServer(handle)
  connections = new Connections(server, bounds)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test.after.each(() => {
  connections.stop()
  server.closeAllConnections()
  server.close()
})

test('few of one connection begin in one turn of the event loop, however many came, and each is answered in its place', async () => {
  let [inTurn, most] = [0, 0]
  const port = await serve(({ headers }, response) => {
    if (inTurn++ === 0) {
      setImmediate(() => {
        most = Math.max(most, inTurn)
        inTurn = 0
      })
    }
    response.end(`[${headers['x-request-id']}]`)
  })
  const text = await send(port, many() + last)
  assert.ok(most <= LIMITS.pipelined.max + 1, `${most} in one turn`)
  assert.equal(found(text, /\[(\w+)\]/g), [...ids, 'last'])
})

test('while too many have no answer, no further one begins and nothing is read, and others have theirs', async () => {
  const held: ServerResponse[] = []
  const port = await serve((request, response) => {
    if (request.url === '/health') held.push(response)
    else response.end()
  })
  void send(port, many())
  // Each of these takes turns of the event loop, in which more could begin and be read.
  for (let i = 0; i < 50; i++) {
    assert.match(await send(port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200/)
  }
  assert.is(held.length, LIMITS.pipelined.max)
  const bytes = held[0]?.req.socket.bytesRead ?? 0
  assert.ok(bytes <= ONE_READ, `${bytes} bytes are read`)
})

test('a body comes to the request that it belongs to, also to one that waits', async () => {
  const bodies: string[] = []
  const port = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    bodies.push(body)
    response.end()
  })
  const large = 'x'.repeat(300_000)
  const post = (body: string) => `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  await send(port, many(500) + post(large) + post('small') + last)
  assert.equal(bodies.slice(499), ['', large, 'small', ''])
})

test('what would let too many wait over all connections ends its own, and what a gone one left waits no more', async () => {
  const held: ServerResponse[] = []
  const bounds = { ...LIMITS, pipelined: { max: 2 }, pipelinedWaiting: { max: 10 } }
  const port = await serve((_, response) => void held.push(response), bounds)
  const begun = async (count: number) => {
    while (held.length < count) await once(server, 'request')
    // What came with them has been taken as well.
    await new Promise(setImmediate)
    return held[count - 1]?.req.socket
  }
  void send(port, many(12))
  const first = await begun(2)
  assert.is(await send(port, many(3)), '')
  assert.is(first?.destroyed, false)
  first?.destroy()
  void send(port, many(12))
  // Two of each have begun.
  assert.is((await begun(6))?.destroyed, false)
})

test.run()

const { test: hub, world } = hubSuite('requests that come before others have their answers', sqlite)

hub('somebody who sends 5,000 at once gets all answers, and others have theirs meanwhile', async () => {
  const port = Number(new URL(world.hub.url).port)
  let isOver = false
  const all = send(port, many() + last).finally(() => {
    isOver = true
  })
  const { status } = await world.hub.send({ method: 'GET', path: '/collections', token: world.owner.token })
  assert.equal([status, isOver], [200, false])
  const text = await all
  assert.equal(found(text, /x-request-id: (\w+)/g), [...ids, 'last'])
  assert.is(found(text, /HTTP\/1\.1 (200)/g).length, MANY + 1)
})

hub.run()
