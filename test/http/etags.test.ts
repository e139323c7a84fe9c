import * as assert from 'uvu/assert'
import type { Reply } from './client.js'
import { eachOf } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { lockables, type Made, type RecordKind, recordKinds } from './kinds.js'
import { succeeded } from './world.js'

const CHANGED = 'This record has changed since it was read. Read it again, then repeat the change.'

// Tags are made above the storage, so one driver tells it for all. What follows from a route's taking and having them is in
// declared.test.ts.
const { test, world } = hubSuite('entity tags', sqlite)

const tagOf = (reply: Reply): string => {
  const { etag } = succeeded(reply).headers
  assert.match(etag ?? '', /^"[^"]+"$/)
  return etag ?? ''
}

const accounts: RecordKind = {
  ...{ path: 'admin/users', thing: 'User' },
  async make(world): Promise<Made> {
    const { id, name } = await world.user()
    return { id, scope: {}, method: 'PUT', body: (more) => ({ name: name + more }) }
  }
}

for (const { path, make } of [...recordKinds, accounts]) {
  test(`${path}: a tag is that of the last change; If-Match holds a change to it, and lets one of two through`, async () => {
    const { id, method, body } = await make(world, 'One')
    const { token } = path.startsWith('admin') ? world.admin : world.owner
    const call = (method: string, body?: unknown, headers?: Record<string, string>) =>
      world.hub.send({ method, path: `/${path}/${id}`, token, body, ...(headers && { headers }) })
    const change = (name: string, match?: string) => call(method, body(name), match ? { 'if-match': match } : undefined)
    const second = tagOf(await change('Two'))
    assert.is(tagOf(await call('GET')), second)
    const third = tagOf(await change('Three', second))
    assert.is((await call('GET', undefined, { 'if-none-match': second })).status, 200)
    await world.refused(412, () => change('Four', second), CHANGED)
    await world.refused(412, () => call('DELETE', undefined, { 'if-match': second }), CHANGED)
    const now = tagOf(await change('Four', `${second}, ${third}`))
    const careful = await Promise.all(['D', 'E'].map((name) => change(name, now)))
    assert.equal(careful.map(({ status }) => status).toSorted(), [200, 412])
    const blind = await Promise.all(['A', 'B'].map((name) => change(name)))
    assert.equal(eachOf(blind, 'status'), [200, 200])
    const last = tagOf(await call('GET'))
    assert.is((await call('DELETE', undefined, { 'if-match': last })).status, 204)
  })
}

test('what is forbidden is 403, whatever the tag', async () => {
  const path = `/collections/${await world.collection()}`
  const stranger = world.by(await world.user())
  const headers = { 'if-match': '"0"' }
  await world.refused(403, () => stranger.put(path, lockables[0]?.content, headers))
  await world.refused(403, () => stranger.delete(path, undefined, headers))
})

test('a lock, a move, a new order and a deleted author give a record a new tag', async () => {
  const author = await world.user({ collectionAccess: ['*'] })
  const { get, put } = world.by(world.owner)
  const id = await world.collection('Tagged', author)
  const requests = [await world.request(id), await world.request(id, null, author)]
  const paths = [`/collections/${id}`, ...requests.map((one) => `/requests/${one}`)]
  const tags = () => Promise.all(paths.map(async (path) => tagOf(await get(path))))
  let before = await tags()
  for (const [change, changed] of [
    [() => world.lock('collections', id), [true, false, false]],
    [() => put(`/requests/${requests[1]}/move`, { folderId: null, index: 0 }), [false, true, true]],
    [
      () => put(`/collections/${id}/requests/reorder`, { folderId: null, orderedRequestIds: requests }),
      [false, true, true]
    ],
    [() => world.by(world.admin).delete(`/admin/users/${author.id}`), [true, false, true]]
  ] as const) {
    await change()
    const now = await tags()
    assert.equal(
      before.map((tag, i) => tag !== now[i]),
      changed
    )
    before = now
  }
})

test.run()
