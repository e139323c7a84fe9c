import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { documentsTable } from '../../commands/records/document/table.js'
import { LIMITS } from '../../src/limits.js'
import { outgoing } from '../../src/net/outgoing.js'
import { treeAt } from '../../src/records/history/tree.js'
import { eachOf, type Fields, idsOf, records, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { until } from './support.js'
import { succeeded } from './world.js'

const KB = 1024
/** As many documents of a tree, each of this size. */
const DOCUMENTS = 80
const CONTENT = 'x'.repeat(200_000)

const { test, world } = hubSuite('answers that are larger than one piece', sqlite)

/** A collection with documents of about this size, and how they are listed. */
async function documents(count: number, bytes: number): Promise<{ readonly id: string; readonly path: string }> {
  const id = await world.collection()
  for (let i = 0; i < count; i++) {
    const content = `${i} ${'é"'.repeat(bytes / 4)}`
    await world.make(`collections/${id}/documents`, { name: `Document ${i}`, content })
  }
  return { id, path: `/collections/${id}/documents` }
}

/** The answer to a question on a connection of its own, of which nothing is read until told to. */
async function unread(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${world.owner.token}` }
  const asked = request(`${world.hub.url}${path}`, { agent: false, headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response.on('error', () => {})
}
/** How reading an answer to its end ends. */
const ending = (response: IncomingMessage) => textOf(response).catch(({ code, message }) => code ?? message)

test('a list that is larger than one piece is sent in parts, and holds the records as they are alone', async () => {
  const { path } = await documents(5, 900 * KB)
  const { get } = world.by(world.owner)
  const reply = succeeded(await get(path))
  assert.is(reply.headers['content-type'], 'application/json; charset=utf-8')
  assert.is(reply.headers['content-length'], undefined)
  const listed = records(reply, 'documents')
  assert.equal(
    eachOf(listed, 'name'),
    [0, 1, 2, 3, 4].map((i) => `Document ${i}`)
  )
  for (const one of listed) assert.equal((await get(`/documents/${text(one, 'id')}`)).body, one)
  const head = succeeded(await world.hub.send({ method: 'HEAD', path, token: world.owner.token }))
  assert.is(head.text, '')
  for (const name of ['etag', 'content-type']) assert.is(head.headers[name], reply.headers[name])
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

test('a list of more records than are read at once is whole and in order', async () => {
  const { id, path } = await documents(0, 0)
  const count = LIMITS.wholeListRows.max + 50
  for (let made = 0; made < count; made += 50) await Promise.all(Array.from({ length: 50 }, () => world.document(id)))
  const reply = succeeded(await world.by(world.owner).get(path))
  const orders = records(reply, 'documents').map(({ sortOrder }) => Number(sortOrder))
  assert.is(new Set(idsOf(reply, 'documents')).size, count)
  assert.equal(
    orders,
    orders.toSorted((a, b) => a - b)
  )
})

test('what goes while such a list is on its way is left out, and what changes is new', async () => {
  const { path, id: collectionId } = await documents(12, 900 * KB)
  const { get, put, delete: remove } = world.by(world.owner)
  const before = idsOf(succeeded(await get(path)), 'documents')
  const response = await unread(path)
  // The last ones are read when the client has taken what is before them.
  const [changed, gone] = before.slice(-2)
  await remove(`/documents/${gone}`)
  await put(`/documents/${changed}`, { collectionId, name: 'Changed', content: 'new' })
  const listed = records({ text: '', body: JSON.parse(await textOf(response)) }, 'documents')
  assert.equal(eachOf(listed, 'id'), before.slice(0, -1))
  assert.is(listed.at(-1)?.name, 'Changed')
})

test('clients of an account that do not read hold half at most; more are refused, small answers go on, and others have theirs', async () => {
  const { path } = await documents(12, 900 * KB)
  const { get } = world.by(world.owner)
  const fits = Math.floor(LIMITS.waiting.max / LIMITS.wholeList.max)
  const clients: IncomingMessage[] = []
  try {
    for (let i = 0; i < 2 * fits; i++) clients.push(await unread(path))
    const refused = clients.filter(({ statusCode }) => statusCode === 503)
    assert.ok(refused.length > 0, 'some are refused')
    assert.ok(refused.length < clients.length, 'not all are')
    assert.is(refused[0]?.headers['retry-after'], '1')
    assert.ok(outgoing.waiting <= LIMITS.waiting.max / 2, `${outgoing.waiting} bytes wait`)
    succeeded(await get('/collections'))
    succeeded(await world.by(world.colleague).get(path))
    assert.is((await get('/health')).status, 200)
    const reader = clients.find(({ statusCode }) => statusCode === 200)
    if (reader) JSON.parse(await textOf(reader))
  } finally {
    for (const response of clients) response.destroy()
  }
  await until(() => (outgoing.waiting === 0 ? true : null))
  assert.is(records(succeeded(await get(path)), 'documents').length, 12)
})

test('requests on one connection share its bound', async () => {
  const { path } = await documents(2, 900 * KB)
  const socket = connect(Number(new URL(world.hub.url).port), '127.0.0.1')
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
  const response = await unread((await documents(12, 900 * KB)).path)
  const { storage } = world.hub.hub.ledger
  const { rows } = storage
  const broken = (generation: number) => ({
    ...rows(generation),
    getPage: () => Promise.reject(new Error('The test broke the database.'))
  })
  Object.assign(storage, { rows: broken })
  try {
    assert.is(await ending(response), 'ECONNRESET')
  } finally {
    Object.assign(storage, { rows })
  }
  assert.ok(world.hub.log.some(({ msg }) => msg === 'a reply could not be made to its end'))
})

let made: Promise<string> | undefined
/** A large tree, which takes a while to make. */
function tree(): Promise<string> {
  const make = async () => {
    const id = await world.collection('Large')
    for (let i = 0; i < DOCUMENTS; i++)
      await world.make(`collections/${id}/documents`, { name: `Document ${i}`, content: CONTENT })
    return id
  }
  made ??= make()
  return made
}

/** Does it while reading pages of documents is this. */
async function reading(before: () => void, after: (rows: number) => void, work: () => Promise<void>): Promise<void> {
  const { readModel } = world.hub.hub.ledger
  const getPage = readModel.getPage.bind(readModel)
  readModel.getPage = async (table, ids) => {
    const isOfDocuments = table.name === documentsTable.name
    if (isOfDocuments) before()
    const page = await getPage(table, ids)
    if (isOfDocuments) after(page.length)
    return page
  }
  await work().finally(() => {
    readModel.getPage = getPage
  })
}

test('a tree is read as the client takes it, counts as what waits while it does not, and is whole in the end', async () => {
  const path = `/collections/${await tree()}/tree`
  let read = 0
  const count = (rows: number) => {
    read += rows
  }
  await reading(
    () => {},
    count,
    async () => {
      const response = await unread(path)
      await sleep(300)
      assert.ok(read < DOCUMENTS, `${read} of ${DOCUMENTS} documents were read for a client that reads nothing`)
      assert.ok(outgoing.waiting >= LIMITS.page.max / 2, `${outgoing.waiting} bytes`)
      const { hasRoom } = outgoing
      Object.assign(outgoing, { hasRoom: () => false })
      const refused = await unread(path)
      Object.assign(outgoing, { hasRoom })
      assert.is(refused.statusCode, 503)
      refused.destroy()
      assert.is(records({ text: '', body: JSON.parse(await textOf(response)) }, 'documents').length, DOCUMENTS)
      assert.is(read, DOCUMENTS)
    }
  )
})

test('a tree that cannot be read to its end ends with the connection, and not as if it were whole', async () => {
  const path = `/collections/${await tree()}/tree`
  let asked = 0
  const fail = () => {
    if (asked++ > 2) throw new Error('The database is gone.')
  }
  await reading(
    fail,
    () => {},
    async () => assert.is(await ending(await unread(path)), 'ECONNRESET')
  )
})

test('a tree is read a page of bodies at a time, as it is and as it was', async () => {
  const id = await tree()
  const before = world.position()
  const { get, put } = world.by(world.owner)
  for (const document of idsOf(await get(`/collections/${id}/documents?fields=id`), 'documents'))
    succeeded(await put(`/documents/${document}`, { name: 'New', content: CONTENT, collectionId: id }))
  for (const position of [before, world.position()]) {
    const tree = await treeAt(world.hub.hub.ledger, id, position)
    assert.ok(tree)
    let count = 0
    for await (const part of tree.records('document')) {
      count += part.length
      const bytes = part.join('').length
      assert.ok(bytes < 1.05 * tree.partBytes, `${bytes} bytes at ${position}`)
    }
    assert.equal([count, tree.partBytes], [DOCUMENTS, LIMITS.page.max])
  }
})

test.run()
