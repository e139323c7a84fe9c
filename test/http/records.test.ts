import * as assert from 'uvu/assert'
import { fields, holds, idsOf } from './client.js'
import { collectionContent, documentContent, requestContent } from './content.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { collections, environments, items, lockables } from './kinds.js'
import { ORDERED } from './ordered.js'
import type { Account } from './support.js'
import { listed, succeeded } from './world.js'

// What is in a record is decided above the storage, so one driver tells it for all.
const { test, world } = hubSuite('records', sqlite)

/** Where a record of each kind with a marker is made and replaced. */
const marked: Readonly<Record<string, () => Promise<{ readonly path: string; readonly content: object }>>> = {
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
    for (const [more, marker] of [
      [{ name: 'Renamed' }, '#0af'],
      [{ marker: null }, null],
      [{ marker: 'red' }, 'red'],
      [{ marker: '  ' }, null]
    ] as const)
      holds((await (kind === 'folders' ? patch : put)(`/${kind}/${made.id}`, { ...content, ...more })).body, { marker })
  })
}

test('the protocol of a request is kept when it is not sent again', async () => {
  const collectionId = await world.collection()
  const { post, put } = world.by(world.owner)
  const made = await post(`/collections/${collectionId}/requests`, { ...requestContent, protocol: 'sse' })
  for (const [more, protocol] of [
    [{ name: 'Renamed' }, 'sse'],
    [{ protocol: 'http' }, 'http'],
    [{ name: 'Renamed again' }, 'http']
  ] as const) {
    const body = { ...requestContent, collectionId, ...more }
    holds((await put(`/requests/${fields(made.body).id}`, body)).body, { protocol })
  }
})

for (const { path, content } of lockables) {
  test(`${path}: the same content again changes nothing, not even updatedAt`, async () => {
    const id = await world.make(path, { name: 'Same' })
    const first = await world.by(world.owner).put(`/${path}/${id}`, content)
    const before = world.position()
    assert.is((await world.by(world.colleague).put(`/${path}/${id}`, content)).text, first.text)
    assert.is(world.position(), before)
  })
}

test('text that is not a name is kept as it came, whatever is in it', async () => {
  const { put, get } = world.by(world.owner)
  const id = await world.collection()
  for (const odd of [
    'a\0b',
    'lone \u{d83d} half',
    '\u{202e}right\u{2028}to\u{feff}left',
    '😀'.repeat(300),
    '\\u0000 "\\" \'; DROP--'
  ]) {
    const variables = [{ key: odd, value: odd, defaultValue: odd, share: false, enabled: true }]
    const body = { ...collectionContent, variables, preRequestScript: odd, marker: `m${odd}m` }
    succeeded(await put(`/collections/${id}`, body))
    holds((await get(`/collections/${id}`)).body, { variables, preRequestScript: odd, marker: `m${odd}m` })
    const made = await world.make(`collections/${id}/requests`, { ...requestContent, url: odd, body: odd })
    holds((await get(`/requests/${made}`)).body, { url: odd, body: odd })
  }
})

test('more entries than a list may have, and thousands that are wrong, are refused with few words', async () => {
  const id = await world.collection()
  for (const [entries, error] of [
    [45_000, /^variables: More than 40000 entries$/],
    [30_000, /^variables\.0: .{1,100}$/]
  ] as const) {
    const body = { ...collectionContent, variables: Array(entries).fill(1) }
    await world.refused(400, () => world.by(world.owner).put(`/collections/${id}`, body), error)
  }
})

for (const [path, content] of [
  ['requests', requestContent],
  ['documents', documentContent]
] as const) {
  test(`${path}: with access to both, a PUT takes a record to another collection; without, nobody takes it there or away`, async () => {
    const [from, to] = [await world.collection(), await world.collection()]
    const folderId = await world.folder(to)
    const there = await world.make(`collections/${to}/${path}`, { ...content, folderId })
    const id = await world.make(`collections/${from}/${path}`, content)
    const put = (as: Account, collectionId: string, more = {}) =>
      world.by(as).put(`/${path}/${id}`, { ...content, collectionId, ...more })
    for (const [access, target] of [
      [[to], to],
      [[to], from],
      [[from], to]
    ] as const) {
      const as = await world.user({ collectionAccess: access })
      await world.refused(403, () => put(as, target), 'Forbidden')
    }
    const both = await world.user({ collectionAccess: [from, to] })
    holds(succeeded(await put(both, to, { folderId })).body, { collectionId: to, folderId })
    assert.equal(await listed(world, `/collections/${from}/${path}`), [])
    assert.equal(idsOf(await world.by(world.owner).get(`/collections/${to}/${path}`), path), [there, id])
  })
}

test('a deleted user leaves records that no user may delete', async () => {
  const leaver = await world.user({ collectionAccess: ['*'] })
  const { get, delete: remove } = world.by(world.owner)
  const collectionId = await world.collection(undefined, leaver)
  const left = [`/collections/${collectionId}`, `/requests/${await world.request(collectionId, null, leaver)}`]
  await world.by(world.admin).delete(`/admin/users/${leaver.id}`)
  for (const path of left) {
    holds((await get(path)).body, { createdByUserId: null })
    await world.refused(403, () => remove(path), 'Forbidden')
  }
  assert.is((await world.by(world.admin).delete(`/admin/collections/${collectionId}`)).status, 204)
})

test('a folder moved into another takes what is in it along', async () => {
  const collectionId = await world.collection()
  const [outer, inner] = [await world.folder(collectionId), await world.folder(collectionId)]
  const path = `/requests/${await world.request(collectionId, inner)}`
  const { get, put, delete: remove } = world.by(world.owner)
  await put(`/folders/${inner}/move`, { parentFolderId: outer })
  holds((await get(path)).body, { folderId: inner })
  assert.is((await remove(`/folders/${outer}`)).status, 204)
  assert.is((await get(path)).status, 404)
})

test('lists of a collection that does not exist are empty', async () => {
  const unknown = '00000000-0000-4000-8000-000000000001'
  for (const kind of ORDERED) assert.equal(await listed(world, `/collections/${unknown}/${kind}`), [])
})

test('tokens of one user have the same access, the first and later ones', async () => {
  const { id, token } = await world.user({ collectionAccess: [await world.collection()] })
  const issued = await world.by(world.admin).post(`/admin/users/${id}/tokens`, { name: 'second' })
  const list = async (token: string) => (await world.hub.send({ method: 'GET', path: '/collections', token })).text
  assert.is(await list(String(fields(issued.body).secret)), await list(token))
})

test.run()
