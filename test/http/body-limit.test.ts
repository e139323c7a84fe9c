import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { sqlite } from './drivers.js'
import { startHub, type TestHub } from './support.js'
import { succeeded, World } from './world.js'

const MEGABYTE = 1024 * 1024
const headers = { 'content-type': 'application/json' }
const hubs: TestHub[] = []
const test = suite('body limit')
test.after(() => Promise.all(hubs.map((hub) => hub.close())))

async function worldOf(config: Readonly<Record<string, unknown>> = {}) {
  const hub = await startHub(sqlite, { config })
  hubs.push(hub)
  return World.of(hub)
}

/** JSON that creates a collection, exactly this long. */
const bodyOf = (bytes: number) => `{"name":"x"${' '.repeat(bytes - '{"name":"x"}'.length)}}`

const create = ({ hub, owner }: World, bytes: number, more = {}) =>
  hub.send({
    method: 'POST',
    path: '/collections',
    token: owner.token,
    text: bodyOf(bytes),
    headers: { ...headers, ...more }
  })

test('a body of 8 MiB is taken, and one byte more is 413 with nothing changed', async () => {
  const world = await worldOf()
  succeeded(await create(world, 8 * MEGABYTE))
  const error = 'The request body is larger than 8388608 bytes. Whoever runs the hub can raise server.bodyLimitMb.'
  await world.refused(413, () => create(world, 8 * MEGABYTE + 1), error)
  await world.refused(413, () => create(world, 8 * MEGABYTE + 1, { 'transfer-encoding': 'chunked' }), error)
  succeeded(await create(world, 100))
})

test('JSON has as many keys and list items as fit the size that a body may have', async () => {
  const post = (world: World, items: number) => {
    const result = { id: 1, ok: true, values: Array.from({ length: items }, (_, i) => i) }
    const body = { payload: { harborclientExport: 'request-run-results', results: [result] } }
    return world.by(world.owner).post('/run-results', body)
  }
  const [usual, small] = [await worldOf(), await worldOf({ server: { host: '127.0.0.1', port: 1, bodyLimitMb: 1 } })]
  succeeded(await post(usual, 100_000))
  await usual.refused(400, () => post(usual, 262_144), 'JSON may have at most 262144 keys and list items.')
  await small.refused(400, () => post(small, 100_000), 'JSON may have at most 50000 keys and list items.')
})

test('nobody sends a large body without a token', async () => {
  const world = await worldOf()
  const reply = await world.hub.send({ method: 'POST', path: '/collections', text: bodyOf(9 * MEGABYTE), headers })
  assert.is(reply.status, 401)
})

/** Sends a whole request before it reads, as many clients do, and resolves with what it then reads until the end. */
async function sentBeforeRead(url: string, head: readonly string[], body: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const lines = ['POST /auth/invitations/redeem HTTP/1.1', 'Host: h', 'Content-Type: application/json', ...head]
  for (const part of [`${lines.join('\r\n')}\r\n\r\n`, ...body]) {
    if (!socket.write(part)) await once(socket, 'drain')
  }
  const [chunks, read] = [[] as Buffer[], once(socket, 'end')]
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await read
  socket.destroy()
  return Buffer.concat(chunks).toString()
}

const PART = 'x'.repeat(MEGABYTE)
const chunked = [...Array(8).fill(`${MEGABYTE.toString(16)}\r\n${PART}\r\n`), '0\r\n\r\n']

for (const [what, head, body] of [
  ['a length', [`Content-Length: ${8 * MEGABYTE}`], Array(8).fill(PART)],
  ['chunks', ['Transfer-Encoding: chunked'], chunked],
  ['an expectation', [`Content-Length: ${8 * MEGABYTE}`, 'Expect: 100-continue'], Array(8).fill(PART)]
] as const) {
  test(`whoever sends too much, with ${what}, gets to read the answer`, async () => {
    const { hub } = await worldOf()
    const text = await sentBeforeRead(hub.url, head, body)
    assert.match(text, /HTTP\/1\.1 413 /)
    assert.match(text, /connection: close/i)
    assert.ok(text.endsWith('{"error":"The request body is larger than 4096 bytes."}'), text)
    assert.equal(
      hub.log.filter(({ level }) => Number(level) > 30),
      []
    )
  })
}

test.run()
