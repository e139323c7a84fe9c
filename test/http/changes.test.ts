import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { StoredEvent } from '../../src/log/event.js'
import { pages } from '../../src/log/pages.js'
import { isFull } from '../support/full.js'
import { idsOf } from './client.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { Listener } from './listener.js'
import { type Account, startBeside, until } from './support.js'
import { succeeded } from './world.js'

const SEED = Number(process.env.HUB_TEST_SEED ?? 20260301)
const CLIENTS = isFull ? 200 : 20
const DROPS = Number(process.env.HUB_TEST_DROPS ?? 10 * CLIENTS)
const WRITERS = 20
/** What is tested is coming back in the middle of writes, and not how many writes there can be. */
const WRITE_PAUSE_MS = 50

for (const driver of [sqlite, postgres]) {
  const { test, world } = hubSuite('the feed of changes', driver)
  const follow = async (account: Account, from?: number) => {
    const one = new Listener(world.hub.url, from)
    assert.is(await one.open('/changes', account), 200)
    return one
  }
  const reaches = (one: Listener, position: number) =>
    until(() => (Number(one.told.at(-1)?.position ?? 0) >= position ? true : null))
  const typesOf = ({ told }: Listener) => told.map(({ type, collectionId }) => [type, collectionId])
  const positionsOf = ({ told }: Listener) => told.map(({ position }) => position)

  test('what happens is told as it happens, to those who may see it, without its content', async () => {
    const [own, other] = [await world.collection(), await world.collection()]
    const insider = await world.user({ collectionAccess: [own] })
    const [inside, all] = [await follow(insider), await follow(world.admin)]
    const request = await world.request(own)
    await world.request(other)
    await world.folder(own)
    await Promise.all([reaches(inside, world.position()), reaches(all, world.position())])
    assert.equal(typesOf(inside), [
      ['RequestCreated', own],
      ['FolderCreated', own]
    ])
    const keys = ['actorId', 'at', 'collectionId', 'id', 'kind', 'position', 'type']
    assert.equal([inside.told[0]?.id, Object.keys(inside.told[0] ?? {}).toSorted()], [request, keys])
    assert.is(all.told.length, 3)
    for (const one of [inside, all]) one.close()
  })

  test('who comes back with the last id misses nothing and gets nothing twice; pollers get the same', async () => {
    const collection = await world.collection()
    const from = world.position()
    const one = await follow(world.owner, from)
    await world.request(collection)
    await reaches(one, world.position())
    one.close()
    for (let i = 0; i < 3; i++) await world.request(collection)
    await one.open('/changes', world.owner)
    await reaches(one, world.position())
    assert.equal(
      positionsOf(one),
      [1, 2, 3, 4].map((i) => from + i)
    )
    one.close()
    const page = async (after: number) => succeeded(await world.by(world.owner).get(`/changes?after=${after}&limit=3`))
    const [first, second] = [await page(from), await page(from + 3)]
    assert.equal([Object(first.body).more, Object(second.body).more], [true, false])
    assert.equal(
      [...idsOf(first, 'changes'), ...idsOf(second, 'changes')],
      one.told.map(({ id }) => id)
    )
  })

  test('access that is taken away counts from its own position on, and a revoked token ends the stream', async () => {
    const collection = await world.collection()
    const guest = await world.user({ collectionAccess: [collection] })
    const one = await follow(guest)
    await world.request(collection)
    // Whether a change may be seen is decided when it is sent.
    await reaches(one, world.position())
    succeeded(await world.by(world.admin).put(`/admin/users/${guest.id}`, { collectionAccess: [] }))
    const loss = world.position()
    await world.request(collection)
    await reaches(one, loss)
    await world.hub.run({ type: 'RevokeToken', id: guest.tokenId })
    await one.ended()
    assert.equal(
      typesOf(one).map(([type]) => type),
      ['RequestCreated', 'UserUpdated']
    )
    assert.is(await one.open('/changes', guest), 401)
  })

  test('what is written at another hub on the same database is told as well', async () => {
    const collection = await world.collection()
    const beside = await startBeside(world.hub)
    try {
      const one = await follow(world.owner)
      const { token } = world.owner
      const body = { name: 'Beside', parentFolderId: null }
      succeeded(await beside.send({ method: 'POST', path: `/collections/${collection}/folders`, token, body }))
      await one.hears(1)
      assert.equal(typesOf(one), [['FolderCreated', collection]])
      one.close()
    } finally {
      await beside.close()
    }
  })

  test('a ninth stream of one token is refused, and one that is closed makes room; to ask for the head opens none', async () => {
    const guest = await world.user()
    for (let i = 0; i < 9; i++) {
      const reply = await world.hub.send({ method: 'HEAD', path: '/changes', token: guest.token })
      assert.is(reply.status, 200)
    }
    const open: Listener[] = []
    for (let i = 0; i < 8; i++) open.push(await follow(guest))
    const late = new Listener(world.hub.url)
    assert.is(await late.open('/changes', guest), 429)
    open[0]?.close()
    await until(async () => ((await late.open('/changes', guest)) === 200 ? true : null))
    for (const one of [...open, late]) one.close()
  })

  test(
    `${CLIENTS} clients dropped ${DROPS} times at random (seed ${SEED}) while ${WRITERS} writers write: no gap, no duplicate, nothing that they may not see`,
    async () => {
      const collections = await Promise.all(Array.from({ length: 5 }, () => world.collection()))
      const guests = await Promise.all(
        Array.from({ length: CLIENTS / 5 }, (_, i) =>
          world.user({ collectionAccess: collections.filter((_, c) => (i >> c) % 2 === 1) })
        )
      )
      const from = world.position()
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, async (_, i) => {
          const guest = i % guests.length
          const account = guests[guest]
          if (!account) throw new Error('There are no guests.')
          return { guest, account, one: await follow(account, from) }
        })
      )
      const picks = fc.sample(fc.nat({ max: CLIENTS - 1 }), { seed: SEED, numRuns: DROPS })
      let isOver = false
      const writers = Array.from({ length: WRITERS }, async (_, i) => {
        for (; !isOver; await sleep(WRITE_PAUSE_MS)) await world.request(collections[i % 5] ?? '')
      })
      const workers = Array.from({ length: 20 }, async (_, worker) => {
        // Each client has one worker: two at once would open two streams.
        for (const [at, pick] of picks.filter((one) => one % 20 === worker).entries()) {
          if (at % 20 === 0) process.stdout.write('.')
          const client = clients[pick]
          if (!client) continue
          client.one.close()
          assert.is(await client.one.open('/changes', client.account), 200)
        }
      })
      const end = () => {
        isOver = true
      }
      await Promise.all([Promise.all(workers).finally(end), ...writers])
      // A last word for everybody, so that each client is known to have come to the end.
      await Promise.all(collections.map((id) => world.folder(id)))
      const { storage } = world.hub.hub.ledger
      const log: StoredEvent[] = []
      const { position: head } = await storage.head()
      for await (const page of pages((after, limit) => storage.readLog(after, limit), from, head, 1000))
        log.push(...page)
      for (const { guest, account, one } of clients) {
        const allowed = collections.filter((_, c) => (guest >> c) % 2 === 1)
        const expected = log.flatMap(({ position, payload }) =>
          allowed.some((id) => payload.text?.includes(`"collectionId":"${id}"`)) ? [position] : []
        )
        if (!one.isOpen) await one.open('/changes', account)
        if (expected.length > 0) await reaches(one, expected.at(-1) ?? 0)
        assert.equal(positionsOf(one), expected)
        one.close()
      }
    },
    { timeout_ms: 90_000 }
  )

  test.run()
}
