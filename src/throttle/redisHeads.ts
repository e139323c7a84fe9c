import type { Cluster, Redis } from 'ioredis'
import { z } from 'zod'
import { type AnnouncedEnd, announcedEnd, type KnownHeads } from '../log/knownHeads.js'

/** A log that nobody has written to for so long is one that nobody has. */
const KEPT_SECONDS = 90 * 24 * 3600

// What was told is left where it goes further than what is continued, or continues another event at that place.
const ANNOUNCE = `
local known = redis.call('GET', KEYS[1])
if known then
  local end_ = cjson.decode(known)
  local after = tonumber(ARGV[2])
  local isOther = end_.position > after or (end_.position == after and end_.chain ~= ARGV[3])
  if isOther and end_.chain ~= ARGV[4] then return known end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[5])
return nil
`

const answered = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : announcedEnd.parse(JSON.parse(text))))

/**
 * How far logs have come, in Redis: known to every hub and command that shares it. `lookUp` asks for keys together with others that
 * are asked for in the same turn, as each request asks for its throttle.
 */
export function redisHeads(
  redis: Redis | Cluster,
  prefix: string,
  lookUp: (keys: readonly string[]) => Promise<readonly (string | null)[]>,
  available: <T>(work: () => Promise<T>) => Promise<T>
): KnownHeads {
  const keyOf = (log: string) => `${prefix}head:${log}`
  let last: { readonly text: string; readonly end: AnnouncedEnd } | null = null
  /** What is told is the same for most requests. */
  const endIn = (text: string): AnnouncedEnd => {
    if (last?.text !== text) last = { text, end: announcedEnd.parse(JSON.parse(text)) }
    return last.end
  }
  return {
    async furthest(log) {
      const [text] = await lookUp([keyOf(log)])
      return text == null ? null : endIn(text)
    },
    announce: (log, after, end) =>
      available(async () => {
        const told = [JSON.stringify(end), after.position, after.chain, end.chain, KEPT_SECONDS]
        return answered.parse(await redis.eval(ANNOUNCE, 1, keyOf(log), ...told))
      }),
    accept: (log, end) =>
      available(async () => {
        await redis.set(keyOf(log), JSON.stringify(end), 'EX', KEPT_SECONDS)
      })
  }
}
