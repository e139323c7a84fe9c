import type { Cluster, Redis } from 'ioredis'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { TICKET_SECONDS, type Tickets } from './tickets.js'

// One script each: a ticket is never kept without being counted, and of two that come with it one alone gets it.
const ISSUE = `
local count = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
if count > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[1])
return 1
`
const TAKE = `
local token = redis.call('GET', KEYS[1])
if token then redis.call('DEL', KEYS[1]) end
return token
`
const taken = z.string().nullable()

/**
 * Tickets in Redis: good at every instance that shares it. What bounds them in all is that each token is bounded. `available`
 * turns what goes wrong into the error of the port.
 */
export function redisTickets(
  redis: Redis | Cluster,
  prefix: string,
  available: <T>(work: () => Promise<T>) => Promise<T>
): Tickets {
  const keyOf = (hash: string) => `${prefix}ticket:${hash}`
  return {
    issue: (hash, tokenId) =>
      available(async () => {
        const keys = [`${prefix}tickets:${tokenId}`, keyOf(hash)]
        const isKept = await redis.eval(ISSUE, 2, ...keys, TICKET_SECONDS, LIMITS.ticketsOfToken.max, tokenId)
        return isKept === 1 ? 'issued' : 'tooManyOfToken'
      }),
    take: (hash) => available(async () => taken.parse(await redis.eval(TAKE, 1, keyOf(hash))))
  }
}
