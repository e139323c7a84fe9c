import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { createMemoryThrottle } from '../../src/throttle/memory.js'
import { throttleKey } from '../../src/throttle/throttle.js'
import { suite } from '../support/suite.js'
import { type ThrottleUnderTest, throttleContract } from './contract.js'

const POLICY = { maxFailures: 3, windowSeconds: 100, blockSeconds: 50 }

function open(maxKeys?: number): ThrottleUnderTest {
  let time = 0
  const now = () => time
  return {
    throttle: createMemoryThrottle(maxKeys === undefined ? { now } : { now, maxKeys }),
    advance: async (seconds) => {
      time += seconds * 1000
    }
  }
}

const contract = suite('memory throttle')
let current = open()
contract.before.each(() => {
  current = open()
})
throttleContract(contract, () => current)
contract.run()

const bounds = suite('memory throttle: bounds')

bounds('when one key too many arrives, the one that failed longest ago is forgotten', async () => {
  const { throttle } = open(2)
  for (const key of ['a', 'b', 'a', 'c']) await throttle.fail([{ key, policy: POLICY }])
  const states = await Promise.all(['a', 'b', 'c'].map((key) => throttle.check(key)))
  assert.equal(
    states.map(({ failures }) => failures),
    [2, 0, 1]
  )
})

bounds('tickets are only so many in all, until some are over', async () => {
  const { throttle, advance } = open()
  const { tickets, ticketsOfToken } = LIMITS
  for (let i = 0; i < tickets.max; i++)
    await throttle.tickets.issue(`hash ${i}`, `token ${Math.floor(i / ticketsOfToken.max)}`)
  assert.is(await throttle.tickets.issue('more', 'another'), 'tooMany')
  await advance(30)
  assert.is(await throttle.tickets.issue('more', 'another'), 'issued')
})

bounds('expired keys go before any other', async () => {
  const { throttle, advance } = open(2)
  await throttle.fail([{ key: 'long', policy: { ...POLICY, windowSeconds: 1000 } }])
  await throttle.fail([{ key: 'short', policy: POLICY }])
  await advance(100)
  await throttle.fail([{ key: 'new', policy: POLICY }])
  assert.is((await throttle.check('long')).failures, 1)
})

bounds('a flood of keys costs bounded memory and little time', async () => {
  const { throttle } = open()
  const key = (count: number) => throttleKey('203.0.113.7', String(count))
  const started = performance.now()
  for (let count = 0; count < 200_000; count += 1) await throttle.fail([{ key: key(count), policy: POLICY }])
  assert.ok(performance.now() - started < 15_000)
  assert.is((await throttle.check(key(99_999))).failures, 0)
  assert.is((await throttle.check(key(101_000))).failures, 1)
})

bounds('the clock of the process is used when none is given', async () => {
  const throttle = createMemoryThrottle()
  await throttle.fail([{ key: 'a', policy: POLICY }])
  assert.equal(await throttle.check('a'), { blocked: false, failures: 1 })
})

bounds.run()
