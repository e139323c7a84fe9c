import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type Network, startNetwork } from '../race/network.js'
import { suite } from '../support/suite.js'
import { eachOf } from './client.js'
import { type Driver, mysql, postgres } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { assertDown, untilUp } from './outage.js'
import { startHub } from './support.js'
import { listed, World } from './world.js'

/** What nothing takes unless it waits for what never comes: on a busy machine, three seconds may be longer. */
const LIMIT_MS = 12_000
const DOWN = 'The database is not available. Try again in a moment.'

/** A hub behind a network to its database that the test may cut. */
async function withNetwork(driver: Driver, use: (world: World, network: Network) => Promise<void>): Promise<void> {
  let network: Network | undefined
  const behind: Driver = {
    ...driver,
    async open(label, limits) {
      const place = await driver.open(label, limits)
      assert.ok(place.db.driver === 'postgres' || place.db.driver === 'mysql')
      network = await startNetwork(place.db)
      return { ...place, db: { ...place.db, host: '127.0.0.1', port: network.port } }
    }
  }
  const hub = await startHub(behind)
  try {
    assert.ok(network)
    await use(await World.of(hub), network)
    assertNoCrash(hub)
  } finally {
    await hub.close()
    await network?.down()
  }
}

for (const driver of [postgres, mysql]) {
  const test = suite(`outages of the database: ${driver.name}`, { needs: driver.needs })

  test('a database that is gone: 503 that says so at once, /health is 200, and it works again', () =>
    withNetwork(driver, async (world, network) => {
      const before = await world.collection('Before')
      await network.down()
      await assertDown(world, DOWN)
      await network.up()
      await untilUp(world)
      const after = await world.collection('Later')
      assert.equal(eachOf(await listed(world, '/collections'), 'id'), [before, after])
    }))

  test('a database that hangs: 503 for whoever asks, and served again when it is back', () =>
    withNetwork(driver, async (world, network) => {
      const { send } = world.hub
      const { token } = world.owner
      const before = await world.collection('Before')
      network.freeze()
      const asked = ['GET', 'POST'].flatMap((method) =>
        Array.from({ length: 10 }, async (_, turn) => {
          await sleep(turn * 150)
          const body = method === 'POST' ? { body: { name: `Lost ${turn}` } } : {}
          const reply = await send({ method, path: '/collections', token, ...body })
          assert.equal([reply.status, reply.body], [503, { error: DOWN }])
          return reply.duration_ms
        })
      )
      assert.is((await send({ method: 'GET', path: '/health' })).status, 200)
      const slowest = Math.max(...(await Promise.all(asked)))
      assert.ok(slowest < LIMIT_MS, `it took ${slowest} ms`)
      network.thaw()
      await untilUp(world)
      const after = await world.collection('After')
      const ids = (await listed(world, '/collections')).map(({ id }) => id)
      assert.ok(ids.includes(before) && ids.includes(after))
    }))

  test.run()
}
