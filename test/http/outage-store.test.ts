import * as assert from 'uvu/assert'
import { findBinary } from '../support/private-server.js'
import { type PrivateRedis, startPrivateRedis } from '../support/redis-service.js'
import { servicesDemanded } from '../support/services.js'
import { suite } from '../support/suite.js'
import { type Driver, sqlite } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { assertDown, untilUp } from './outage.js'
import { startHub } from './support.js'
import { World } from './world.js'

const DOWN = 'Service Unavailable'
const test = suite('outages of the throttle store')
const hasServer = servicesDemanded || (await findBinary('redis-server')) !== null

/** A hub whose throttle store the test may kill. */
async function withRedis(use: (world: World, server: PrivateRedis) => Promise<void>): Promise<void> {
  const server = await startPrivateRedis()
  assert.ok(server, 'no redis-server on PATH')
  const { host, port } = server
  const onServer: Driver = {
    ...sqlite,
    async open(label, limits) {
      const place = await sqlite.open(label, limits)
      return { ...place, redis: { driver: 'redis', host, port, db: 0, keyPrefix: 'hub', ...limits } }
    }
  }
  try {
    const hub = await startHub(onServer)
    try {
      await use(await World.of(hub), server)
      assertNoCrash(hub)
    } finally {
      await hub.close()
    }
  } finally {
    await server.stop()
  }
}

const withServer = (name: string, use: (world: World, server: PrivateRedis) => Promise<void>) =>
  hasServer ? test(name, () => withRedis(use)) : test.skip(name, 'no redis-server on PATH')

withServer(
  'a store that is gone: protected routes are 503 at once, /health is 200, and it serves again',
  async (world, server) => {
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await assertDown(world, DOWN)
    const next = await startPrivateRedis({ port: server.port })
    try {
      await untilUp(world)
    } finally {
      await next?.stop()
    }
  }
)

withServer('a store that hangs: the same, within a second', async (world, server) => {
  process.kill(server.pid, 'SIGSTOP')
  await assertDown(world, DOWN)
  process.kill(server.pid, 'SIGCONT')
  await untilUp(world)
})

test.run()
