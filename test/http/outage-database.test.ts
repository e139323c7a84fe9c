import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { eachOf } from './client.js'
import { mysql, postgres } from './drivers.js'
import { assertDown, untilUp, withNetwork } from './outage.js'
import { listed, World } from './world.js'

/** What nothing takes unless it waits for what never comes: on a busy machine, three seconds may be longer. */
const LIMIT_MS = 12_000
const DOWN = 'The database is not available. Try again in a moment.'

// What each driver takes for an outage is in test/race/.
for (const driver of isFull ? [postgres, mysql] : [postgres]) {
  const test = suite(`outages of the database: ${driver.name}`, { needs: driver.needs })

  test('a database that is gone: 503 that says so at once, /health is 200, and it works again', () =>
    withNetwork(driver, async (hub, network) => {
      const world = await World.of(hub)
      const before = await world.collection('Before')
      await network.down()
      await assertDown(world, DOWN)
      await network.up()
      await untilUp(world)
      const after = await world.collection('Later')
      assert.equal(eachOf(await listed(world, '/collections'), 'id'), [before, after])
    }))

  test('a database that hangs: 503 for whoever asks, and served again when it is back', () =>
    withNetwork(driver, async (hub, network) => {
      const world = await World.of(hub)
      const { send } = hub
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
