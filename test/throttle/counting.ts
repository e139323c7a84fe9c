import * as assert from 'uvu/assert'
import type { RedisServer } from '../../src/config/types.js'
import { connectRedisThrottle } from '../../src/throttle/redis.js'

const POLICY = { maxFailures: 2, windowSeconds: 100, blockSeconds: 100 }

/** Everything that a throttle does, done once on a store that has nothing under this prefix. */
export async function counts(server: RedisServer): Promise<void> {
  const throttle = await connectRedisThrottle(server)
  try {
    const counters = ['10.0.0.1:hash', '10.0.0.1:any'].map((key) => ({ key, policy: POLICY }))
    const keys = counters.map(({ key }) => key)
    assert.equal(await throttle.fail(counters), { refused: false, blocks: [], counts: [1, 1] })
    const once = { blocked: false, failures: 1 }
    assert.equal(await Promise.all([...keys, 'other'].map(throttle.check)), [once, once, { ...once, failures: 0 }])
    assert.equal(await throttle.fail(counters), { refused: false, blocks: keys, counts: [2, 2] })
    assert.equal(await throttle.fail(counters), { refused: true, blocks: [], counts: [] })
    assert.equal((await throttle.blocks(10)).map(({ key }) => key).toSorted(), keys.toSorted())
    await Promise.all(keys.map(throttle.clear))
    assert.equal(await throttle.check('10.0.0.1:any'), { blocked: false, failures: 0 })
    await throttle.ping()
  } finally {
    await throttle.close()
  }
}
