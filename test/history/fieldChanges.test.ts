import * as assert from 'uvu/assert'
import { changesBetween, fieldsBetween } from '../../src/records/history/fieldChanges.js'
import { suite } from '../support/suite.js'

const test = suite('what differs between two records')

test('each field that differs is named by its pointer, in the order of the record before', () => {
  const was = { b: 1, a: { 'x/y': 1, 'x~y': 2 }, list: [1, 2], gone: true }
  const is = { new: null, a: { 'x/y': 2, 'x~y': 3 }, b: 1, list: [1, 3, 4] }
  assert.equal(changesBetween(was, is), {
    changes: [
      { path: '/a/x~1y', from: 1, to: 2 },
      { path: '/a/x~0y', from: 2, to: 3 },
      { path: '/list/1', from: 2, to: 3 },
      { path: '/list/2', to: 4 },
      { path: '/gone', from: true },
      { path: '/new', to: null }
    ],
    more: 0
  })
})

test('a field that is named like what every object inherits is a field like any other', () => {
  const inherited = { toString: 'x', constructor: { name: 'y' } }
  assert.equal(changesBetween({}, inherited).changes, [
    { path: '/toString', to: 'x' },
    { path: '/constructor', to: { name: 'y' } }
  ])
  assert.equal(changesBetween(inherited, {}).changes, [
    { path: '/toString', from: 'x' },
    { path: '/constructor', from: { name: 'y' } }
  ])
  assert.equal(fieldsBetween({}, inherited), ['toString', 'constructor'])
  assert.equal(fieldsBetween({ a: { valueOf: 1 } }, { a: { toString: 1 } }), ['a'])
})

test('changes above the most that are listed are counted', () => {
  const { changes, more } = changesBetween([1, 2, 3], [4, 5, 6], 1)
  assert.equal([changes, more], [[{ path: '/0', from: 1, to: 4 }], 2])
})

test.run()
