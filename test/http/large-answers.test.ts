import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { outgoing } from '../../src/net/outgoing.js'
import { type Fields, records, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { until } from './support.js'
import { succeeded, type World } from './world.js'

const KB = 1024

let world: World
const test = hubSuite('lists that are larger than one piece', sqlite, (made) => {
  world = made
})

/** A collection with documents of about this size, and how they are listed. */
async function documents(count: number, bytes: number): Promise<{ readonly id: string; readonly path: string }> {
  const id = await world.collection()
  for (let i = 0; i < count; i++) {
    const content = `${i} ${'é"'.repeat(bytes / 4)}`
    await world.make(`collections/${id}/documents`, { name: `Document ${i}`, content })
  }
  return { id, path: `/collections/${id}/documents` }
}

/** Asks with a connection of its own, and reads nothing until told to. */
async function slowly(path: string): Promise<{ readonly response: IncomingMessage; readonly request: ClientRequest }> {
  const { hub, owner } = world
  const headers = { authorization: `Bearer ${owner.token}` }
  const asked = request(`${hub.url}${path}`, { agent: false, headers })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve)
    asked.on('error', reject)
    asked.end()
  })
  response.on('error', () => {})
  return { response, request: asked }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a list that is larger than one piece is sent in parts, and holds the records as they are alone', async () => {
  const { path } = await documents(5, 900 * KB)
  const { get } = world.by(world.owner)
  const reply = succeeded(await get(path))
  assert.is(reply.headers['content-type'], 'application/json; charset=utf-8')
  assert.is(reply.headers['content-length'], undefined)
  const listed = records(reply, 'documents')
  assert.equal(
    listed.map(({ name }) => name),
    [0, 1, 2, 3, 4].map((i) => `Document ${i}`)
  )
  for (const one of listed) assert.equal((await get(`/documents/${text(one, 'id')}`)).body, one)
})

test('its tag is that of its records: 304 until one of them changes, comes or goes', async () => {
  const { path, id } = await documents(3, 900 * KB)
  const { get, put, delete: remove } = world.by(world.owner)
  const seen: string[] = []
  const isNew = async (): Promise<readonly Fields[]> => {
    const reply = succeeded(await get(path))
    const tag = text(reply.headers, 'etag')
    assert.not(seen.includes(tag))
    seen.push(tag)
    for (const known of [tag, `W/${tag}`, '*']) {
      const same = await get(path, { 'if-none-match': known })
      assert.equal([same.status, same.text, same.headers.etag], [304, '', tag])
    }
    return records(reply, 'documents')
  }
  const first = text((await isNew())[0], 'id')
  await put(`/documents/${first}/move`, { folderId: null, index: 2 })
  assert.is((await isNew())[2]?.id, first)
  await world.document(id)
  assert.is((await isNew()).length, 4)
  await remove(`/documents/${first}`)
  assert.is((await isNew()).length, 3)
})

test('HEAD has the headers of such a list, and no body', async () => {
  const { path } = await documents(3, 900 * KB)
  const { token } = world.owner
  const get = succeeded(await world.hub.send({ method: 'GET', path, token }))
  const head = succeeded(await world.hub.send({ method: 'HEAD', path, token }))
  assert.is(head.text, '')
  for (const name of ['etag', 'content-type']) assert.is(head.headers[name], get.headers[name])
})

test('a list of more records than are read at once is whole and in order', async () => {
  const { id, path } = await documents(0, 0)
  const count = LIMITS.wholeListRows.max + 50
  for (let made = 0; made < count; made += 50) {
    await Promise.all(Array.from({ length: 50 }, () => world.document(id)))
  }
  const listed = records(succeeded(await world.by(world.owner).get(path)), 'documents')
  const orders = listed.map(({ sortOrder }) => Number(sortOrder))
  assert.is(new Set(listed.map((one) => text(one, 'id'))).size, count)
  assert.equal(
    orders,
    orders.toSorted((a, b) => a - b)
  )
})

