import * as assert from 'uvu/assert'
import { displaced } from '../../../clients/console/src/model/drafts.js'
import { suite } from '../../support/suite.js'

const test = suite('what a tab keeps of drafts')

const most = { count: 3, length: 100 }
const kept = (key: string, at: number, length = 10) => ({ key, at, length })

test('there is room for a few', () => {
  assert.equal(displaced([], { key: 'a', length: 100 }, most), [])
  assert.equal(displaced([kept('a', 1), kept('b', 2)], { key: 'c', length: 80 }, most), [])
})

test('the oldest go where there are too many', () => {
  assert.equal(displaced([kept('b', 2), kept('a', 1), kept('c', 3)], { key: 'd', length: 10 }, most), ['a'])
})

test('the oldest go where they are too long together', () => {
  assert.equal(displaced([kept('a', 1, 30), kept('b', 2, 40)], { key: 'c', length: 40 }, most), ['a'])
  assert.equal(displaced([kept('a', 1, 10), kept('b', 2, 60)], { key: 'c', length: 50 }, most), ['b', 'a'])
})

test('a draft takes the place of the one before it', () => {
  assert.equal(displaced([kept('a', 1, 90)], { key: 'a', length: 95 }, most), [])
})

test('one that is too long is not kept, and displaces nothing', () => {
  assert.is(displaced([kept('a', 1)], { key: 'b', length: 101 }, most), null)
})

test.run()
