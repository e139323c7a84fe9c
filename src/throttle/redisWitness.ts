import { createHash, randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { TRUST_MS, type WitnessStore } from '../log/witness.js'

// Which server says something is asked in the very script that does it, of the process that holds the key: `master_replid` is drawn
// anew whenever a server starts and whenever one becomes the master. So who is still the master under the same one has lost nothing of
// what it was told, and a key that is not there is gone for good.
const SELF = `
local info = redis.call('INFO', 'replication')
local self = string.match(info, 'role:master[^%w]') and string.match(info, 'master_replid:(%x+)') or ''
`
const BEGIN = `${SELF}
if self == '' then return '' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return self
`
const ANNOUNCE = `${SELF}
if self ~= ARGV[1] then return 'elsewhere' end
local highest = redis.call('GET', KEYS[1])
if not highest then return 'gone' end
local more = tonumber(ARGV[2]) - tonumber(highest)
if more > 0 then redis.call('INCRBY', KEYS[1], string.format('%.0f', more)) end
return 'announced'
`
const EXTEND = `${SELF}
if self ~= ARGV[1] then return 'elsewhere' end
local at = redis.call('TIME')
local left = tonumber(ARGV[2]) - (at[1] * 1000 + math.floor(at[2] / 1000))
if left > redis.call('PTTL', KEYS[1]) then redis.call('PEXPIRE', KEYS[1], string.format('%.0f', left)) end
return 'gone'
`
const END = `${SELF}
if self ~= ARGV[1] then return 'elsewhere' end
redis.call('DEL', KEYS[1])
return 'gone'
`
/** The values of keys, and behind them who says so and when. */
const READ = `${SELF}
local values = redis.call('MGET', unpack(KEYS))
local at = redis.call('TIME')
values[#KEYS + 1] = self
values[#KEYS + 2] = string.format('%.0f', at[1] * 1000 + math.floor(at[2] / 1000))
return values
`
const READ_SHA = createHash('sha1').update(READ).digest('hex')
/** So many keys a script can take at once. */
const KEYS_MAX = 1000
/** How long a server that refuses scripts is not asked again. */
const REFUSED_MS = 60_000

const reading = z.array(z.string().nullable())
const ending = z.enum(['gone', 'elsewhere'])
const announcing = z.enum(['announced', 'gone', 'elsewhere'])

/** Where a witness is, by its name: `server/database/key`. */
function placeOf(witness: string) {
  const [server = '', db = '', ...key] = witness.split('/')
  return { server, db: Number(db), key: key.join('/') }
}

/** What a server says of the key of a witness: its value, who it is, and its time; null where it does not say. */
type Answer = string | null

/**
 * Looks keys up in one trip, as MGET does. Of keys that begin with `prefix`, which are of witnesses, the answer also says who gives it;
 * where the server refuses to say that, all others are answered all the same.
 */
export function readingWitnesses(redis: Redis, prefix: string) {
  let refusedUntil = Number.NEGATIVE_INFINITY
  const script = async (keys: readonly string[]) => {
    try {
      return reading.parse(await redis.evalsha(READ_SHA, keys.length, ...keys))
    } catch (error) {
      if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error
      return reading.parse(await redis.eval(READ, keys.length, ...keys))
    }
  }
  const plainly = async (keys: readonly string[]): Promise<readonly Answer[]> => {
    const values = await redis.mget(...keys)
    return values.map((value, i) => (keys[i]?.startsWith(prefix) ? null : value))
  }
  return async (keys: readonly string[]): Promise<readonly Answer[]> => {
    if (!keys.some((key) => key.startsWith(prefix))) return redis.mget(...keys)
    if (keys.length > KEYS_MAX || performance.now() < refusedUntil) return plainly(keys)
    try {
      const values = await script(keys)
      const said = `${values[keys.length] ?? ''} ${values[keys.length + 1] ?? ''}`
      return keys.map((key, i) => (key.startsWith(prefix) ? `${values[i] ?? ''} ${said}` : (values[i] ?? null)))
    } catch (error) {
      if (!isReply(error)) throw error
      refusedUntil = performance.now() + REFUSED_MS
      return plainly(keys)
    }
  }
}

/** True for what the server has answered, as against what became of the connection. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

/**
 * Witnesses in a Redis server, in its database number `db`, under keys that begin with `prefix`. `read` looks keys of them up, in the
 * trip of whoever asks for something else at the same time; null is the answer of a server that refuses to say who it is.
 */
export function redisWitness(
  redis: Redis,
  { prefix, db }: { readonly prefix: string; readonly db: number },
  read: (key: string) => Promise<Answer>
): WitnessStore {
  /** `elsewhere` where the witness is not in the database that is asked. */
  const at = async <T>(witness: string, ask: (key: string, server: string) => Promise<T>): Promise<T | 'elsewhere'> => {
    const place = placeOf(witness)
    return place.db === db ? ask(place.key, place.server) : 'elsewhere'
  }
  return {
    async begin(position) {
      const key = `${prefix}${randomUUID()}`
      const server = z.string().parse(await redis.eval(BEGIN, 1, key, position, TRUST_MS))
      return server === '' ? null : `${server}/${db}/${key}`
    },
    announce: (witness, position) =>
      at(witness, async (key, server) => announcing.parse(await redis.eval(ANNOUNCE, 1, key, server, position))),
    ask: (witness) =>
      at(witness, async (key, server) => {
        if (!key.startsWith(prefix)) return 'elsewhere'
        const [highest = '', self, time] = (await read(key))?.split(' ') ?? []
        if (self !== server) return 'elsewhere'
        return highest === '' ? 'gone' : { highest: Number(highest), time: Number(time) }
      }),
    async extend(witness, until) {
      await at(witness, (key, server) => redis.eval(EXTEND, 1, key, server, until))
    },
    end: (witness) => at(witness, async (key, server) => ending.parse(await redis.eval(END, 1, key, server)))
  }
}
