import * as assert from 'uvu/assert'
import { records } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { lockables } from './kinds.js'
import type { Account } from './support.js'
import type { World } from './world.js'

let world: World
const test = hubSuite('section 5, access lists', sqlite, (made) => {
  world = made
})

/** What a user with this list gets: the list, a creation, and a change of the record it names and of another. */
async function outcomes(
  { path, list, access, content }: (typeof lockables)[number],
  by: Account,
  ids: readonly string[]
) {
  const { get, post, put } = world.by(by)
  const listed = records(await get(`/${path}`), list).map(({ id }) => id)
  return {
    lists: ids.map((id) => listed.includes(id)),
    creates: (await post(`/${path}`, { name: access })).status,
    changes: await Promise.all(ids.map(async (id) => (await put(`/${path}/${id}`, content)).status))
  }
}

for (const kind of lockables) {
  const { path } = kind
  for (const [value, expected] of [
    ["['*']", { lists: [true, true], creates: 200, changes: [200, 200] }],
    ['specific ids', { lists: [true, false], creates: 403, changes: [200, 403] }],
    ['[]', { lists: [false, false], creates: 403, changes: [403, 403] }]
  ] as const) {
    test(`${kind.access} ${value}`, async () => {
      const ids = [await world.make(path, { name: 'Listed' }), await world.make(path, { name: 'Not listed' })]
      const list = { "['*']": ['*'], 'specific ids': ids.slice(0, 1), '[]': [] }[value]
      assert.equal(await outcomes(kind, await world.user({ [kind.access]: list }), ids), expected)
    })
  }
}

test('collectionAccess governs folders, requests and documents inside', async () => {
  const [mine, other] = [await world.collection(), await world.collection()]
  const { get, post } = world.by(await world.user({ collectionAccess: [mine] }))
  for (const kind of ['folders', 'requests', 'documents']) {
    assert.is((await get(`/collections/${mine}/${kind}`)).status, 200)
    assert.is((await get(`/collections/${other}/${kind}`)).status, 403)
  }
  assert.is((await post(`/collections/${mine}/folders`, { name: 'Mine' })).status, 200)
  assert.is((await post(`/collections/${other}/folders`, { name: 'Theirs' })).status, 403)
})

test('tokens of one user have the same access, the first and later ones', async () => {
  const { id, token } = await world.user({ collectionAccess: [await world.collection()] })
  const issued = await world.by(world.admin).post(`/admin/users/${id}/tokens`, { name: 'second' })
  const list = async (secret: string) =>
    (await world.hub.send({ method: 'GET', path: '/collections', token: secret })).text
  assert.is(await list(String(Object(issued.body).secret)), await list(token))
})

test.run()
