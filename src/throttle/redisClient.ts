import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { Address, RedisServer } from '../config/types.js'
import { tlsOptions } from '../net/tlsOptions.js'

/** How long Redis may take for an answer. */
export const ANSWER_LIMIT_MS = 500
/** A process that had no time to look at its connections for so long has lost nothing yet. */
const SILENCE_LIMIT_MS = 4 * ANSWER_LIMIT_MS
const LONGEST_PAUSE_MS = 1000

const pause = (attempt: number) => Math.min(50 * 2 ** (attempt - 1), LONGEST_PAUSE_MS)

/** What all connections have in common. */
const PATIENCE = {
  // RESP2 is what every version and every stand-in for Redis speaks, and these commands need no more.
  protocol: 2,
  disableClientInfo: true,
  connectTimeout: ANSWER_LIMIT_MS,
  disconnectTimeout: ANSWER_LIMIT_MS,
  // Drops a connection that has gone silent, which also bounds the commands waiting on it. Who asks is told before: see `available`.
  socketTimeout: SILENCE_LIMIT_MS,
  // Nothing waits for better times and nothing is sent twice: a failure counted late or twice is a wrong count.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A master that has become a replica: what it is now is found out by connecting again.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  // Checks share commands by themselves (`gathered`).
  enableAutoPipelining: false
} as const satisfies RedisOptions

/** A client of what a configuration names, which connects when it is told to. */
export function redisClient(server: RedisServer): Redis | Cluster {
  const { username, password, db, tls } = server
  const options = {
    ...PATIENCE,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: tlsOptions(tls) })
  }
  if ('cluster' in server) return new Cluster([...server.cluster], clusterOptions(options, tls?.servername))
  const single = { ...options, db, lazyConnect: true, enableOfflineQueue: false, retryStrategy: pause }
  if (!('sentinels' in server)) return new Redis({ ...single, host: server.host, port: server.port })
  const { name, nodes, username: sentinelUsername, password: sentinelPassword } = server.sentinels
  return new Redis({
    ...single,
    name,
    sentinels: [...nodes],
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: ANSWER_LIMIT_MS,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(options.tls && { sentinelTLS: options.tls, enableTLSForSentinelMode: true })
  })
}

function clusterOptions(
  redisOptions: NonNullable<ClusterOptions['redisOptions']>,
  servername?: string
): ClusterOptions {
  const isNamed = redisOptions.tls !== undefined && servername === undefined
  return {
    redisOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    slotsRefreshTimeout: ANSWER_LIMIT_MS,
    clusterRetryStrategy: pause,
    // What went out on a connection that closed may have been done.
    retryDelayOnFailover: 0,
    // Certificates name hosts, and not the addresses that they have.
    ...(isNamed && { dnsLookup: (host, done) => done(null, host) })
  }
}

/** What a client is connected to, for people. */
export function placeText(server: RedisServer): string {
  if ('cluster' in server) return `The Redis cluster at ${listed(server.cluster)}`
  if ('sentinels' in server)
    return `Redis "${server.sentinels.name}" of the sentinels at ${listed(server.sentinels.nodes)}`
  return `Redis at ${listed([server])}`
}

function listed(places: readonly Address[]): string {
  return places.map(({ host, port }) => `${host}:${port}`).join(', ')
}
