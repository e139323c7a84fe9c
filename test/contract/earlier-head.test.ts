import * as assert from 'uvu/assert'
import { migrations } from '../../migrations/index.js'
import { migrate } from '../../migrations/migrate.js'
import { openReadyStorage, openStorage } from '../../src/hub.js'
import { intrude } from '../audit/intruder.js'
import { postgres, sqlite } from '../http/drivers.js'
import { configOf } from '../http/support.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'
import { change } from './commits.js'

const NO_LIMITS = { maxFailures: 10, windowSeconds: 10, blockSeconds: 10, maxFailuresPerAddress: 10 }
const { number } = migrations.find(({ name }) => name === 'head-witness') ?? { number: 0 }

for (const driver of [sqlite, postgres]) {
  const test = suite(`a head that names no witness yet on ${driver.name}`, { needs: driver.needs })

  test('it can be read, and has room for one after the migration', async () => {
    const place = await driver.open('earlier', NO_LIMITS)
    const storage = await openStorage(place.db)
    await migrate(storage)
    await change(storage)
    const head = await storage.head()
    const intruder = await intrude(place.db)
    await intruder.run('ALTER TABLE hub_head DROP COLUMN witness')
    await intruder.run(`DELETE FROM hub_migrations WHERE number >= ${number}`)
    await intruder.close()
    assert.equal(await storage.head(), head)
    await storage.close()
    const later = await openStorage(place.db)
    assert.equal(await later.head(), head)
    assert.match(String(await rejection(openReadyStorage(configOf(place)))), /Run `hub migrate` first/)
    await migrate(later)
    await change(later)
    const witness = 'one'
    const after = await later.head()
    assert.is(await later.commit({ after, events: [], ops: [], head: { ...after, witness } }), 'committed')
    assert.equal(await later.head(), { ...after, witness })
    await later.close()
    await place.remove()
  })

  test.run()
}
