import * as assert from 'uvu/assert'
import { HubError } from '../../src/errors.js'
import { Subscriptions } from '../../src/followers/feed/subscriptions.js'
import { suite } from '../support/suite.js'

const test = suite('how many may follow the log')

function refusal(enter: () => unknown): number | null {
  try {
    enter()
    return null
  } catch (error) {
    if (error instanceof HubError) return error.status
    throw error
  }
}

test('eight of one token; one that leaves makes room for one, however often it says so', () => {
  const all = new Subscriptions()
  const [first] = Array.from({ length: 8 }, () => all.enter('a'))
  assert.is(
    refusal(() => all.enter('a')),
    429
  )
  assert.is(
    refusal(() => all.enter('b')),
    null
  )
  first?.leave()
  first?.leave()
  assert.is(
    refusal(() => all.enter('a')),
    null
  )
  assert.is(
    refusal(() => all.enter('a')),
    429
  )
})

test('how many there are, and since when the oldest is open', () => {
  const all = new Subscriptions()
  assert.equal([all.count, all.oldest], [0, null])
  const before = Date.now()
  const [first, second] = [all.enter('a'), all.enter('b')]
  const { oldest } = all
  assert.ok(oldest !== null && oldest >= before)
  first.leave()
  first.leave()
  assert.is(all.count, 1)
  assert.ok(oldest !== null && (all.oldest ?? 0) >= oldest)
  second.leave()
  assert.equal([all.count, all.oldest], [0, null])
})

test('a thousand in all', () => {
  const all = new Subscriptions()
  for (let i = 0; i < 1000; i++) all.enter(`token ${i}`)
  assert.is(
    refusal(() => all.enter('one more')),
    429
  )
})

test('when all end, each is told, and nobody begins one any more', () => {
  const all = new Subscriptions()
  const open = ['a', 'a', 'b'].map((token) => all.enter(token))
  all.end()
  for (const { ended } of open) assert.ok(ended.aborted)
  assert.is(
    refusal(() => all.enter('c')),
    503
  )
})

test.run()
