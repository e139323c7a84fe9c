import { Redis } from 'ioredis'
import type { Place } from '../race/network.js'
import { freePort } from '../support/private-server.js'
import { type PrivateRedisOptions, startPrivateRedis } from '../support/redis-service.js'
import { Missing } from './engine.js'
import { type Machine, startMachine } from './machine.js'
import { until } from './until.js'

export interface RedisServer extends Machine {
  readonly place: Place
}

/** A Redis of the experiment's own, empty at each start. */
export async function startRedis(options: PrivateRedisOptions = {}): Promise<RedisServer> {
  const place = { host: '127.0.0.1', port: options.port ?? (await freePort()) }
  const machine = await startMachine('/nowhere', async () => {
    const server = await startPrivateRedis({ ...options, port: place.port })
    if (server === null) throw new Missing('no redis-server on PATH')
    return server
  })
  return { place, ...machine }
}

/** The `redis` section of a hub whose Redis is at a place. */
export function redisSection({ host, port }: Place): Readonly<Record<string, unknown>> {
  return { driver: 'redis', host, port }
}

export interface SentinelRedis {
  readonly master: RedisServer
  /** The `redis` section of a hub that asks the sentinels. */
  readonly section: Readonly<Record<string, unknown>>
  /** Resolves once the sentinels name another master. */
  replaced(): Promise<void>
}

const MASTER = 'hub'
const SENTINELS = 3
const DOWN_AFTER_MS = 1000

/** A master with a replica, and three sentinels that watch them. */
export async function startSentinelRedis(): Promise<SentinelRedis> {
  const master = await startRedis()
  const { host, port } = master.place
  const replica = await startRedis({ args: ['--replicaof', host, String(port)] })
  await until('the replica follows', async () => (await info(replica.place)).includes('master_link_status:up'))
  const text = `
sentinel monitor ${MASTER} ${host} ${port} 2
sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}
sentinel failover-timeout ${MASTER} 10000
`
  const sentinels: RedisServer[] = []
  for (let i = 0; i < SENTINELS; i++)
    sentinels.push(await startRedis({ isSentinel: true, files: { 'sentinel.conf': text } }))
  const [first] = sentinels
  if (!first) throw new Error('There is no sentinel.')
  const named = async () => askRedis(first.place, 'SENTINEL', 'get-master-addr-by-name', MASTER)
  const known = async () => String(await askRedis(first.place, 'SENTINEL', 'master', MASTER))
  // Those who do not know each other yet could not agree.
  await until('the sentinels know each other', async () => (await known()).includes('num-other-sentinels,2'))
  await until('they know the replica', async () => (await known()).includes('num-slaves,1'))
  const nodes = sentinels.map(({ place }) => `${place.host}:${place.port}`)
  return {
    master,
    section: { driver: 'redis', sentinels: { name: MASTER, nodes } },
    replaced: () =>
      until(
        'the replica is the master',
        async () => String(await named()) === `${replica.place.host},${replica.place.port}`
      )
  }
}

/** What a Redis answers to a command. */
export async function askRedis({ host, port }: Place, command: string, ...args: readonly string[]): Promise<unknown> {
  const redis = new Redis({ host, port, lazyConnect: true, maxRetriesPerRequest: 0 })
  redis.on('error', () => undefined)
  try {
    return await redis.call(command, ...args)
  } finally {
    redis.disconnect()
  }
}

async function info(place: Place): Promise<string> {
  return String(await askRedis(place, 'INFO', 'replication'))
}
