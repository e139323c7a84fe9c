import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { type Detour, openDetour } from './detour.js'
import { type Driver, mysql, postgres } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { assertDown, untilUp } from './outage.js'
import { startHub } from './support.js'
import { listed, World } from './world.js'

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
      assert.equal(
        (await listed(world, '/collections')).map(({ id }) => id),
        [before, after]
      )
    }))

  test('cut in the middle of many writes: every answer is 200 or 503, and all that was acknowledged is there', () =>
    withDetour(driver, async (world, detour) => {
      const { post } = world.by(world.owner)
      const writes = Array.from({ length: 40 }, (_, i) => post('/collections', { name: `Collection ${i}` }))
      await writes[0]
      await detour.cut()
      const replies = await Promise.all(writes)
      for (const { status, text } of replies) assert.ok(status === 200 || status === 503, text)
      await detour.restore()
      await untilUp(world)
      const names = new Set((await listed(world, '/collections')).map(({ name }) => name))
      for (const [i, { status }] of replies.entries()) {
        if (status === 200) assert.ok(names.has(`Collection ${i}`), `Collection ${i} was acknowledged`)
      }
    }))

  test.run()
}
