import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, type Reply, records } from './client.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { items } from './kinds.js'
import { listed, succeeded, type World } from './world.js'

const SIBLINGS = 30
/** For tests of many requests one after the other, on a machine that is busy. */
const PATIENT = { timeout_ms: 60_000 }

for (const driver of drivers) {
  let world: World
  const test = hubSuite('concurrent requests', driver, (made) => {
    world = made
  })

  const times = <T>(count: number, work: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)))
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)
  const orders = (list: readonly { readonly [key: string]: unknown }[]) =>
    list.map(({ sortOrder }) => Number(sortOrder))

  const containers = [
    ...items.map(({ path, content }) => ({ kind: path as string, content: content as object, move: moveItem })),
    { kind: 'folders', content: { name: 'Folder' }, move: moveFolder }
  ]

  for (const { kind, content, move } of containers) {
    test(`${SIBLINGS} ${kind} made at once in one container have as many places`, async () => {
      const path = `/collections/${await world.collection()}/${kind}`
      const made = await times(SIBLINGS, () => world.by(world.owner).post(path, content))
      assert.equal(new Set(statuses(made)), new Set([200]))
      const list = await listed(world, path)
      assert.is(list.length, SIBLINGS)
      assert.is(new Set(orders(list)).size, SIBLINGS)
    })

    test(
      `16 moves at once among ${SIBLINGS} ${kind}: none fails, and the order stays one`,
      async () => {
        const path = `/collections/${await world.collection()}/${kind}`
        const ids: string[] = []
        for (let i = 0; i < SIBLINGS; i++) ids.push(await world.make(path.slice(1), content))
        // Many to the same few places, so that the room between neighbours runs out.
        const moved = await times(16, (i) => move(world, kind, ids[(i * 7) % SIBLINGS] ?? '', i % 3))
        for (const reply of moved) succeeded(reply)
        const list = await listed(world, path)
        assert.equal(list.map(({ id }) => String(id)).toSorted(), ids.toSorted())
        assert.equal(
          orders(list),
          orders(list).toSorted((a, b) => a - b)
        )
        assert.is(new Set(orders(list)).size, SIBLINGS)
        assert.equal(await listed(world, path), list)
      },
      PATIENT
    )
  }

  test('moves and new orders at once: all succeed, nothing is doubled or lost', async () => {
    const collectionId = await world.collection()
    const folderId = await world.folder(collectionId)
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push(await world.request(collectionId, i % 2 === 0 ? null : folderId))
    const { put } = world.by(world.owner)
    const changes = await times(12, (i) =>
      i % 4 === 0
        ? put(`/collections/${collectionId}/requests/reorder`, { folderId: null, orderedRequestIds: ids.slice(0, 6) })
        : put(`/requests/${ids[i]}/move`, { folderId: i % 3 === 0 ? folderId : null, index: i % 5 })
    )
    assert.equal(new Set(statuses(changes)), new Set([204]))
    const list = await listed(world, `/collections/${collectionId}/requests`)
    assert.equal(list.map(({ id }) => String(id)).toSorted(), ids.toSorted())
    for (const place of [null, folderId]) {
      const here = orders(list.filter((record) => record.folderId === place))
      assert.is(new Set(here).size, here.length)
    }
  })

  test(
    '20 rounds of two partial changes of one user at once lose neither',
    async () => {
      const { id } = await world.user()
      const { put } = world.by(world.admin)
      for (let round = 0; round < 20; round++) {
        const changes = { llmMonthlyTokenLimit: round, name: `Renamed ${randomUUID()}` }
        const [limit, name] = Object.entries(changes).map(([key, value]) => ({ [key]: value }))
        await Promise.all(
          [put(`/admin/users/${id}`, limit), put(`/admin/users/${id}`, name)].map(async (sent) => succeeded(await sent))
        )
        const now = fields(
          records(await world.by(world.admin).get('/admin/users'), 'users').find((user) => user.id === id)
        )
        assert.equal({ llmMonthlyTokenLimit: now.llmMonthlyTokenLimit, name: now.name }, changes)
      }
    },
    PATIENT
  )

  test('the same new name 20 times at once makes one user', async () => {
    const body = { name: `Twin ${randomUUID()}`, role: 'user' }
    const replies = await times(20, () => world.by(world.admin).post('/admin/users', body))
    assert.equal(statuses(replies).toSorted(), [201, ...Array(19).fill(400)])
    const users = records(await world.by(world.admin).get('/admin/users'), 'users')
    assert.is(users.filter(({ name }) => name === body.name).length, 1)
  })

  test('two users renamed to the same name at once: one of them', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const body = { name: `Twin ${randomUUID()}` }
    const replies = await Promise.all([one, two].map(({ id }) => world.by(world.admin).put(`/admin/users/${id}`, body)))
    assert.equal(statuses(replies).toSorted(), [200, 400])
  })

  test('a lock and the creator’s deletion at once: the lock or the deletion, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await world.collection()
      const [locked, deleted] = await Promise.all([
        world.by(world.admin).put(`/admin/collections/${id}`, { deletionLocked: true }),
        world.by(world.owner).delete(`/collections/${id}`)
      ])
      const exists = (await world.by(world.owner).get(`/collections/${id}`)).status === 200
      assert.equal([locked.status, deleted.status, exists], exists ? [200, 403, true] : [404, 204, false])
    }
  })

  test('a collection deleted while things are made in it leaves none of them behind', async () => {
    const collectionId = await world.collection()
    const { post, get } = world.by(world.owner)
    const [, ...made] = await Promise.all([
      world.by(world.admin).delete(`/admin/collections/${collectionId}`),
      ...Array.from({ length: 8 }, () => post(`/collections/${collectionId}/folders`, { name: 'Late' }))
    ])
    for (const reply of made) {
      assert.ok(reply.status === 200 || reply.status === 404, reply.text)
      if (reply.status === 200) assert.is((await get(`/folders/${fields(reply.body).id}`)).status, 404)
    }
  })

  test.run()
}

function moveItem(world: World, kind: string, id: string, index: number): Promise<Reply> {
  return world.by(world.owner).put(`/${kind}/${id}/move`, { folderId: null, index })
}

function moveFolder(world: World, kind: string, id: string, index: number): Promise<Reply> {
  return world.by(world.owner).put(`/${kind}/${id}/move`, { parentFolderId: null, sortOrder: index })
}
