import * as assert from 'uvu/assert'
import { fields, text } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { collections, environments, items, lockables } from './kinds.js'
import { listed, succeeded, type World } from './world.js'

let world: World
// What is in a record is decided above the storage, so one driver tells it for all.
const test = hubSuite('records', sqlite, (made) => {
  world = made
})

/** Where a record of each kind with a marker is made and replaced. */
const marked = {
  collections: async () => ({ path: 'collections', content: collections.content }),
  environments: async () => ({ path: 'environments', content: environments.content }),
  folders: async () => ({ path: `collections/${await world.collection()}/folders`, content: { name: 'Folder' } }),
  ...Object.fromEntries(
    items.map(({ path, content }) => [
      path,
      async () => {
        const collectionId = await world.collection()
        return { path: `collections/${collectionId}/${path}`, content: { ...content, collectionId } }
      }
    ])
  )
}

for (const [kind, place] of Object.entries(marked)) {
  test(`${kind}: a marker is trimmed, kept when it is not sent, and cleared by null or a blank`, async () => {
    const { path, content } = await place()
    const { post, put, patch } = world.by(world.owner)
    const made = fields(succeeded(await post(`/${path}`, { ...content, marker: ' #0af ' })).body)
    assert.is(made.marker, '#0af')
    const change = async (more: object) => {
      const own = `/${kind}/${made.id}`
      const body = { ...content, ...more }
      return fields(succeeded(await (kind === 'folders' ? patch(own, body) : put(own, body))).body).marker
    }
    assert.is(await change({ name: 'Renamed' }), '#0af')
    assert.is(await change({ marker: null }), null)
    assert.is(await change({ marker: 'red' }), 'red')
    assert.is(await change({ marker: '  ' }), null)
  })
}

for (const { path, content } of [collections, environments]) {
  test(`${path}: the enabled of a variable is true unless sent, and comes back as sent`, async () => {
    const id = await world.make(path, { name: 'Variables' })
    const variable = { key: 'a', value: '1', defaultValue: '', share: true }
    const variables = [variable, { ...variable, key: 'b', enabled: false }, { ...variable, key: 'c', enabled: true }]
    const { put, get } = world.by(world.owner)
    await put(`/${path}/${id}`, { ...content, variables })
    const [a, b, c] = variables
    assert.equal(fields((await get(`/${path}/${id}`)).body).variables, [{ ...a, enabled: true }, b, c])
  })
}

for (const { path, content } of lockables) {
  test(`${path}: the same content again changes nothing, not even updatedAt`, async () => {
    const id = await world.make(path, { name: 'Same' })
    const { put } = world.by(world.owner)
    const first = await put(`/${path}/${id}`, content)
    const before = world.position()
    assert.is((await world.by(world.colleague).put(`/${path}/${id}`, content)).text, first.text)
    assert.is(world.position(), before)
  })
}

for (const { path, content } of items) {
  const make = (collectionId: string) => world.make(`collections/${collectionId}/${path}`, content)

  test(`${path}: who may see one collection cannot take a record out of another`, async () => {
    const [mine, other] = [await world.collection(), await world.collection()]
    const id = await make(other)
    const thief = world.by(await world.user({ collectionAccess: [mine] }))
    await world.refused(403, () => thief.put(`/${path}/${id}`, { ...content, collectionId: mine }), 'Forbidden')
    await world.refused(403, () => thief.put(`/${path}/${id}`, { ...content, collectionId: other }), 'Forbidden')
    await world.refused(403, () => thief.put(`/${path}/${id}/move`, { folderId: null, index: 0 }), 'Forbidden')
  })

  test(`${path}: nor put one of its own into another`, async () => {
    const [mine, other] = [await world.collection(), await world.collection()]
    const id = await make(mine)
    const { put } = world.by(await world.user({ collectionAccess: [mine] }))
    await world.refused(403, () => put(`/${path}/${id}`, { ...content, collectionId: other }), 'Forbidden')
  })

  test(`${path}: with access to both, a PUT takes a record to the other, behind what is there`, async () => {
    const [from, to] = [await world.collection(), await world.collection()]
    const folderId = await world.folder(to)
    const [id, there] = [await make(from), await world.make(`collections/${to}/${path}`, { ...content, folderId })]
    const { put } = world.by(await world.user({ collectionAccess: [from, to] }))
    const moved = fields(succeeded(await put(`/${path}/${id}`, { ...content, collectionId: to, folderId })).body)
    assert.equal([moved.collectionId, moved.folderId], [to, folderId])
    assert.equal(await listed(world, `/collections/${from}/${path}`), [])
    const list = await listed(world, `/collections/${to}/${path}`)
    assert.equal(
      list.map((record) => record.id),
      [there, id]
    )
  })

  test(`${path}: a PUT keeps place, author and time of creation, and names who changed it`, async () => {
    const collectionId = await world.collection()
    const [first] = [await make(collectionId), await make(collectionId)]
    const before = fields((await world.by(world.owner).get(`/${path}/${first}`)).body)
    const { put } = world.by(world.colleague)
    const after = fields((await put(`/${path}/${first}`, { ...content, collectionId, name: 'Changed' })).body)
    for (const key of ['sortOrder', 'createdAt', 'createdByUserId']) assert.is(after[key], before[key], key)
    assert.is(after.updatedByUserId, world.colleague.id)
    assert.ok(text(after, 'updatedAt') >= text(before, 'updatedAt'))
  })
}

test('a deleted user leaves records that no user may delete', async () => {
  const leaver = await world.user({ collectionAccess: ['*'] })
  const collectionId = await world.collection(undefined, leaver)
  const paths = [`/collections/${collectionId}`]
  for (const { path, content } of items) {
    paths.push(`/${path}/${await world.make(`collections/${collectionId}/${path}`, content, leaver)}`)
  }
  const { get, delete: remove } = world.by(world.owner)
  for (const path of paths) assert.is(fields((await get(path)).body).createdByUserId, leaver.id)
  await world.by(world.admin).delete(`/admin/users/${leaver.id}`)
  for (const path of paths) {
    assert.is(fields((await get(path)).body).createdByUserId, null)
    await world.refused(403, () => remove(path), 'Forbidden')
  }
  assert.is((await world.by(world.admin).delete(`/admin/collections/${collectionId}`)).status, 204)
})

test('a folder moved into another takes what is in it along', async () => {
  const collectionId = await world.collection()
  const [outer, inner] = [await world.folder(collectionId), await world.folder(collectionId)]
  const requestId = await world.request(collectionId, inner)
  const { put, delete: remove, get } = world.by(world.owner)
  await put(`/folders/${inner}/move`, { parentFolderId: outer })
  assert.is(fields((await get(`/requests/${requestId}`)).body).folderId, inner)
  assert.is((await remove(`/folders/${outer}`)).status, 204)
  assert.is((await get(`/requests/${requestId}`)).status, 404)
})

test('lists of a collection that does not exist are empty', async () => {
  const unknown = '00000000-0000-4000-8000-000000000001'
  for (const kind of ['folders', 'requests', 'documents']) {
    assert.equal(await listed(world, `/collections/${unknown}/${kind}`), [])
  }
})

test.run()
