import * as assert from 'uvu/assert'
import { GAP, type Ordered, orderAfter, orderAll, orderAt } from '../../commands/records/order.js'
import { suite } from '../support/suite.js'

const test = suite('orders')

const at = (...orders: readonly number[]): readonly Ordered[] =>
  orders.map((sortOrder, i) => ({ id: `i${i}`, sortOrder }))

test('where no integer is left between two, the siblings that must are spaced anew', () => {
  const { own, respaced } = orderAt(at(GAP, GAP + 1, 3 * GAP), 1)
  assert.is(own, 2 * GAP)
  assert.equal(respaced, [
    { id: 'i1', sortOrder: 3 * GAP },
    { id: 'i2', sortOrder: 4 * GAP }
  ])
})

test('behind the largest order that a number holds, the siblings are spaced anew', () => {
  const most = Number.MAX_SAFE_INTEGER
  assert.is(orderAfter(most - 1), most)
  const { own, respaced } = orderAt(at(1, most), 2)
  assert.is(own, 3 * GAP)
  assert.equal(respaced, [
    { id: 'i0', sortOrder: GAP },
    { id: 'i1', sortOrder: 2 * GAP }
  ])
})

test('in front of the smallest order there is there is always room', () => {
  for (const first of [1, 0, -5]) {
    const { own, respaced } = orderAt(at(first, 9), 0)
    const others = respaced.length > 0 ? respaced : at(first, 9)
    assert.ok(others.every(({ sortOrder }) => sortOrder > own))
  }
})

test('wherever an item goes, again and again, orders stay distinct and it stands where it was put', () => {
  let items = at(GAP, 2 * GAP, 3 * GAP)
  for (let step = 0; step < 400; step++) {
    const index = (step * 7) % (items.length + 2)
    const { own, respaced } = orderAt(items, index)
    const now = new Map(respaced.map(({ id, sortOrder }) => [id, sortOrder]))
    const placed = { id: `new${step}`, sortOrder: own }
    items = [...items.map(({ id, sortOrder }) => ({ id, sortOrder: now.get(id) ?? sortOrder })), placed].toSorted(
      (a, b) => a.sortOrder - b.sortOrder
    )
    assert.is(new Set(items.map(({ sortOrder }) => sortOrder)).size, items.length)
    assert.is(items.indexOf(placed), Math.min(index, items.length - 1))
    if (items.length > 12) items = items.filter((_, i) => i % 2 === 0)
  }
})

test('a new sequence takes the orders that are there, and only those that change are told', () => {
  assert.equal(orderAll(['i0', 'i2', 'i1'], at(5, 6, 90)), [
    { id: 'i2', sortOrder: 6 },
    { id: 'i1', sortOrder: 90 }
  ])
  assert.equal(orderAll(['i0', 'i1'], at(5, 6)), [])
})

test('a sequence with a newcomer, or of orders that are not distinct, is spaced anew', () => {
  assert.equal(orderAll(['new', 'i0'], at(2 * GAP)), [{ id: 'new', sortOrder: GAP }])
  assert.equal(orderAll(['i0', 'i1'], at(5, 5)), [
    { id: 'i0', sortOrder: GAP },
    { id: 'i1', sortOrder: 2 * GAP }
  ])
})

test.run()
