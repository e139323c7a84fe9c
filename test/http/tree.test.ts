import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { documentsTable } from '../../projections/documents.js'
import { LIMITS } from '../../src/limits.js'
import { outgoing } from '../../src/net/outgoing.js'
import { treeAt } from '../../src/records/history/tree.js'
import { fields } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { World } from './world.js'

const DOCUMENTS = 80
const CONTENT = 'x'.repeat(200_000)

let world: World
const test = hubSuite('a large tree', sqlite, (made) => {
  world = made
})

/** The answer to a question for a tree, of which nothing has been read yet. */
async function treeOf(id: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${world.owner.token}` }
  const asked = request(`${world.hub.url}/collections/${id}/tree`, { headers, agent: false }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

let made: Promise<string> | undefined

/** The collection that all tests read: to make one takes a while. */
function collectionOfDocuments(): Promise<string> {
  made ??= makeDocuments()
  return made
}

async function makeDocuments(): Promise<string> {
  const id = await world.collection('Large')
  for (let i = 0; i < DOCUMENTS; i++) {
    const body = { name: `Document ${i}`, content: CONTENT, folderId: null }
    await world.client(world.owner).request('POST', '/collections/{collectionId}/documents', {
      path: { collectionId: id },
      body
    })
  }
  return id
}

test('is read as the client takes it, and is whole in the end', async () => {
  const id = await collectionOfDocuments()
  const { readModel } = world.hub.hub.ledger
  const getPage = readModel.getPage.bind(readModel)
  let read = 0
  readModel.getPage = async (table, ids) => {
    const page = await getPage(table, ids)
    if (table.name === documentsTable.name) read += page.length
    return page
  }
  const response = await treeOf(id)
  await sleep(300)
  const before = read
  assert.ok(before < DOCUMENTS, `${before} of ${DOCUMENTS} documents were read for a client that reads nothing`)
  const { documents } = fields(JSON.parse(await textOf(response)))
  assert.is(Array.isArray(documents) && documents.length, DOCUMENTS)
  assert.is(read, DOCUMENTS)
  readModel.getPage = getPage
})

test('that cannot be read to its end ends with the connection, and not as if it were whole', async () => {
  const id = await collectionOfDocuments()
  const { readModel } = world.hub.hub.ledger
  const getPage = readModel.getPage.bind(readModel)
  let asked = 0
  readModel.getPage = async (table, ids) => {
    if (table.name === documentsTable.name && asked++ > 2) throw new Error('The database is gone.')
    return getPage(table, ids)
  }
  const outcome = await textOf(await treeOf(id)).catch((error: Error) => error.message)
  readModel.getPage = getPage
  assert.is(outcome, 'aborted')
})

test('counts as what waits to be sent while its client reads nothing, and is refused where too much does', async () => {
  const id = await collectionOfDocuments()
  const response = await treeOf(id)
  await sleep(100)
  assert.ok(outgoing.waiting >= LIMITS.page.max / 2, `${outgoing.waiting} bytes`)
  const { hasRoom } = outgoing
  Object.assign(outgoing, { hasRoom: () => false })
  const refused = await treeOf(id)
  Object.assign(outgoing, { hasRoom })
  assert.is(refused.statusCode, 503)
  response.destroy()
  refused.destroy()
})

test('is read a page of bodies at a time, as it is and as it was', async () => {
  const id = await collectionOfDocuments()
  const { ledger } = world.hub.hub
  const before = world.position()
  const { request: send } = world.client(world.owner)
  const { body } = await send('GET', '/collections/{collectionId}/documents', { path: { collectionId: id } })
  for (const { id: document } of body.documents)
    await send('PUT', '/documents/{id}', {
      path: { id: document },
      body: { name: 'New', content: CONTENT, collectionId: id }
    })
  for (const position of [before, world.position()]) {
    const tree = await treeAt(ledger, id, position)
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
