import * as assert from 'uvu/assert'
import { fields, text } from './client.js'
import { requestContent } from './content.js'
import { firestore, mysql, postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

const FOLDERS = 3
const REQUESTS = 40
const DOCUMENTS = 5

for (const driver of [sqlite, postgres, mysql, firestore]) {
  let world: World
  const test = hubSuite('what is deleted comes back', driver, (made) => {
    world = made
  })

  test('a collection with 3 folders, 40 requests and 5 documents: every byte of every list is as before', async () => {
    const { get, put } = world.by(world.owner)
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
    succeeded(await world.by(world.colleague).put(`/requests/${requests[7]}`, content))
    succeeded(await put(`/requests/${requests[9]}/move`, { folderId: outer, index: 0 }))
    succeeded(await world.by(world.admin).put(`/admin/collections/${id}`, { deletionLocked: true }))
    succeeded(await world.by(world.admin).put(`/admin/collections/${id}`, { deletionLocked: false }))

    const lists = ['/collections', ...['folders', 'requests', 'documents'].map((list) => `/collections/${id}/${list}`)]
    const read = () => Promise.all(lists.map(async (list) => succeeded(await get(list)).text))
    const before = await read()
    succeeded(await world.by(world.owner).delete(`/collections/${id}`))
    assert.is((await get(`/collections/${id}/requests`)).text, '{"requests":[]}')
    const undelete = () => world.by(world.admin).post('/admin/undelete', { kind: 'collection', id })
    assert.equal(fields(succeeded(await undelete()).body).restored, {
      collection: 1,
      folder: FOLDERS,
      request: REQUESTS,
      document: DOCUMENTS
    })
    assert.equal(await read(), before)
    assert.is((await undelete()).status, 409)

    succeeded(await put(`/requests/${requests[0]}`, { ...content, name: 'Goes on' }))
    const history = fields(succeeded(await get(`/requests/${requests[0]}/history`)).body)
    assert.is(history.count, 4)
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
    succeeded(await world.by(world.owner).delete(`/folders/${outer}`))
    const body = { kind: 'folder', id: outer }
    const reply = succeeded(await world.by(world.admin).post('/admin/undelete', body))
    assert.equal(fields(reply.body).restored, { folder: 2, request: 1, document: 1 })
    assert.equal(await read(), before)
    const left = fields(succeeded(await world.by(world.admin).get('/admin/deleted')).body).deleted
    assert.equal(left, [])
  })

  test('a request whose folder is gone comes back at the end of its collection', async () => {
    const { get } = world.by(world.owner)
    const id = await world.collection()
    const folder = await world.folder(id)
    const request = await world.request(id, folder)
    await world.request(id)
    succeeded(await world.by(world.owner).delete(`/requests/${request}`))
    succeeded(await world.by(world.owner).delete(`/folders/${folder}`))
    succeeded(await world.by(world.admin).post('/admin/undelete', { kind: 'request', id: request }))
    const record = fields(succeeded(await get(`/requests/${request}`)).body)
    assert.equal([record.folderId, record.sortOrder], [null, 1])
  })

  test('a version of an environment whose parent the caller may not see is restored below the present one', async () => {
    const hidden = await world.make('environments', { name: 'Hidden' })
    const id = await world.make('environments', { name: 'First', parentUuid: hidden })
    const { put } = world.by(world.owner)
    succeeded(await put(`/environments/${id}`, { name: 'Second', variables: [], parentUuid: null }))
    const restored = async (environmentAccess: string[]) => {
      const { post } = world.by(await world.user({ environmentAccess }))
      const { name, parentUuid } = fields(succeeded(await post(`/environments/${id}/restore`, { version: 1 })).body)
      return [name, parentUuid]
    }
    assert.equal(await restored([id]), ['First', null])
    assert.equal(await restored([id, hidden]), ['First', hidden])
  })

  test('a record is shown as it was at a position, at a time, and as it is', async () => {
    const { get, put } = world.by(world.owner)
    const id = await world.make('environments', { name: 'First' })
    const first = world.position()
    const { createdAt } = fields((await get(`/environments/${id}`)).body)
    await new Promise((resolve) => setTimeout(resolve, 5))
    succeeded(await put(`/environments/${id}`, { name: 'Second', variables: [] }))
    const name = async (query: string) => text(succeeded(await get(`/environments/${id}${query}`)).body, 'name')
    assert.is(await name(''), 'Second')
    assert.is(await name(`?at=${first}`), 'First')
    assert.is(await name(`?at=${createdAt}`), 'First')
    assert.is(await name(`?at=${new Date(Date.now() + 60_000).toISOString()}`), 'Second')
    assert.is((await get(`/environments/${id}?at=1`)).status, 404)
    assert.is((await get(`/environments/${id}?at=soon`)).status, 400)
    const stranger = await world.user({ environmentAccess: [] })
    assert.is((await world.by(stranger).get(`/environments/${id}?at=${first}`)).status, 403)
  })

  test.run()
}
