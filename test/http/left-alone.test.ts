import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { DbConfig } from '../../src/config/types.js'
import { asked, postgresAt } from '../contract/postgresServers.js'
import { rejection } from '../log/faults.js'
import { redisSpace } from '../support/databases.js'
import { installedPostgres, type PrivatePostgres, startPrivatePostgres } from '../support/postgres-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import type { Driver } from './drivers.js'
import { startBeside, startHub } from './support.js'
import { World } from './world.js'

const test = suite('a hub that is left alone with a former primary', { needs: ['redis'] })
const withServers = await needing(test, ['postgres', await installedPostgres()])

/** A hub on this database, and a Redis of its own. */
const driverOf = (db: DbConfig): Driver => ({
  name: 'postgres that fails over',
  needs: ['redis'],
  async open(_label, limits) {
    const space = await redisSpace()
    if (!space) throw new Error('There is no Redis.')
    const { clear, host, port, db: number, keyPrefix } = space
    const redis = { driver: 'redis', host, port, db: number, keyPrefix, ...limits } as const
    return { db, redis, remove: clear }
  }
})

async function caughtUp(primary: PrivatePostgres, standby: PrivatePostgres): Promise<void> {
  const end = async ({ port }: PrivatePostgres) => (await asked(port, 'SELECT position FROM hub_head'))[0]?.position
  while ((await end(primary)) !== (await end(standby))) await sleep(20)
}

withServers('lets nobody in whose token was revoked elsewhere, acknowledges nothing, and says why', async () => {
  const primary = await startPrivatePostgres()
  const standby = await startPrivatePostgres({ follows: primary.port })
  const left = await startHub(driverOf(postgresAt([primary])))
  try {
    const world = await World.of(left)
    const call = { token: world.owner.token, method: 'GET', path: '/collections' } as const
    assert.is((await left.send(call)).status, 200)
    await caughtUp(primary, standby)
    await asked(standby.port, 'SELECT pg_promote()')

    const there = { ...left.place, db: postgresAt([standby]) }
    const other = await startBeside({ place: there })
    try {
      const revoked = await other.send({
        token: left.admin.token,
        method: 'DELETE',
        path: `/admin/tokens/${world.owner.tokenId}`
      })
      assert.is(revoked.status, 204)
      assert.is((await other.send(call)).status, 401)
      for (const one of [call, { ...call, method: 'POST', body: { name: 'lost' } } as const]) {
        const { status, body } = await left.send(one)
        assert.is(status, 503)
        assert.match((body as { error: string }).error, 'Another server has taken over from this one')
      }
      assert.match(String(await rejection(startBeside(left))), /known to go on to position|taken over from this one/)
      assert.is((await other.send({ ...call, token: left.admin.token })).status, 200)
    } finally {
      await other.close()
    }
  } finally {
    await left.close()
    await Promise.all([primary.stop(), standby.stop()])
  }
})

test.run()
