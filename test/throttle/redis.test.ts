import { Redis } from 'ioredis'
import * as assert from 'uvu/assert'
import { connectRedisThrottle, redisKeys } from '../../src/throttle/redis.js'
import { type Throttle, throttleKey } from '../../src/throttle/throttle.js'
import { type RedisSpace, redisSpace } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { type ThrottleUnderTest, throttleContract } from './contract.js'

const POLICY = { maxFailures: 3, windowSeconds: 100, blockSeconds: 50 }
const KEY = throttleKey('203.0.113.7', 'ab'.repeat(32))

interface Opened extends ThrottleUnderTest {
  readonly space: RedisSpace
  readonly redis: Redis
  readonly fail: string
  readonly block: string
}

let opened: Opened | undefined

function current(): Opened {
  assert.ok(opened)
  return opened
}

async function open(): Promise<Opened> {
  const space = await redisSpace()
  assert.ok(space)
  const { clear, ...address } = space
  const redis = new Redis({ ...address, keyPrefix: '' })
  const throttle = await connectRedisThrottle(address)
  const [fail, block] = redisKeys(space.keyPrefix, KEY)
  return { space, redis, throttle, fail, block, advance: (seconds) => shorten(redis, space.keyPrefix, seconds * 1000) }
}

/** Time passes for a key by bringing its end nearer: real expiry without waiting for it. */
async function shorten(redis: Redis, keyPrefix: string, by_ms: number): Promise<void> {
  for (const key of await redis.keys(`${keyPrefix}*`)) {
    const left_ms = (await redis.pttl(key)) - by_ms
    if (left_ms > 0) await redis.pexpire(key, left_ms)
    else await redis.del(key)
  }
}

const needsRedis = { needs: ['redis'] } as const

for (const [name, register] of [
  ['redis throttle', (test: ReturnType<typeof suite>) => throttleContract(test, current)],
  ['redis throttle: keys', keyTests]
] as const) {
  const test = suite(name, needsRedis)
  test.before(async () => {
    opened = await open()
  })
  test.before.each(() => current().space.clear())
  test.after(async () => {
    const { redis, throttle } = current()
    await throttle.close()
    redis.disconnect()
  })
  register(test)
  test.run()
}

function keyTests(test: ReturnType<typeof suite>): void {
  const stored = async () => (await current().redis.keys(`${current().space.keyPrefix}*`)).toSorted()

  test('a failure is stored as a counter that expires with the window', async () => {
    const { throttle, redis, fail, space } = current()
    await throttle.fail([{ key: KEY, policy: POLICY }])
    assert.is(fail, `${space.keyPrefix}:throttle:fail:${KEY}`)
    assert.equal(await stored(), [fail])
    assert.is(await redis.get(fail), '1')
    within(await redis.pttl(fail), 100_000)
  })

  test('a block is stored beside the counter and expires by itself', async () => {
    const { throttle, redis, fail, block, space } = current()
    for (let count = 0; count < 3; count += 1) await throttle.fail([{ key: KEY, policy: POLICY }])
    assert.is(block, `${space.keyPrefix}:throttle:block:${KEY}`)
    assert.equal(await stored(), [block, fail])
    assert.is(await redis.get(block), '1')
    within(await redis.pttl(block), 50_000)
  })

  test('a counter that would never expire gets an expiry at the next failure', async () => {
    const { throttle, redis, fail } = current()
    await redis.set(fail, '7')
    await throttle.fail([{ key: KEY, policy: POLICY }])
    assert.is(await redis.get(fail), '8')
    within(await redis.pttl(fail), 100_000)
  })

  test('a counter that is no number shows as a failure, so that a success clears it', async () => {
    const { throttle, redis, fail } = current()
    await redis.set(fail, 'seven')
    assert.equal(await throttle.check(KEY), { blocked: false, failures: 1 })
  })

  test('two processes on one Redis share what they count', async () => {
    const { throttle, space } = current()
    const { clear, ...address } = space
    const other: Throttle = await connectRedisThrottle(address)
    try {
      await throttle.fail([{ key: KEY, policy: POLICY }])
      await other.fail([{ key: KEY, policy: POLICY }])
      assert.is((await throttle.check(KEY)).failures, 2)
    } finally {
      await other.close()
    }
  })
}

function within(left_ms: number, limit_ms: number): void {
  assert.ok(left_ms > limit_ms - 5000 && left_ms <= limit_ms, `${left_ms} ms left of ${limit_ms}`)
}
