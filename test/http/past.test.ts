import * as assert from 'uvu/assert'
import { fields, holds, records, text } from './client.js'
import { requestContent } from './content.js'
import { drivers, usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

const LISTS = ['folders', 'requests', 'documents']

// What comes back where, and who may bring it back, is in test/decide/undelete.test.ts.
for (const driver of drivers) {
  const { test, world } = hubSuite('what is deleted comes back', driver)

  const undelete = (as: Account, kind: string, id: string) =>
    world.by(as).post(as === world.admin ? '/admin/undelete' : '/undelete', { kind, id })
  const restored = async (as: Account, kind: string, id: string) =>
    fields(succeeded(await undelete(as, kind, id)).body).restored
  const removed = async (as: Account, path: string) => void succeeded(await world.by(as).delete(`/${path}`))
  const deleted = async (as: Account, query = '') =>
    records(succeeded(await world.by(as).get(`/deleted${query}`)), 'deleted')
  const setAccess = async (as: Account, collectionAccess: readonly string[]) =>
    void succeeded(await world.by(world.admin).put(`/admin/users/${as.id}`, { collectionAccess }))

  test('a collection with 3 folders, 40 requests and 5 documents: every byte of every list is as before', async () => {
    const { get, put } = world.by(world.owner)
    const id = await world.collection('Orders')
    const outer = await world.folder(id)
    const folders = [outer, await world.folder(id, outer), await world.folder(id)]
    const requests: string[] = []
    for (let i = 0; i < 40; i++) {
      const as = i % 3 === 0 ? world.colleague : world.owner
      requests.push(await world.request(id, folders[i % 4] ?? null, as))
    }
    for (let i = 0; i < 5; i++) await world.document(id, folders[i % 4] ?? null)
    const content = { ...requestContent, collectionId: id, folderId: null }
    succeeded(await world.by(world.colleague).put(`/requests/${requests[7]}`, { ...content, name: 'Renamed' }))
    succeeded(await put(`/requests/${requests[9]}/move`, { folderId: outer, index: 0 }))
    const lists = ['/collections', ...LISTS.map((list) => `/collections/${id}/${list}`)]
    const read = () => Promise.all(lists.map(async (list) => succeeded(await get(list)).text))
    const before = await read()
    await removed(world.owner, `collections/${id}`)
    assert.is((await get(`/collections/${id}/requests`)).text, '{"requests":[]}')
    const counts = { collection: 1, folder: 3, request: 40, document: 5 }
    assert.equal(await restored(world.admin, 'collection', id), counts)
    assert.equal(await read(), before)
    assert.is((await undelete(world.admin, 'collection', id)).status, 409)
    succeeded(await put(`/requests/${requests[0]}`, { ...content, name: 'Goes on' }))
    holds((await get(`/requests/${requests[0]}/history`)).body, { count: 4 })
  })

  // What follows is decided above the storage.
  if (!usualDrivers.includes(driver)) {
    test.run()
    continue
  }

  test('it comes back under its name, is in the log as theirs, and is in the list no more', async () => {
    const ada = await world.user({ environmentAccess: ['*'] })
    const id = await world.make('environments', { name: 'Staging' }, ada)
    await removed(ada, `environments/${id}`)
    holds((await deleted(ada))[0], { kind: 'environment', id, name: 'Staging', collection: null })
    assert.equal(await restored(ada, 'environment', id), { environment: 1 })
    assert.equal(await deleted(ada), [])
    const [newest] = records(await world.by(ada).get(`/environments/${id}/history`), 'versions')
    holds(newest, { type: 'EnvironmentRestored' })
    holds(newest?.by, { id: ada.id, name: ada.name })
  })

  test('it is told with the whole name of its collection, whatever is in that', async () => {
    const name = 'Or\u0001ders\u0001\u001f2'
    const id = await world.collection(name)
    const folder = await world.folder(id)
    await removed(world.owner, `folders/${folder}`)
    assert.equal((await deleted(world.owner))[0]?.collection, { id, name })
  })

  test('what the caller may not see any more is as if it were not there, and comes back into reach with the access', async () => {
    const ada = await world.user({ collectionAccess: ['*'] })
    const id = await world.collection()
    const request = await world.request(id, null, ada)
    await removed(ada, `requests/${request}`)
    await setAccess(ada, [])
    assert.equal(await deleted(ada), [])
    await world.refused(404, () => undelete(ada, 'request', request), 'Request not found')
    await world.refused(404, () => undelete(ada, 'collection', id), 'Collection not found')
    await setAccess(ada, [id])
    assert.is((await deleted(ada)).length, 1)
    assert.equal(await restored(ada, 'request', request), { request: 1 })
  })

  test('without its collection nothing comes back, and without its folder a request at the end of its collection', async () => {
    const { owner } = world
    const id = await world.collection('Orders')
    const folder = await world.folder(id)
    const request = await world.request(id, folder)
    await world.request(id)
    await removed(owner, `requests/${request}`)
    await removed(owner, `folders/${folder}`)
    await removed(owner, `collections/${id}`)
    const found = (await deleted(owner, '?limit=3')).find((one) => one.id === request)
    holds(found, { collection: { id, name: null } })
    await world.refused(409, () => undelete(owner, 'request', request), /^The collection .* is deleted/)
    assert.equal(await restored(owner, 'collection', id), { collection: 1, request: 1 })
    assert.equal(await restored(owner, 'request', request), { request: 1 })
    holds((await world.by(owner).get(`/requests/${request}`)).body, { folderId: null, sortOrder: 1 })
  })

  test('what somebody else has deleted since, out of what came back, stays deleted', async () => {
    const { owner, colleague, admin } = world
    const id = await world.collection()
    const outer = await world.folder(id, null, 'Outer')
    const inner = await world.folder(id, outer, 'Inner')
    await world.request(id, inner)
    await world.document(id, outer)
    await removed(owner, `folders/${outer}`)
    holds((await deleted(owner, '?limit=1'))[0], { name: 'Outer', held: { folders: 1, requests: 1, documents: 1 } })
    succeeded(await undelete(admin, 'folder', inner))
    await removed(colleague, `folders/${inner}`)
    await world.refused(404, () => undelete(owner, 'folder', inner), 'Folder not found')
    assert.equal(await restored(owner, 'folder', outer), { folder: 1, document: 1 })
    assert.equal(await restored(colleague, 'folder', inner), { folder: 1, request: 1 })
  })

  test('what was deleted once more by itself is not brought back by what it had gone with before', async () => {
    const { owner, admin } = world
    const id = await world.collection()
    const outer = await world.folder(id, null, 'Outer')
    const inner = await world.folder(id, outer, 'Inner')
    await world.request(id, inner)
    await world.document(id, outer)
    await removed(owner, `folders/${outer}`)
    succeeded(await undelete(admin, 'folder', inner))
    await removed(owner, `folders/${inner}`)
    assert.equal(await restored(admin, 'folder', outer), { folder: 1, document: 1 })
    assert.equal(await restored(admin, 'folder', inner), { folder: 1, request: 1 })
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
    await removed(world.owner, `requests/${await world.request(seen)}`)
    await setAccess(ada, [seen])
    const found = async (query = '') => (await deleted(ada, query)).map(({ id }) => id)
    const [first, second, , fourth] = ids
    assert.equal(await found(), [fourth, second, first])
    assert.equal(await found('?limit=2'), [fourth, second])
  })

  test('a version of an environment whose parent the caller may not see is restored below the present one', async () => {
    const hidden = await world.make('environments', { name: 'Hidden' })
    const id = await world.make('environments', { name: 'First', parentUuid: hidden })
    const second = { name: 'Second', variables: [], parentUuid: null }
    succeeded(await world.by(world.owner).put(`/environments/${id}`, second))
    for (const [environmentAccess, parentUuid] of [
      [[id], null],
      [[id, hidden], hidden]
    ] as const) {
      const { post } = world.by(await world.user({ environmentAccess }))
      holds((await post(`/environments/${id}/restore`, { version: 1 })).body, { name: 'First', parentUuid })
    }
  })

  test('a record is shown as it was at a position, at a time, and as it is', async () => {
    const path = `/environments/${await world.make('environments', { name: 'First' })}`
    const first = world.position()
    const { get, put } = world.by(world.owner)
    const createdAt = text((await get(path)).body, 'createdAt')
    await new Promise((resolve) => setTimeout(resolve, 5))
    succeeded(await put(path, { name: 'Second', variables: [] }))
    for (const [at, name] of [
      ['', 'Second'],
      [`?at=${first}`, 'First'],
      [`?at=${createdAt}`, 'First'],
      [`?at=${new Date(Date.now() + 60_000).toISOString()}`, 'Second']
    ] as const)
      holds((await get(path + at)).body, { name })
    assert.is((await get(`${path}?at=1`)).status, 404)
    assert.is((await world.by(await world.user()).get(`${path}?at=${first}`)).status, 403)
  })

  test.run()
}
