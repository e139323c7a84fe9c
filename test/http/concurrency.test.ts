import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { inOrder, orderedKinds, type Placed } from './ordered.js'
import type { Account } from './support.js'
import { refusalOf, statusOf, type World } from './world.js'

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
  const statuses = (asked: readonly Promise<{ readonly status: number }>[]) => Promise.all(asked.map(statusOf))
  const by = (account: Account) => world.client(account).request
  const orders = (list: readonly Placed[]) => list.map(({ sortOrder }) => sortOrder)

  for (const ordered of orderedKinds) {
    const { kind } = ordered
    const { make, move, list } = inOrder(ordered, () => world)

    test(`${SIBLINGS} ${kind} made at once in one container have as many places`, async () => {
      const collectionId = await world.collection()
      await times(SIBLINGS, (i) => make(collectionId, `${i}`))
      const all = await list(collectionId)
      assert.is(all.length, SIBLINGS)
      assert.is(new Set(orders(all)).size, SIBLINGS)
    })

    test(
      `16 moves at once among ${SIBLINGS} ${kind}: none fails, and the order stays one`,
      async () => {
        const collectionId = await world.collection()
        const ids: string[] = []
        for (let i = 0; i < SIBLINGS; i++) ids.push(await make(collectionId, `${i}`))
        // Many to the same few places, so that the room between neighbours runs out.
        await times(16, (i) => move(ids[(i * 7) % SIBLINGS], i % 3))
        const all = await list(collectionId)
        assert.equal(all.map(({ id }) => id).toSorted(), ids.toSorted())
        assert.equal(
          orders(all),
          orders(all).toSorted((a, b) => a - b)
        )
        assert.is(new Set(orders(all)).size, SIBLINGS)
        assert.equal(await list(collectionId), all)
      },
      PATIENT
    )
  }

  test('moves and new orders at once: all succeed, nothing is doubled or lost', async () => {
    const collectionId = await world.collection()
    const folderId = await world.folder(collectionId)
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push(await world.request(collectionId, i % 2 === 0 ? null : folderId))
    const send = by(world.owner)
    const changes = await times(12, (i) =>
      i % 4 === 0
        ? send('PUT', '/collections/{collectionId}/requests/reorder', {
            path: { collectionId },
            body: { folderId: null, orderedRequestIds: ids.slice(0, 6) }
          })
        : send('PUT', '/requests/{id}/move', {
            path: { id: ids[i] ?? '' },
            body: { folderId: i % 3 === 0 ? folderId : null, index: i % 5 }
          })
    )
    assert.equal(new Set(changes.map(({ status }) => status)), new Set([204]))
    const list = (await send('GET', '/collections/{collectionId}/requests', { path: { collectionId } })).body.requests
    assert.equal(list.map(({ id }) => id).toSorted(), ids.toSorted())
    for (const place of [null, folderId]) {
      const here = orders(list.filter((record) => record.folderId === place))
      assert.is(new Set(here).size, here.length)
    }
  })

  test(
    '20 rounds of two partial changes of one user at once lose neither',
    async () => {
      const { id } = await world.user()
      const change = (body: Schemas['UpdateUserBody']) =>
        by(world.admin)('PUT', '/admin/users/{id}', { path: { id }, body })
      for (let round = 0; round < 20; round++) {
        const changes = { llmMonthlyTokenLimit: round, name: `Renamed ${randomUUID()}` }
        const { llmMonthlyTokenLimit, name } = changes
        await Promise.all([change({ llmMonthlyTokenLimit }), change({ name })])
        const now = (await by(world.admin)('GET', '/admin/users')).body.users.find((user) => user.id === id)
        assert.equal({ llmMonthlyTokenLimit: now?.llmMonthlyTokenLimit, name: now?.name }, changes)
      }
    },
    PATIENT
  )

  test('the same new name 20 times at once makes one user', async () => {
    const body = { name: `Twin ${randomUUID()}`, role: 'user' } as const
    const send = by(world.admin)
    const made = await statuses(Array.from({ length: 20 }, () => send('POST', '/admin/users', { body })))
    assert.equal(made.toSorted(), [201, ...Array(19).fill(400)])
    const { users } = (await send('GET', '/admin/users')).body
    assert.is(users.filter(({ name }) => name === body.name).length, 1)
  })

  test('two users renamed to the same name at once: one of them', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const body = { name: `Twin ${randomUUID()}` }
    const renamed = await statuses(
      [one, two].map(({ id }) => by(world.admin)('PUT', '/admin/users/{id}', { path: { id }, body }))
    )
    assert.equal(renamed.toSorted(), [200, 400])
  })

  test('a lock and the creator’s deletion at once: the lock or the deletion, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const path = { id: await world.collection() }
      const [locked, deleted] = await statuses([
        by(world.admin)('PUT', '/admin/collections/{id}', { path, body: { deletionLocked: true } }),
        by(world.owner)('DELETE', '/collections/{id}', { path })
      ])
      const exists = (await statusOf(by(world.owner)('GET', '/collections/{id}', { path }))) === 200
      assert.equal([locked, deleted, exists], exists ? [200, 403, true] : [404, 204, false])
    }
  })

  test('a collection deleted while things are made in it leaves none of them behind', async () => {
    const collectionId = await world.collection()
    const send = by(world.owner)
    /** Makes a folder; null where the collection is gone. */
    const late = async () => {
      const asked = send('POST', '/collections/{collectionId}/folders', {
        path: { collectionId },
        body: { name: 'Late' }
      })
      const refusal = await refusalOf(asked)
      if (refusal === null) return (await asked).body.id
      assert.is(refusal.status, 404, refusal.message)
      return null
    }
    const [, ...made] = await Promise.all([
      by(world.admin)('DELETE', '/admin/collections/{id}', { path: { id: collectionId } }),
      ...Array.from({ length: 8 }, late)
    ])
    for (const id of made)
      if (id !== null) assert.is(await statusOf(send('GET', '/folders/{id}', { path: { id } })), 404)
  })

  test.run()
}
