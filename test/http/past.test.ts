import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { requestContent } from './content.js'
import { firestore, mysql, postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { statusOf, succeeded, type World } from './world.js'

type Kind = Schemas['UndeleteRecordBody']['kind']

const FOLDERS = 3
const REQUESTS = 40
const DOCUMENTS = 5

for (const driver of [sqlite, postgres, mysql, firestore]) {
  let world: World
  const test = hubSuite('what is deleted comes back', driver, (made) => {
    world = made
  })

  const undeletion = (kind: Kind, id: string) =>
    world.client(world.admin).request('POST', '/admin/undelete', { body: { kind, id } })
  const undelete = async (kind: Kind, id: string) => (await undeletion(kind, id)).body.restored
  const getAs = (as: Account, id: string, at?: string | number) => {
    const query = { ...(at !== undefined && { at: String(at) }) }
    return world.client(as).request('GET', '/environments/{id}', { path: { id }, query })
  }
  const replaced = (id: string, body: Schemas['UpdateEnvironmentBody']) =>
    world.client(world.owner).request('PUT', '/environments/{id}', { path: { id }, body })

  test('a collection with 3 folders, 40 requests and 5 documents: every byte of every list is as before', async () => {
    const { get } = world.by(world.owner)
    const { request: send } = world.client(world.owner)
    const id = await world.collection('Orders')
    const outer = await world.folder(id)
    const folders = [outer, await world.folder(id, outer), await world.folder(id)]
    assert.is(folders.length, FOLDERS)
    const requests: string[] = []
    for (let i = 0; i < REQUESTS; i++) {
      const as = i % 3 === 0 ? world.colleague : world.owner
      requests.push(await world.request(id, folders[i % 4] ?? null, as))
    }
    for (let i = 0; i < DOCUMENTS; i++) await world.document(id, folders[i % 4] ?? null)
    const content = { ...requestContent, collectionId: id, folderId: null, name: 'Renamed' }
    const at = (i: number) => ({ id: requests[i] ?? '' })
    await world.client(world.colleague).request('PUT', '/requests/{id}', { path: at(7), body: content })
    await send('PUT', '/requests/{id}/move', { path: at(9), body: { folderId: outer, index: 0 } })
    for (const deletionLocked of [true, false])
      await world
        .client(world.admin)
        .request('PUT', '/admin/collections/{id}', { path: { id }, body: { deletionLocked } })

    const lists = ['/collections', ...['folders', 'requests', 'documents'].map((list) => `/collections/${id}/${list}`)]
    const read = () => Promise.all(lists.map(async (list) => succeeded(await get(list)).text))
    const before = await read()
    await send('DELETE', '/collections/{id}', { path: { id } })
    assert.is((await get(`/collections/${id}/requests`)).text, '{"requests":[]}')
    assert.equal(await undelete('collection', id), {
      collection: 1,
      folder: FOLDERS,
      request: REQUESTS,
      document: DOCUMENTS
    })
    assert.equal(await read(), before)
    assert.is(await statusOf(undeletion('collection', id)), 409)

    await send('PUT', '/requests/{id}', { path: at(0), body: { ...content, name: 'Goes on' } })
    assert.is((await send('GET', '/requests/{id}/history', { path: at(0) })).body.count, 4)
  })

  test('a folder comes back with the folders inside it and what they held', async () => {
    const { get } = world.by(world.owner)
    const id = await world.collection()
    const outer = await world.folder(id)
    const inner = await world.folder(id, outer)
    await world.request(id, inner)
    await world.document(id, outer)
    const lists = ['folders', 'requests', 'documents'].map((list) => `/collections/${id}/${list}`)
    const read = () => Promise.all(lists.map(async (list) => succeeded(await get(list)).text))
    const before = await read()
    await world.client(world.owner).request('DELETE', '/folders/{id}', { path: { id: outer } })
    assert.equal(await undelete('folder', outer), { folder: 2, request: 1, document: 1 })
    assert.equal(await read(), before)
    assert.equal((await world.client(world.admin).request('GET', '/admin/deleted')).body.deleted, [])
  })

  test('a request whose folder is gone comes back at the end of its collection', async () => {
    const { request: send } = world.client(world.owner)
    const id = await world.collection()
    const folder = await world.folder(id)
    const request = { id: await world.request(id, folder) }
    await world.request(id)
    await send('DELETE', '/requests/{id}', { path: request })
    await send('DELETE', '/folders/{id}', { path: { id: folder } })
    assert.equal(await undelete('request', request.id), { request: 1 })
    const { folderId, sortOrder } = (await send('GET', '/requests/{id}', { path: request })).body
    assert.equal([folderId, sortOrder], [null, 1])
  })

  test('a version of an environment whose parent the caller may not see is restored below the present one', async () => {
    const hidden = await world.make('environments', { name: 'Hidden' })
    const id = await world.make('environments', { name: 'First', parentUuid: hidden })
    await replaced(id, { name: 'Second', variables: [], parentUuid: null })
    const restored = async (environmentAccess: string[]) => {
      const { request: send } = world.client(await world.user({ environmentAccess }))
      const asked = { path: { id }, body: { version: 1 } }
      const { name, parentUuid } = (await send('POST', '/environments/{id}/restore', asked)).body
      return [name, parentUuid]
    }
    assert.equal(await restored([id]), ['First', null])
    assert.equal(await restored([id, hidden]), ['First', hidden])
  })

  test('a record is shown as it was at a position, at a time, and as it is', async () => {
    const id = await world.make('environments', { name: 'First' })
    const first = world.position()
    const { createdAt } = (await getAs(world.owner, id)).body
    await new Promise((resolve) => setTimeout(resolve, 5))
    await replaced(id, { name: 'Second', variables: [] })
    const name = async (at?: string | number) => (await getAs(world.owner, id, at)).body.name
    assert.is(await name(), 'Second')
    assert.is(await name(first), 'First')
    assert.is(await name(createdAt), 'First')
    assert.is(await name(new Date(Date.now() + 60_000).toISOString()), 'Second')
    assert.is(await statusOf(getAs(world.owner, id, 1)), 404)
    assert.is(await statusOf(getAs(world.owner, id, 'soon')), 400)
    const stranger = await world.user({ environmentAccess: [] })
    assert.is(await statusOf(getAs(stranger, id, first)), 403)
  })

  test.run()
}
