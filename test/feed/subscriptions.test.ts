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

const ofToken = (id: string, userId = `account of ${id}`) => ({ id, userId })

test('eight of one token; one that leaves makes room for one, however often it says so', () => {
  const all = new Subscriptions()
  const [first] = Array.from({ length: 8 }, () => all.enter(ofToken('a')))
  assert.is(
    refusal(() => all.enter(ofToken('a'))),
    429
  )
  assert.is(
    refusal(() => all.enter(ofToken('b'))),
    null
  )
  first?.leave()
  first?.leave()
  assert.is(
    refusal(() => all.enter(ofToken('a'))),
    null
  )
  assert.is(
    refusal(() => all.enter(ofToken('a'))),
    429
  )
})

test('how many there are, and since when the oldest is open', () => {
  const all = new Subscriptions()
  assert.equal([all.count, all.oldest], [0, null])
  const before = Date.now()
  const [first, second] = [all.enter(ofToken('a')), all.enter(ofToken('b'))]
  const { oldest } = all
  assert.ok(oldest !== null && oldest >= before)
  first.leave()
  first.leave()
  assert.is(all.count, 1)
  assert.ok(oldest !== null && (all.oldest ?? 0) >= oldest)
  second.leave()
  assert.equal([all.count, all.oldest], [0, null])
})

test('256 of one account, whatever it has of tokens, and others have theirs', () => {
  const all = new Subscriptions()
  const open = Array.from({ length: 256 }, (_, i) => all.enter(ofToken(`token ${i}`, 'ada')))
  const further = ofToken('further', 'ada')
  assert.is(
    refusal(() => all.enter(further)),
    429
  )
  assert.is(all.left(further).left, 0)
  assert.is(
    refusal(() => all.enter(ofToken('another', 'bob'))),
    null
  )
  open[0]?.leave()
  open[0]?.leave()
  assert.is(all.left(further).left, 1)
})

test('a thousand in all', () => {
  const all = new Subscriptions()
  for (let i = 0; i < 1000; i++) all.enter(ofToken(`token ${i}`))
  assert.is(
    refusal(() => all.enter(ofToken('one more'))),
    429
  )
})

test('when all end, each is told, and nobody begins one any more', () => {
  const all = new Subscriptions()
  const open = ['a', 'a', 'b'].map((token) => all.enter(ofToken(token)))
  all.end()
  for (const { ended } of open) assert.ok(ended.aborted)
  assert.is(
    refusal(() => all.enter(ofToken('c'))),
    503
  )
})

test.run()
