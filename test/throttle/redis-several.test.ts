import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import * as assert from 'uvu/assert'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import { ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { rejection } from '../log/faults.js'
import { freePort } from '../support/private-server.js'
import { type PrivateRedis, type PrivateRedisOptions, startPrivateRedis } from '../support/redis-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { counts } from './counting.js'

const SLOTS = 16_384
const NODES = 3

const test = suite('redis throttle: sentinels and clusters')
const withServers = await needing(test, ['redis-server'])
const servers: PrivateRedis[] = []

test.after.each(async () => {
  await Promise.all(servers.splice(0).map(({ stop }) => stop()))
})

async function started(options: PrivateRedisOptions): Promise<PrivateRedis> {
  const server = await startPrivateRedis(options)
  assert.ok(server, 'no redis-server on PATH')
  servers.push(server)
  return server
}

/** A cluster of masters alone. */
async function startCluster(): Promise<readonly PrivateRedis[]> {
  const nodes = await Promise.all(
    Array.from({ length: NODES }, async () => {
      const bus = String(await freePort())
      return { bus, ...(await started({ args: ['--cluster-enabled', 'yes', '--cluster-port', bus] })) }
    })
  )
  const clients = nodes.map(({ port }) => new Redis({ port, lazyConnect: true }))
  const [first] = nodes
  if (first === undefined) throw new Error('A cluster has nodes.')
  try {
    await Promise.all(
      clients.map(async (client, i) => {
        const from = Math.floor((i * SLOTS) / NODES)
        const to = Math.floor(((i + 1) * SLOTS) / NODES) - 1
        await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to)
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)
        if (i > 0) await client.call('CLUSTER', 'MEET', first.host, first.port, first.bus)
      })
    )
    for (const client of clients) {
      while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(20)
    }
  } finally {
    for (const client of clients) client.disconnect()
  }
  return nodes
}

withServers('in a cluster every command keeps to one slot, by way of any node', async () => {
  const nodes = await startCluster()
  // Keys of different prefixes are on different nodes.
  for (const keyPrefix of ['', 'a', 'b', 'c', 'd']) await counts({ cluster: nodes, db: 0, keyPrefix })
  const [, second] = nodes
  if (second === undefined) throw new Error('A cluster has nodes.')
  const gone = { host: '127.0.0.1', port: await freePort() }
  await counts({ cluster: [gone, second], db: 0, keyPrefix: 'e' })
})

withServers('without any node there is no throttle, and it is said which were asked', async () => {
  const cluster = [await freePort(), await freePort()].map((port) => ({ host: '127.0.0.1', port }))
  const error = await rejection(connectRedisThrottle({ cluster, db: 0, keyPrefix: '' }))
  assert.instance(error, ThrottleUnavailable)
  const places = cluster.map(({ port }) => `127.0.0.1:${port}`).join(', ')
  assert.match(String(error), `The Redis cluster at ${places} cannot be used: `)
})

withServers('the master is found by way of the sentinels that answer', async () => {
  const master = await started({ password: 'of-the-master' })
  const sentinel = await started({
    isSentinel: true,
    files: {
      'sentinel.conf': `sentinel monitor hub 127.0.0.1 ${master.port} 1\nsentinel auth-pass hub of-the-master\nrequirepass of-the-sentinels\n`
    }
  })
  const gone = { host: '127.0.0.1', port: await freePort() }
  const sentinels = { name: 'hub', nodes: [gone, sentinel], password: 'of-the-sentinels' }
  await counts({ sentinels, db: 2, keyPrefix: 'hub', password: 'of-the-master' })
  const other = { ...sentinels, name: 'other' }
  const error = await rejection(connectRedisThrottle({ sentinels: other, db: 0, keyPrefix: '', password: 'x' }))
  assert.instance(error, ThrottleUnavailable)
  assert.match(
    String(error),
    /^ThrottleUnavailable: Redis "other" of the sentinels at 127\.0\.0\.1:\d+, .* cannot be used: /
  )
})

test.run()
