import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import {
  blockedAddresses,
  type Throttle,
  type ThrottlePolicy,
  throttleKey,
  throttleKeyOfAddress,
  throttleKeyOfInvitations,
  unblock
} from '../../src/throttle/throttle.js'
import type { Suite } from '../support/suite.js'

export interface ThrottleUnderTest {
  readonly throttle: Throttle
  /** Lets the time pass for the keys of this throttle. */
  advance(seconds: number): Promise<void>
}

const POLICY: ThrottlePolicy = { maxFailures: 3, windowSeconds: 100, blockSeconds: 50 }
const FRESH = { blocked: false, failures: 0 }

/** What every throttle does, whatever its store. `open` returns a throttle whose store knows no key yet. */
export function throttleContract(test: Suite, open: () => ThrottleUnderTest): void {
  const fail = async (key: string, times: number, policy = POLICY) => {
    for (let count = 0; count < times; count += 1) await open().throttle.fail([{ key, policy }])
  }
  const key = throttleKey('203.0.113.7', 'ab'.repeat(32))

  test('a ticket stands for its token once', async () => {
    const { tickets } = open().throttle
    assert.is(await tickets.issue('hash', 'token'), 'issued')
    assert.is(await tickets.take('other'), null)
    const taken = await Promise.all([1, 2, 3].map(() => tickets.take('hash')))
    assert.equal(taken.toSorted(), ['token', null, null].toSorted())
    assert.is(await tickets.take('hash'), null)
  })

  test('a ticket that is over stands for nothing', async () => {
    const { throttle, advance } = open()
    await throttle.tickets.issue('hash', 'token')
    await advance(30)
    assert.is(await throttle.tickets.take('hash'), null)
  })

  test('a token gets only so many tickets in their time, used or not, and others get theirs', async () => {
    const { throttle, advance } = open()
    const { tickets } = throttle
    for (let i = 0; i < LIMITS.ticketsOfToken.max; i++) {
      assert.is(await tickets.issue(`hash ${i}`, 'token'), 'issued')
      await tickets.take(`hash ${i}`)
    }
    assert.is(await tickets.issue('more', 'token'), 'tooManyOfToken')
    assert.is(await tickets.take('more'), null)
    assert.is(await tickets.issue('of another', 'other'), 'issued')
    await advance(30)
    assert.is(await tickets.issue('later', 'token'), 'issued')
  })

  test('failures are counted from the first on, and the one that reaches the limit blocks', async () => {
    const { throttle } = open()
    await throttle.clear(key)
    assert.equal(await throttle.check(key), FRESH)
    await fail(key, 2)
    assert.equal(await throttle.check(key), { blocked: false, failures: 2 })
    await fail(key, 1)
    assert.equal(await throttle.check(key), { blocked: true, failures: 3 })
    const other = throttleKey('203.0.113.9', null)
    await fail(other, 1, { ...POLICY, maxFailures: 1 })
    assert.is((await throttle.check(other)).blocked, true)
  })

  test('a block ends after its time and not before', async () => {
    const { throttle, advance } = open()
    await fail(key, 3)
    await advance(49)
    assert.is((await throttle.check(key)).blocked, true)
    await advance(1)
    assert.is((await throttle.check(key)).blocked, false)
  })

  test('after a block a further failure in the same window blocks again', async () => {
    const { throttle, advance } = open()
    await fail(key, 3)
    await advance(50)
    await fail(key, 1)
    assert.equal(await throttle.check(key), { blocked: true, failures: 4 })
  })

  test('the window begins with the first failure, and later ones do not prolong it', async () => {
    const { throttle, advance } = open()
    await fail(key, 1)
    await advance(60)
    await fail(key, 1)
    await advance(40)
    assert.equal(await throttle.check(key), FRESH)
    await fail(key, 1)
    assert.equal(await throttle.check(key), { blocked: false, failures: 1 })
  })

  test('a block outlives the window in which it began', async () => {
    const { throttle, advance } = open()
    await fail(key, 3, { ...POLICY, blockSeconds: 200 })
    await advance(150)
    assert.equal(await throttle.check(key), { blocked: true, failures: 0 })
    await advance(50)
    assert.is((await throttle.check(key)).blocked, false)
  })

  test('clearing a key forgets its failures and its block', async () => {
    const { throttle } = open()
    await fail(key, 3)
    await throttle.clear(key)
    assert.equal(await throttle.check(key), FRESH)
    await fail(key, 2)
    assert.equal(await throttle.check(key), { blocked: false, failures: 2 })
  })

  test('the keys that are blocked are told with the time that is left, and those that only failed are not', async () => {
    const { throttle, advance } = open()
    const other = throttleKey('2001:db8::7', null)
    assert.equal(await throttle.blocks(10), [])
    await fail(key, 3)
    await fail(throttleKey('203.0.113.8', null), 2)
    await advance(20)
    await fail(other, 3)
    const blocks = [...(await throttle.blocks(10))].sort((a, b) => a.seconds - b.seconds)
    assert.equal(blocks, [
      { key, seconds: 30 },
      { key: other, seconds: 50 }
    ])
    assert.is((await throttle.blocks(1)).length, 1)
    for (const one of blocks) assert.equal(await throttle.blocks(1, (key) => key === one.key), [one])
    await advance(30)
    assert.equal(await throttle.blocks(10), [{ key: other, seconds: 20 }])
    await throttle.clear(other)
    assert.equal(await throttle.blocks(10), [])
  })

  test('an address that is unblocked may try again, with whatever it tried; its network too, and nobody else', async () => {
    const { throttle } = open()
    const address = '2001:db8:1:2::7'
    const keys = [throttleKey(address, null), throttleKeyOfAddress(address), throttleKeyOfInvitations(address)]
    for (const one of [...keys, key]) await fail(one, 3)
    assert.equal(
      (await blockedAddresses(throttle)).map(({ address, failuresWith }) => [address, failuresWith]).sort(),
      [
        ['2001:db8:1:2::/64', 'anySecret'],
        ['2001:db8:1:2::/64', 'invitations'],
        ['2001:db8:1:2::7', 'oneSecret'],
        ['203.0.113.7', 'oneSecret']
      ]
    )
    assert.is(await unblock(throttle, address), 3)
    for (const one of keys) assert.equal(await throttle.check(one), FRESH)
    assert.is((await throttle.check(key)).blocked, true)
    assert.is(await unblock(throttle, address), 0)
    assert.is(await unblock(throttle, null), 1)
    assert.equal(await blockedAddresses(throttle), [])
  })

  test('keys do not touch one another: other secrets, no secret and other addresses', async () => {
    const { throttle } = open()
    const others = [
      throttleKey('203.0.113.7', 'cd'.repeat(32)),
      throttleKey('203.0.113.7', null),
      throttleKey('2001:db8::7', null)
    ]
    await fail(key, 3)
    for (const other of others) assert.equal(await throttle.check(other), FRESH)
    await fail(throttleKey('203.0.113.7', null), 1)
    await throttle.clear(throttleKey('203.0.113.7', null))
    assert.is((await throttle.check(key)).blocked, true)
  })

  test('two limits at once: each call brings its own policy', async () => {
    const { throttle } = open()
    const address = '203.0.113.7:address'
    await fail(address, 3, { ...POLICY, maxFailures: 4 })
    await fail(key, 3)
    assert.equal(await throttle.check(address), { blocked: false, failures: 3 })
    assert.equal(await throttle.check(key), { blocked: true, failures: 3 })
  })

  test('a failure under a blocked key is refused and not counted', async () => {
    const { throttle } = open()
    await fail(key, 3)
    assert.equal(await throttle.fail([{ key, policy: POLICY }]), { refused: true, blocks: [], counts: [] })
    assert.equal(await throttle.check(key), { blocked: true, failures: 3 })
  })

  test('the failure that begins a block says so, also the one after an earlier block', async () => {
    const { throttle, advance } = open()
    const counters = [{ key, policy: POLICY }]
    await fail(key, 2)
    assert.equal(await throttle.fail(counters), { refused: false, blocks: [key], counts: [3] })
    await advance(50)
    assert.equal(await throttle.fail(counters), { refused: false, blocks: [key], counts: [4] })
  })

  test('a failure counts under all of its keys, or under none where one of them is blocked', async () => {
    const { throttle } = open()
    const address = '203.0.113.7:any'
    const counters = [
      { key, policy: POLICY },
      { key: address, policy: { ...POLICY, maxFailures: 2 } }
    ]
    assert.equal(await throttle.fail(counters), { refused: false, blocks: [], counts: [1, 1] })
    assert.equal(await throttle.fail(counters), { refused: false, blocks: [address], counts: [2, 2] })
    assert.equal(await throttle.fail(counters), { refused: true, blocks: [], counts: [] })
    assert.equal(await throttle.check(key), { blocked: false, failures: 2 })
    assert.equal(await throttle.check(address), { blocked: true, failures: 2 })
  })

  test('of failures that arrive together exactly as many are counted as the limit allows, and one begins the block', async () => {
    const { throttle } = open()
    const counters = [{ key, policy: { ...POLICY, maxFailures: 10 } }]
    const all = await Promise.all(Array.from({ length: 60 }, () => throttle.fail(counters)))
    assert.is(all.filter(({ refused }) => !refused).length, 10)
    assert.equal(
      all.flatMap(({ blocks }) => blocks),
      [key]
    )
    assert.equal(await throttle.check(key), { blocked: true, failures: 10 })
  })

  test('what is kept is there until its time is over, and claimed by one alone', async () => {
    const { throttle, advance } = open()
    const { texts } = throttle
    assert.ok(await texts.set('kind:a', 'text', 10))
    assert.equal([await texts.get('kind:a'), await texts.get('kind:b')], ['text', null])
    const claims = await Promise.all([1, 2, 3].map(() => texts.claim('kind:b', 10)))
    assert.equal(claims.filter(Boolean), [true])
    assert.equal([await texts.count('kind:c', 10), await texts.count('kind:c', 10)], [1, 2])
    await advance(11)
    assert.equal(
      [await texts.get('kind:a'), await texts.claim('kind:b', 10), await texts.count('kind:c', 10)],
      [null, true, 1]
    )
    await texts.delete('kind:b')
    assert.ok(await texts.claim('kind:b', 10))
    assert.not.ok(await texts.set('kind:a', 'x'.repeat(LIMITS.keptText.max + 1), 10))
  })

  test('a ping is answered', async () => {
    await open().throttle.ping()
  })
}
