import type { Cluster, Redis } from 'ioredis'
import { z } from 'zod'
import { LIMITS } from '../limits.js'
import type { ExpiringTexts } from './expiringTexts.js'

/** What Redis keeps: at every instance that shares it. `available` turns what goes wrong into the error of the port. */
export function redisTexts(
  redis: Redis | Cluster,
  prefix: string,
  available: <T>(work: () => Promise<T>) => Promise<T>
): ExpiringTexts {
  const keyOf = (key: string) => `${prefix}kept:${key}`
  return {
    get: (key) => available(() => redis.get(keyOf(key))),
    set: (key, text, seconds) =>
      available(async () => {
        if (text.length > LIMITS.keptText.max) return false
        await redis.set(keyOf(key), text, 'EX', seconds)
        return true
      }),
    claim: (key, seconds) => available(async () => (await redis.set(keyOf(key), '', 'EX', seconds, 'NX')) === 'OK'),
    count: (key, seconds) =>
      available(async () => {
        const name = keyOf(key)
        const [, counted] = (await redis.multi().set(name, '0', 'EX', seconds, 'NX').incr(name).exec()) ?? []
        return z.tuple([z.null(), z.number()]).parse(counted)[1]
      }),
    delete: (key) => available(async () => void (await redis.del(keyOf(key))))
  }
}
