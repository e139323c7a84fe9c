import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { ORDERED, type Placed, ways } from './ordered.js'
import type { Account } from './support.js'
import { refusalOf, statusOf } from './world.js'

const SIBLINGS = 20
/** For tests of many requests one after the other, on a machine that is busy. */
const PATIENT = { timeout_ms: 60_000 }

for (const driver of drivers) {
  const { test, world } = hubSuite('concurrent requests', driver)

  const times = <T>(count: number, work: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)))
  const statuses = (asked: readonly Promise<{ readonly status: number }>[]) => Promise.all(asked.map(statusOf))
  const by = (account: Account) => world.client(account).request
  const orders = (list: readonly Pick<Placed, 'sortOrder'>[]) => list.map(({ sortOrder }) => sortOrder)

  for (const kind of ORDERED) {
    test(
      `${SIBLINGS} ${kind} made at once in one container have as many places, and with 16 moves at once the order stays one`,
      async () => {
        const { make, move, list } = ways(world, kind)
        const collectionId = await world.collection()
        const ids = (await times(SIBLINGS, (i) => make(collectionId, `${i}`))).map(({ id }) => id)
        assert.is(new Set(orders(await list(collectionId))).size, SIBLINGS)
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

  test(
    '10 rounds of two partial changes of one user at once lose neither',
    async () => {
      const { id } = await world.user()
      const change = (body: Schemas['UpdateUserBody']) =>
        by(world.admin)('PUT', '/admin/users/{id}', { path: { id }, body })
      for (let round = 0; round < 10; round++) {
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

  test('an invitation that is redeemed 100 times at once gives exactly one token', async () => {
    const body = { name: `Ann ${randomUUID()}`, role: 'user' } as const
    const send = by(world.admin)
    const { secret, user } = (await send('POST', '/admin/invited-users', { body })).body
    const redeem = { method: 'POST', path: '/auth/invitations/redeem', body: { secret } }
    const replies = await times(100, () => world.hub.send(redeem))
    assert.equal(replies.map(({ status }) => status).toSorted(), [201, ...Array(99).fill(410)])
    const { tokens } = (await send('GET', '/admin/tokens')).body
    assert.is(tokens.filter(({ userId }) => userId === user.id).length, 1)
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
