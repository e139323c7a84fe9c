import * as assert from 'uvu/assert'
import type { Reply } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { lockables } from './kinds.js'
import { otherChanges, type Tagged, taggedKinds } from './tagged.js'
import { succeeded, type World } from './world.js'

const CHANGED = 'This record has changed since it was read. Read it again, then repeat the change.'

let world: World
// Tags are made above the storage, so one driver tells it for all.
const test = hubSuite('entity tags', sqlite, (made) => {
  world = made
})

const send = ({ method, path, admin }: Tagged, body: unknown, match?: string): Promise<Reply> => {
  const { token } = admin ? world.admin : world.owner
  return world.hub.send({ method, path, token, body, ...(match !== undefined && { headers: { 'if-match': match } }) })
}
const remove = ({ path, admin }: Tagged, match: string) => {
  const { token } = admin ? world.admin : world.owner
  return world.hub.send({ method: 'DELETE', path, token, headers: { 'if-match': match } })
}
const tagOf = (reply: Reply): string => {
  const { etag } = succeeded(reply).headers
  assert.match(etag ?? '', /^"[^"]+"$/)
  return etag ?? ''
}

for (const [kind, make] of Object.entries(taggedKinds)) {
  test(`${kind}: the tag of a record is that of its last change, and 304 answers who has it`, async () => {
    const record = await make(world)
    const tag = tagOf(await send(record, record.body('Two')))
    const { get } = world.by(record.admin ? world.admin : world.owner)
    assert.is(tagOf(await get(record.path)), tag)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const reply = await get(record.path, { 'if-none-match': known })
      assert.equal([reply.status, reply.text, reply.headers.etag], [304, '', tag])
    }
    await send(record, record.body('Three'))
    assert.is((await get(record.path, { 'if-none-match': tag })).status, 200)
  })

  test(`${kind}: If-Match with an older tag is 412 and changes nothing`, async () => {
    const record = await make(world)
    const old = tagOf(await send(record, record.body('Two')))
    await send(record, record.body('Three'))
    for (const tag of [old, `${old}, "x"`, '"no revision"', 'W/"1"', '']) {
      await world.refused(412, () => send(record, record.body('Four'), tag), CHANGED)
      await world.refused(412, () => remove(record, tag), CHANGED)
    }
    const [path, body] = otherChanges[kind]?.(world, record.path) ?? [null]
    if (path === null) return
    const admin = path.startsWith('/admin') ? ({ admin: true } as const) : {}
    await world.refused(412, () => send({ ...record, method: 'PUT', path, ...admin }, body, old), CHANGED)
    if (admin.admin) await world.refused(412, () => remove({ ...record, path, ...admin }, old), CHANGED)
  })

  test(`${kind}: If-Match with the tag of now, one among several or * succeeds`, async () => {
    const record = await make(world)
    const second = tagOf(await send(record, record.body('Two')))
    const third = tagOf(await send(record, record.body('Three'), second))
    const fourth = tagOf(await send(record, record.body('Four'), `${second}, ${third}`))
    await send(record, record.body('Five'), '*')
    await world.refused(412, () => remove(record, fourth))
    const last = tagOf(await send(record, record.body('Six')))
    assert.is((await remove(record, last)).status, 204)
  })

  test(`${kind}: without If-Match the last writer wins; with it, one of two`, async () => {
    const record = await make(world)
    const tag = tagOf(await send(record, record.body('Two')))
    const blind = await Promise.all(['A', 'B'].map((name) => send(record, record.body(name))))
    assert.equal(
      blind.map(({ status }) => status),
      [200, 200]
    )
    const now = tagOf(await send(record, record.body('C')))
    const careful = await Promise.all(['D', 'E'].map((name) => send(record, record.body(name), now)))
    assert.equal(careful.map(({ status }) => status).toSorted(), [200, 412])
    assert.is.not(now, tag)
  })
}

test('what is forbidden is 403, whatever the tag', async () => {
  const path = `/collections/${await world.collection()}`
  const stranger = await world.user()
  for (const method of ['PUT', 'DELETE'] as const) {
    const call = { method, path, token: stranger.token, headers: { 'if-match': '"0"' } }
    await world.refused(403, () =>
      world.hub.send({ ...call, ...(method === 'PUT' && { body: lockables[0]?.content }) })
    )
  }
})

test('a lock, a move, a new order and a deleted author give a record a new tag', async () => {
  const author = await world.user({ collectionAccess: ['*'] })
  const { get, put } = world.by(world.owner)
  const id = await world.collection('Tagged', author)
  const requests = [await world.request(id), await world.request(id, null, author)]
  const tags = async () =>
    Promise.all(
      [`/collections/${id}`, ...requests.map((one) => `/requests/${one}`)].map(async (path) => tagOf(await get(path)))
    )
  const before = await tags()
  await world.lock('collections', id)
  const locked = await tags()
  await put(`/requests/${requests[1]}/move`, { folderId: null, index: 0 })
  const moved = await tags()
  await put(`/collections/${id}/requests/reorder`, { folderId: null, orderedRequestIds: requests })
  const ordered = await tags()
  await world.by(world.admin).delete(`/admin/users/${author.id}`)
  const orphaned = await tags()
  const changed = (from: readonly string[], to: readonly string[]) => from.map((tag, i) => tag !== to[i])
  assert.equal(changed(before, locked), [true, false, false])
  assert.equal(changed(locked, moved), [false, true, true])
  assert.equal(changed(moved, ordered), [false, true, true])
  assert.equal(changed(ordered, orphaned), [true, false, true])
})

/** The lists that have a tag, each by its path, with what adds something to it. */
const lists: Readonly<Record<string, (collectionId: string) => Promise<unknown>>> = {
  ...Object.fromEntries(lockables.map(({ path }) => [path, () => world.make(path, { name: 'One' })])),
  ...Object.fromEntries(lockables.map(({ path }) => [`admin/${path}`, () => world.make(path, { name: 'One' })])),
  'collections/:id/folders': (id) => world.folder(id),
  'collections/:id/requests': (id) => world.request(id),
  'collections/:id/documents': (id) => world.document(id),
  'admin/users': () => world.user(),
  'admin/tokens': () => world.user()
}

for (const [list, add] of Object.entries(lists)) {
  test(`the list of ${list} has a tag: 304 until something in it changes`, async () => {
    const collectionId = await world.collection()
    await add(collectionId)
    const { get } = world.by(list.startsWith('admin') ? world.admin : world.owner)
    const path = `/${list.replace(':id', collectionId)}`
    const tag = tagOf(await get(path))
    const same = await get(path, { 'if-none-match': tag })
    assert.equal([same.status, same.text], [304, ''])
    await add(collectionId)
    const changed = await get(path, { 'if-none-match': tag })
    assert.is(changed.status, 200)
    assert.is.not(tagOf(changed), tag)
  })
}

test.run()
