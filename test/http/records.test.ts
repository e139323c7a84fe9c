import * as assert from 'uvu/assert'
import { fields } from './client.js'
import { documentContent, requestContent } from './content.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { collections, environments, items, lockables } from './kinds.js'
import { orderedKinds, ways } from './ordered.js'
import type { Account } from './support.js'
import { statusOf, succeeded, type World } from './world.js'

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

test('the protocol of a request is http unless sent, and kept when it is not sent again', async () => {
  const collectionId = await world.collection()
  const { post, put } = world.by(world.owner)
  const plain = fields(succeeded(await post(`/collections/${collectionId}/requests`, requestContent)).body)
  assert.is(plain.protocol, 'http')
  const made = { ...requestContent, protocol: 'sse' }
  const { id } = fields(succeeded(await post(`/collections/${collectionId}/requests`, made)).body)
  const change = async (more: object) =>
    fields(succeeded(await put(`/requests/${id}`, { ...requestContent, collectionId, ...more })).body).protocol
  assert.is(await change({ name: 'Renamed' }), 'sse')
  assert.is(await change({ protocol: 'http' }), 'http')
  assert.is(await change({ name: 'Renamed again' }), 'http')
})

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

const contents = [
  ['requests', requestContent],
  ['documents', documentContent]
] as const

for (const [path, content] of contents) {
  const { list } = ways[path]
  const make = async (collectionId: string, into: string | null = null) =>
    (await ways[path].make(world, collectionId, content.name, into)).body.id
  const read = async (id: string) =>
    (await world.client(world.owner).request('GET', `/${path}/{id}`, { path: { id } })).body
  const put = (as: Account, id: string, collectionId: string, more: { folderId?: string; name?: string } = {}) => {
    const { request: send } = world.client(as)
    const changed = { collectionId, ...more }
    return path === 'requests'
      ? send('PUT', '/requests/{id}', { path: { id }, body: { ...requestContent, ...changed } })
      : send('PUT', '/documents/{id}', { path: { id }, body: { ...documentContent, ...changed } })
  }

  test(`${path}: who may see one collection cannot take a record out of another`, async () => {
    const [mine, other] = [await world.collection(), await world.collection()]
    const id = await make(other)
    const thief = await world.user({ collectionAccess: [mine] })
    const move = { path: { id }, body: { folderId: null, index: 0 } }
    await world.denied(403, () => put(thief, id, mine), 'Forbidden')
    await world.denied(403, () => put(thief, id, other), 'Forbidden')
    await world.denied(403, () => world.client(thief).request('PUT', `/${path}/{id}/move`, move), 'Forbidden')
  })

  test(`${path}: nor put one of its own into another`, async () => {
    const [mine, other] = [await world.collection(), await world.collection()]
    const id = await make(mine)
    const one = await world.user({ collectionAccess: [mine] })
    await world.denied(403, () => put(one, id, other), 'Forbidden')
  })

  test(`${path}: with access to both, a PUT takes a record to the other, behind what is there`, async () => {
    const [from, to] = [await world.collection(), await world.collection()]
    const folderId = await world.folder(to)
    const [id, there] = [await make(from), await make(to, folderId)]
    const one = await world.user({ collectionAccess: [from, to] })
    const moved = (await put(one, id, to, { folderId })).body
    assert.equal([moved.collectionId, moved.folderId], [to, folderId])
    assert.equal(await list(world, from), [])
    assert.equal(
      (await list(world, to)).map((record) => record.id),
      [there, id]
    )
  })

  test(`${path}: a PUT keeps place, author and time of creation, and names who changed it`, async () => {
    const collectionId = await world.collection()
    const [first] = [await make(collectionId), await make(collectionId)]
    const before = await read(first)
    const after = (await put(world.colleague, first, collectionId, { name: 'Changed' })).body
    for (const key of ['sortOrder', 'createdAt', 'createdByUserId'] as const) assert.is(after[key], before[key], key)
    assert.is(after.updatedByUserId, world.colleague.id)
    assert.ok(after.updatedAt >= before.updatedAt)
  })
}

test('a deleted user leaves records that no user may delete', async () => {
  const leaver = await world.user({ collectionAccess: ['*'] })
  const { request: send } = world.client(world.owner)
  const { request: manage } = world.client(world.admin)
  const collectionId = await world.collection(undefined, leaver)
  const left: { kind: 'collections' | 'requests' | 'documents'; id: string }[] = [
    { kind: 'collections', id: collectionId }
  ]
  for (const [kind, content] of contents)
    left.push({ kind, id: await world.make(`collections/${collectionId}/${kind}`, content, leaver) })
  const creator = async ({ kind, id }: (typeof left)[number]) =>
    (await send('GET', `/${kind}/{id}`, { path: { id } })).body.createdByUserId
  for (const one of left) assert.is(await creator(one), leaver.id)
  await manage('DELETE', '/admin/users/{id}', { path: { id: leaver.id } })
  for (const one of left) {
    assert.is(await creator(one), null)
    await world.denied(403, () => send('DELETE', `/${one.kind}/{id}`, { path: { id: one.id } }), 'Forbidden')
  }
  assert.is((await manage('DELETE', '/admin/collections/{id}', { path: { id: collectionId } })).status, 204)
})

test('a folder moved into another takes what is in it along', async () => {
  const collectionId = await world.collection()
  const [outer, inner] = [await world.folder(collectionId), await world.folder(collectionId)]
  const path = { id: await world.request(collectionId, inner) }
  const { request: send } = world.client(world.owner)
  await send('PUT', '/folders/{id}/move', { path: { id: inner }, body: { parentFolderId: outer } })
  assert.is((await send('GET', '/requests/{id}', { path })).body.folderId, inner)
  assert.is((await send('DELETE', '/folders/{id}', { path: { id: outer } })).status, 204)
  assert.is(await statusOf(send('GET', '/requests/{id}', { path })), 404)
})

test('lists of a collection that does not exist are empty', async () => {
  const unknown = '00000000-0000-4000-8000-000000000001'
  for (const { list } of orderedKinds) assert.equal(await list(world, unknown), [])
})

test.run()
