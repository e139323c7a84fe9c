import * as assert from 'uvu/assert'
import { type Candidate, nextTurn } from '../../src/followers/webhooks/turns.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('turns of webhooks')

const PLACES = LIMITS.webhooksAtOnce.max
/** Subscriptions of an account, named `ada-0` and so on, each of which has something to send. */
const dueOf = (account: string, count: number, isSlow = false): Candidate[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${account}-${i}`, account, isSlow, state: 'due' }))

/** Begins turns until nobody may have one, and returns in which order; each that has one goes to the end. */
function begun(all: Candidate[]): readonly Candidate[] {
  const order: Candidate[] = []
  for (let next = nextTurn(all); next; next = nextTurn(all)) {
    order.push(next)
    all.splice(all.indexOf(next), 1)
    all.push({ ...next, state: 'running' })
  }
  return order
}
const countOf = (order: readonly Candidate[], account: string) => order.filter((one) => one.account === account).length

test('an account alone has half of the places, and an account that comes then has one at once', () => {
  const all = dueOf('ada', 50)
  assert.is(begun(all).length, PLACES / 2)
  all.unshift(...dueOf('bob', 1))
  assert.equal(
    begun(all).map(({ id }) => id),
    ['bob-0']
  )
})

test('accounts that come one after another each get a place, as long as there are any', () => {
  const all: Candidate[] = []
  const shares = ['ada', 'bob', 'cy', 'di', 'ed'].map((account) => {
    all.push(...dueOf(account, 50))
    return begun(all).length
  })
  assert.equal(shares, [8, 4, 2, 1, 1])
  all.push(...dueOf('fay', 1))
  assert.equal(begun(all), [])
})

test('accounts that wait together have turns one after another, whoever has more subscriptions', () => {
  const order = begun([...dueOf('ada', 50), ...dueOf('bob', 2), ...dueOf('cy', 50)])
  assert.equal(
    order.slice(0, 7).map(({ account }) => account),
    ['ada', 'bob', 'cy', 'ada', 'bob', 'cy', 'ada']
  )
  assert.equal([countOf(order, 'ada'), countOf(order, 'bob'), countOf(order, 'cy')], [5, 2, 5])
})

test('where accounts have as many turns under way, the one whose last turn is the longest ago comes first', () => {
  const all = [...dueOf('ada', 2), ...dueOf('bob', 2)]
  const turns: string[] = []
  for (let i = 0; i < 6; i++) {
    const next = nextTurn(all)
    assert.ok(next)
    turns.push(next.id)
    all.splice(all.indexOf(next), 1)
    all.push(next)
  }
  assert.equal(turns, ['ada-0', 'bob-0', 'ada-1', 'bob-1', 'ada-0', 'bob-0'])
})

test('slow subscriptions of however many accounts hold few places, and give way to the others of their account', () => {
  const slow = Array.from({ length: 20 }, (_, i) => dueOf(`account ${i}`, 5, true)).flat()
  const all = [...slow, ...dueOf('ada', 20, true), ...dueOf('ada', 2)]
  const order = begun(all)
  assert.is(order.filter(({ isSlow }) => isSlow).length, LIMITS.slowWebhooksAtOnce.max)
  const adas = order.filter(({ account }) => account === 'ada')
  assert.equal(
    adas.map(({ isSlow }) => isSlow),
    [false, false]
  )
})

test('nobody has a turn who has nothing to send, or has one', () => {
  const [one] = dueOf('ada', 1)
  assert.ok(one)
  assert.is(nextTurn([]), null)
  assert.is(nextTurn([{ ...one, state: 'resting' }]), null)
  assert.is(nextTurn([{ ...one, state: 'running' }]), null)
})

test.run()