test('what goes while such a list is on its way is left out, and what changes is new', async () => {
  const { path } = await documents(12, 900 * KB)
  const { get, put, delete: remove } = world.by(world.owner)
  const before = records(succeeded(await get(path)), 'documents')
  const { response } = await slowly(path)
  // The last ones are read when the client has taken what is before them.
  const [changed, gone] = before.slice(-2).map((one) => text(one, 'id'))
  await remove(`/documents/${gone}`)
  const { collectionId } = before[0] ?? {}
  await put(`/documents/${changed}`, { collectionId, name: 'Changed', content: 'new' })
  const listed = records({ ...(await get('/health')), body: JSON.parse(await bodyOf(response)) }, 'documents')
  assert.equal(
    listed.map((one) => text(one, 'id')),
    before.slice(0, -1).map((one) => text(one, 'id'))
  )
  assert.is(listed.at(-1)?.name, 'Changed')
})

test('clients that do not read hold a bounded amount; who comes after them is refused, and small answers go on', async () => {
  const { path } = await documents(12, 900 * KB)
  const { get } = world.by(world.owner)
  const fits = Math.floor(LIMITS.waiting.max / LIMITS.wholeList.max)
  const clients: Awaited<ReturnType<typeof slowly>>[] = []
  try {
    for (let i = 0; i < 2 * fits; i++) clients.push(await slowly(path))
    const refused = clients.filter(({ response }) => response.statusCode === 503)
    assert.ok(refused.length > 0, 'some are refused')
    assert.ok(refused.length < clients.length, 'not all are')
    assert.is(refused[0]?.response.headers['retry-after'], '1')
    assert.ok(outgoing.waiting <= LIMITS.waiting.max, `${outgoing.waiting} bytes wait`)
    succeeded(await get('/collections'))
    assert.is((await get('/health')).status, 200)
    const reader = clients.find(({ response }) => response.statusCode === 200)
    if (reader) JSON.parse(await bodyOf(reader.response))
  } finally {
    for (const { request } of clients) request.destroy()
  }
  await until(() => (outgoing.waiting === 0 ? true : null))
  assert.is(records(succeeded(await get(path)), 'documents').length, 12)
})

test('requests on one connection share its bound', async () => {
  const { path } = await documents(2, 900 * KB)
  const { port } = new URL(world.hub.url)
  const socket: Socket = connect(Number(port), '127.0.0.1')
  const asked = `GET ${path} HTTP/1.1\r\nhost: hub\r\nauthorization: Bearer ${world.owner.token}\r\n\r\n`
  let most = 0
  try {
    socket.pause()
    socket.write(asked.repeat(50))
    for (let looks = 0; looks < 30; looks += most > 0 ? 1 : 0) {
      await sleep(10)
      most = Math.max(most, outgoing.waiting)
    }
  } finally {
    socket.destroy()
  }
  assert.ok(most <= LIMITS.waitingOfOne.max, `${most} bytes waited`)
  await until(() => (outgoing.waiting === 0 ? true : null))
})

test('a failure in the middle ends the connection: no client takes what is there for the whole list', async () => {
  const { path } = await documents(12, 900 * KB)
  const { response } = await slowly(path)
  const { storage } = world.hub.hub.ledger
  const { rows } = storage
  Object.assign(storage, {
    rows: (generation: number) => ({
      ...rows(generation),
      getPage: () => Promise.reject(new Error('The test broke the database.'))
    })
  })
  try {
    await bodyOf(response).then(
      () => assert.unreachable('it has ended well'),
      (error: Error & { code?: string }) => assert.is(error.code, 'ECONNRESET')
    )
  } finally {
    Object.assign(storage, { rows })
  }
  assert.ok(world.hub.log.some(({ msg }) => msg === 'a reply could not be made to its end'))
})

test.run()
