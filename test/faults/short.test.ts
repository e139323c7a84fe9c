import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { postgresDatabase, redisSpace } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { networkTo } from './onEngine.js'
import { runFaults } from './run.js'

const SEED = 34
const CLIENTS = 12
const GO_ON_MS = 1000
/** Most find connections that nobody waits on. */
const CUTS = 20

const test = suite('three hubs under every kind of call', { needs: ['postgres', 'redis'] })

test('lose, repeat and misread nothing where a hub is killed and all connections to the database are cut', async () => {
  const [database, space] = [await postgresDatabase('faults'), await redisSpace()]
  assert.ok(database && space)
  const { clear: _, ...redis } = space
  const { network, place } = await networkTo(database.config)
  const options = { db: () => ({ ...database.config, ...place }), redis }
  const traffic = { seed: SEED, clients: CLIENTS, rest_ms: 100 }
  const { verdict, unverified, told } = await runFaults(options, traffic, async ({ hubs, fault, goOn, recovered }) => {
    await goOn(GO_ON_MS)
    await fault('every connection is cut, again and again', async () => {
      for (let cut = 0; cut < CUTS; cut++) {
        network.reset()
        await sleep(GO_ON_MS / CUTS)
      }
    })
    await goOn(GO_ON_MS)
    await fault('kill -9', async () => hubs[0]?.kill())
    await goOn(GO_ON_MS)
    await hubs[0]?.start()
    await recovered()
  })
  assert.equal(verdict.findings, [])
  assert.equal(unverified, [])
  assert.ok(verdict.acknowledged > 50, `${verdict.acknowledged} operations were acknowledged`)
  assert.ok(told.length > 0, 'somebody was told of a fault')
})

test.run()
