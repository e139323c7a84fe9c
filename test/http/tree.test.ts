import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { documentsTable } from '../../projections/documents.js'
import { fields } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

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

async function collectionOfDocuments(): Promise<string> {
  const id = await world.collection('Large')
  for (let i = 0; i < DOCUMENTS; i++) {
    const document = { name: `Document ${i}`, content: CONTENT, collectionId: id, folderId: null }
    succeeded(await world.by(world.owner).post(`/collections/${id}/documents`, document))
  }
  return id
}

test('is read as the client takes it, and is whole in the end', async () => {
  const id = await collectionOfDocuments()
  const { view } = world.hub.hub.ledger
  const getAll = view.getAll.bind(view)
  let read = 0
  view.getAll = async (table, ids, options) => {
    if (table.name === documentsTable.name && options?.body !== false) read += ids.length
    return getAll(table, ids, options)
  }
  const response = await treeOf(id)
  await sleep(300)
  const before = read
  assert.ok(before < DOCUMENTS, `${before} of ${DOCUMENTS} documents were read for a client that reads nothing`)
  const { documents } = fields(JSON.parse(await textOf(response)))
  assert.is(Array.isArray(documents) && documents.length, DOCUMENTS)
  assert.is(read, DOCUMENTS)
  view.getAll = getAll
})

test('that cannot be read to its end ends with the connection, and not as if it were whole', async () => {
  const id = await collectionOfDocuments()
  const { view } = world.hub.hub.ledger
  const getAll = view.getAll.bind(view)
  let asked = 0
  view.getAll = async (table, ids, options) => {
    const isContent = table.name === documentsTable.name && options?.body !== false
    if (isContent && asked++ > 2) throw new Error('The database is gone.')
    return getAll(table, ids, options)
  }
  const outcome = await textOf(await treeOf(id)).catch((error: Error) => error.message)
  view.getAll = getAll
  assert.is(outcome, 'aborted')
})

test.run()
