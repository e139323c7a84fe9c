import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { eachOf } from './client.js'
import { type Detour, openDetour } from './detour.js'
import { type Driver, mysql, postgres } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { assertDown, untilUp } from './outage.js'
import { startHub } from './support.js'
import { listed, World } from './world.js'

/** What nothing takes unless it waits for what never comes: on a busy machine, three seconds may be longer. */
const LIMIT_MS = 12_000
const DOWN = 'The database is not available. Try again in a moment.'

/** A hub behind a detour to its database that the test may cut. */
async function withDetour(driver: Driver, use: (world: World, detour: Detour) => Promise<void>): Promise<void> {
  let detour: Detour | undefined
  const behind: Driver = {
    ...driver,
    async open(label, limits) {
      const place = await driver.open(label, limits)
      assert.ok(place.db.driver === 'postgres' || place.db.driver === 'mysql')
      detour = await openDetour(place.db)
      return { ...place, db: { ...place.db, host: '127.0.0.1', port: detour.port } }
    }
  }
  const hub = await startHub(behind)
  try {
    assert.ok(detour)
    await use(await World.of(hub), detour)
    assertNoCrash(hub)
  } finally {
    await hub.close()
    await detour?.cut()
  }
}

for (const driver of [postgres, mysql]) {
  const test = suite(`outages of the database: ${driver.name}`, { needs: driver.needs })

  test('a database that is gone: 503 that says so at once, /health is 200, and it works again', () =>
    withDetour(driver, async (world, detour) => {
      const before = await world.collection('Before')
      await detour.cut()
      await assertDown(world, DOWN)
      await detour.restore()
      await untilUp(world)
      const after = await world.collection('Later')
      assert.equal(eachOf(await listed(world, '/collections'), 'id'), [before, after])
    }))

  test('a database that hangs: 503 for whoever asks, and served again when it is back', () =>
    withDetour(driver, async (world, detour) => {
      const { send } = world.hub
      const { token } = world.owner
      const before = await world.collection('Before')
      detour.freeze()
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
      detour.thaw()
      await untilUp(world)
      const after = await world.collection('After')
      const ids = (await listed(world, '/collections')).map(({ id }) => id)
      assert.ok(ids.includes(before) && ids.includes(after))
    }))

  test.run()
}
