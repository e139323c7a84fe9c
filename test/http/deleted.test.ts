import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { fields, records } from './client.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

for (const driver of drivers) {
  let world: World
  const test = hubSuite('what users have deleted themselves', driver, (made) => {
    world = made
  })

  const deleted = async (as: Account, query: { readonly limit?: number } = {}) =>
    (await world.client(as).request('GET', '/deleted', { query })).body.deleted
  const undelete = (as: Account, kind: string, id: string) => world.by(as).post('/undelete', { kind, id })
  const restored = async (as: Account, kind: Schemas['UndeleteOwnRecordBody']['kind'], id: string) =>
    (await world.client(as).request('POST', '/undelete', { body: { kind, id } })).body.restored
  const removed = async (as: Account, path: string) => void succeeded(await world.by(as).delete(`/${path}`))
  const setAccess = async (as: Account, collectionAccess: readonly string[]) =>
    void succeeded(await world.by(world.admin).put(`/admin/users/${as.id}`, { collectionAccess }))

  test('it comes back under its name, is in the log as theirs, and is in the list no more', async () => {
    const ada = await world.user({ collectionAccess: ['*'], environmentAccess: ['*'], snippetAccess: ['*'] })
    const environment = await world.make('environments', { name: 'Staging' }, ada)
    await removed(ada, `environments/${environment}`)
    assert.equal(
      (await deleted(ada)).map(({ kind, id, name, collection }) => [kind, id, name, collection]),
      [['environment', environment, 'Staging', null]]
    )
    assert.equal(await restored(ada, 'environment', environment), { environment: 1 })
    assert.equal(await deleted(ada), [])
    const [newest] = records(await world.by(ada).get(`/environments/${environment}/history`), 'versions')
    const { id: byId, name: byName } = fields(newest?.by)
    assert.equal([newest?.type, byId, byName], ['EnvironmentRestored', ada.id, ada.name])
    assert.is((await undelete(ada, 'environment', environment)).status, 409)
  })

  test('what the caller may not see any more is as if it were not there, and comes back into reach with the access', async () => {
    const ada = await world.user({ collectionAccess: ['*'] })
    const id = await world.collection()
    const request = await world.request(id, null, ada)
    await removed(ada, `requests/${request}`)
    await setAccess(ada, [])
    assert.equal(await deleted(ada), [])
    await world.refused(404, () => undelete(ada, 'request', request), 'Request not found')
    await setAccess(ada, [id])
    assert.is((await deleted(ada)).length, 1)
    assert.equal(await restored(ada, 'request', request), { request: 1 })
  })

  test('whether something is there is told to nobody who may not see it', async () => {
    const ada = await world.user()
    const id = await world.collection()
    const request = await world.request(id)
    await world.refused(404, () => undelete(ada, 'request', request), 'Request not found')
    await world.refused(404, () => undelete(ada, 'collection', id), 'Collection not found')
  })

  test('what somebody else has deleted since, out of what came back, stays deleted', async () => {
    const { owner, colleague, admin } = world
    const id = await world.collection()
    const outer = await world.folder(id, null, 'Outer')
    const inner = await world.folder(id, outer, 'Inner')
    await world.request(id, inner)
    await world.document(id, outer)
    await removed(owner, `folders/${outer}`)
    const [first] = await deleted(owner, { limit: 1 })
    assert.equal([first?.name, first?.held], ['Outer', { folders: 1, requests: 1, documents: 1 }])
    assert.equal(first?.deletedBy, { id: owner.id, name: owner.name })
    succeeded(await world.by(admin).post('/admin/undelete', { kind: 'folder', id: inner }))
    await removed(colleague, `folders/${inner}`)
    await world.refused(404, () => undelete(owner, 'folder', inner), 'Folder not found')
    assert.equal(await restored(owner, 'folder', outer), { folder: 1, document: 1 })
    assert.equal(await restored(colleague, 'folder', inner), { folder: 1, request: 1 })
  })

  test('without its collection nothing comes back, and the list says that the collection is gone', async () => {
    const id = await world.collection('Orders')
    const request = await world.request(id)
    await removed(world.owner, `requests/${request}`)
    await removed(world.owner, `collections/${id}`)
    const [, second] = await deleted(world.owner, { limit: 2 })
    assert.equal([second?.id, second?.collection], [request, { id, name: null }])
    await world.refused(409, () => undelete(world.owner, 'request', request), /^The collection .* is deleted/)
    assert.equal(await restored(world.owner, 'collection', id), { collection: 1 })
    assert.equal(await restored(world.owner, 'request', request), { request: 1 })
  })

  test('without its folder a request comes back at the end of its collection', async () => {
    const id = await world.collection()
    const folder = await world.folder(id)
    const request = await world.request(id, folder)
    await world.request(id)
    await removed(world.owner, `requests/${request}`)
    await removed(world.owner, `folders/${folder}`)
    assert.equal(await restored(world.owner, 'request', request), { request: 1 })
    const record = fields(succeeded(await world.by(world.owner).get(`/requests/${request}`)).body)
    assert.equal([record.folderId, record.sortOrder], [null, 1])
  })

  test('the list is as long as it is asked for, past what others have deleted and what may not be seen', async () => {
    const ada = await world.user({ collectionAccess: ['*'] })
    const [seen, hidden] = [await world.collection(), await world.collection()]
    const ids: string[] = []
    for (const collection of [seen, seen, hidden, seen]) {
      const id = await world.request(collection, null, ada)
      await removed(ada, `requests/${id}`)
      ids.push(id)
    }
    const other = await world.request(seen, null, world.owner)
    await removed(world.owner, `requests/${other}`)
    await setAccess(ada, [seen])
    const found = async (query = {}) => (await deleted(ada, query)).map(({ id }) => id)
    const [first, second, , fourth] = ids
    assert.equal(await found(), [fourth, second, first])
    assert.equal(await found({ limit: 2 }), [fourth, second])
  })

  test.run()
}
