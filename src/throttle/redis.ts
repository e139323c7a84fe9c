import type { Cluster, Redis } from 'ioredis'
import { z } from 'zod'
import type { RedisServer } from '../config/types.js'
import { gathered } from './gathered.js'
import { ANSWER_LIMIT_MS, placeText, redisClient } from './redisClient.js'
import { redisHeads } from './redisHeads.js'
import { redisTexts } from './redisTexts.js'
import { redisTickets } from './redisTickets.js'
import { type Block, type Throttle, type ThrottleState, ThrottleUnavailable } from './throttle.js'

const CONNECT_LIMIT_MS = 2000

// One script: no failure slips in between the look at a block and the count, and no crash between two commands leaves a
// counter that never expires. A counter without an expiry, left by a program that used two commands, gets one as well.
// For each key there is its counter and its block, its limit, window and duration. The answer is nil where one is blocked,
// else the failures of each key.
const FAIL = `
for i = 1, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then return nil end
end
local counts = {}
for i = 1, #KEYS / 2 do
  local counter, block = KEYS[2 * i - 1], KEYS[2 * i]
  local limit, window, duration = tonumber(ARGV[3 * i - 2]), ARGV[3 * i - 1], ARGV[3 * i]
  local failures = redis.call('INCR', counter)
  if redis.call('PTTL', counter) < 0 then redis.call('EXPIRE', counter, window) end
  counts[i] = failures
  if failures >= limit then redis.call('SET', block, '1', 'EX', duration) end
end
return counts
`
const failAnswer = z.array(z.number()).nullable()

/**
 * Connects to Redis and resolves once it serves; rejects with `ThrottleUnavailable` and a text for the operator within
 * two seconds when it does not. From then on a lost connection is made again in the background, and meanwhile every
 * method rejects: at once while there is no connection, after half a second when the server has stopped answering.
 */
export async function connectRedisThrottle(server: RedisServer): Promise<Throttle> {
  const redis = redisClient(server)
  let lastError: Error | undefined
  let ofNode: Error | undefined
  redis.on('error', (error: Error) => {
    lastError = error
  })
  redis.on('node error', (error: Error) => {
    ofNode = error
  })
  try {
    await withinLimit(redis.connect(), CONNECT_LIMIT_MS)
    // A database that does not exist is reported as an event only, and the connection would go on with database 0. A node
    // of a cluster that is not there is no reason: others are.
    if (lastError !== undefined && !('cluster' in server)) throw lastError
  } catch (error) {
    redis.disconnect()
    // A cluster only says that none of its nodes would have it.
    const cause = ofNode ?? lastError ?? error
    throw new ThrottleUnavailable(`${placeText(server)} cannot be used: ${textOf(cause)}`, { cause })
  }
  return redisThrottle(redis, 'cluster' in server ? clusterPrefix(server.keyPrefix) : server.keyPrefix)
}

/** In a cluster, the keys of one command must be in one slot: that of what stands in braces. */
export function clusterPrefix(keyPrefix: string): string {
  return `{${keyPrefix === '' ? 'hub' : keyPrefix}}`
}

/** The keys under which the failures and the block of a throttle key are stored. */
export function redisKeys(keyPrefix: string, key: string): readonly [failures: string, block: string] {
  const prefix = prefixOf(keyPrefix)
  return [`${prefix}throttle:fail:${key}`, `${prefix}throttle:block:${key}`]
}

function prefixOf(keyPrefix: string): string {
  return keyPrefix === '' || keyPrefix.endsWith(':') ? keyPrefix : `${keyPrefix}:`
}

function redisThrottle(redis: Redis | Cluster, keyPrefix: string): Throttle {
  const keysOf = (key: string) => redisKeys(keyPrefix, key)
  const lookUp = gathered((keys) => available(() => redis.mget(...keys)))
  return {
    async check(key) {
      const [failures, block] = await lookUp(keysOf(key))
      return stateOf(failures, block)
    },
    fail: (counters) =>
      available(async () => {
        const keys = counters.flatMap(({ key }) => keysOf(key))
        const limits = counters.flatMap(({ policy }) => [policy.maxFailures, policy.windowSeconds, policy.blockSeconds])
        const counts = failAnswer.parse(await redis.eval(FAIL, keys.length, ...keys, ...limits))
        if (counts === null) return { refused: true, blocks: [], counts: [] }
        const blocked = counters.filter(({ policy }, i) => (counts[i] ?? 0) >= policy.maxFailures)
        return { refused: false, blocks: blocked.map(({ key }) => key), counts }
      }),
    blocks: (max, isWanted = () => true) => blocksIn(redis, keysOf('')[1], max, isWanted),
    clear: (key) =>
      available(async () => {
        await redis.del(...keysOf(key))
      }),
    tickets: redisTickets(redis, prefixOf(keyPrefix), available),
    texts: redisTexts(redis, prefixOf(keyPrefix), available),
    heads: redisHeads(redis, prefixOf(keyPrefix), lookUp, available),
    ping: () =>
      available(async () => {
        await redis.ping()
      }),
    close: async () => redis.disconnect()
  }
}

/** So many keys are looked at by one command. */
const SCAN_COUNT = 1000

/** Goes through the keys of the store in steps, so that nobody else waits for it; those of a cluster on each of its masters. */
async function blocksIn(
  redis: Redis | Cluster,
  prefix: string,
  max: number,
  isWanted: (key: string) => boolean
): Promise<readonly Block[]> {
  const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`
  const blocks = new Map<string, number>()
  for (const node of 'nodes' in redis ? redis.nodes('master') : [redis]) {
    let cursor = '0'
    do {
      const [next, found] = await available(() => node.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT))
      const keys = found.filter((key) => isWanted(key.slice(prefix.length)))
      const left = await available(() => Promise.all(keys.map((key) => node.pttl(key))))
      for (const [i, key] of keys.entries()) {
        const seconds = Math.ceil((left[i] ?? 0) / 1000)
        if (seconds > 0 && blocks.size < max) blocks.set(key.slice(prefix.length), seconds)
      }
      cursor = next
    } while (cursor !== '0' && blocks.size < max)
  }
  return [...blocks].map(([key, seconds]) => ({ key, seconds }))
}

function stateOf(failures: string | null | undefined, block: string | null | undefined): ThrottleState {
  // A value that is no number is still something that a success has to clear.
  return { blocked: typeof block === 'string', failures: typeof failures === 'string' ? Number(failures) || 1 : 0 }
}

/** What Redis answers to one question; every failure, a late answer among them, is a `ThrottleUnavailable`. */
async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withinLimit(work(), ANSWER_LIMIT_MS)
  } catch (cause) {
    throw new ThrottleUnavailable(`The throttle store failed: ${textOf(cause)}`, { cause })
  }
}

/**
 * What Redis answers; rejects where it does not within the limit. An answer counts that has come while this process had no time to
 * look at it: the client's own limit for commands would be over before it reads.
 */
async function withinLimit<T>(answer: Promise<T>, limit_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`no answer within ${limit_ms} ms`))
    timer = setTimeout(() => setImmediate(fail), limit_ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Several addresses of one host name fail together, in an error whose own message is empty. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
