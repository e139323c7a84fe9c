import * as assert from 'uvu/assert'
import { type ReadMarks, readAt, readThrough, withAllRead, withRead } from '../../src/followers/notices/marks.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'

const test = suite('what was read of the notices of an older hub')

const THERE = '2026-01-01T00:00:00.000Z'
const THEN = '2026-01-02T00:00:00.000Z'
const NOW = '2026-01-03T00:00:00.000Z'
/** Up to position 100 everything came from there: 20 was read at a time that is known, 10 and 30 were not. */
const marks: ReadMarks = { through: 100, at: THEN, single: [[20, THERE]], unread: [10, 30], earlier: [] }

test('what was not read there is not, and everything else counts as read', () => {
  const asked = [10, 20, 30, 40, 101].map((position) => readAt(marks, position))
  assert.equal(asked, [null, THERE, null, THEN, null])
  assert.is(readThrough(marks), 9)
})

test('reading one of them leaves the other', () => {
  const after = withRead(marks, 10, NOW)
  assert.equal([readAt(after, 10), readAt(after, 30), readAt(after, 40)], [NOW, null, THEN])
  assert.is(withRead(after, 10, NOW), after, 'reading it again changes nothing')
})

test('reading all reads them too', () => {
  const after = withAllRead(marks, 100, NOW)
  assert.equal([readAt(after, 10), readAt(after, 30), readThrough(after)], [NOW, NOW, 100])
  assert.is(withAllRead(after, 100, NOW), after)
})

test('reading all leaves the times of those that were read before, one by one or all at once', () => {
  const LATER = '2026-01-04T00:00:00.000Z'
  const after = withAllRead(withRead(withAllRead(marks, 200, NOW), 250, NOW), 300, LATER)
  const asked = [10, 20, 40, 150, 240, 250, 260, 301].map((position) => readAt(after, position))
  assert.equal(asked, [NOW, THERE, THEN, NOW, LATER, NOW, LATER, null])
  let often = after
  for (let i = 1; i <= 2000; i++) often = withAllRead(withRead(often, 300 + 2 * i, LATER), 301 + 2 * i, NOW)
  assert.ok(JSON.stringify(often).length < LIMITS.stateText.max)
  assert.is(readThrough(often), 4301)
})

test('what was read before the days that notices tell of is kept no longer than that', () => {
  const before = withAllRead(withRead(marks, 150, NOW), 200, NOW)
  const after = withAllRead(before, 300, '2026-02-03T00:00:00.000Z')
  assert.equal([after.single, after.earlier], [[], []])
  assert.is(readThrough(after), 300)
})

test('where too many are read one by one, nothing that was read is unread again', () => {
  let after = marks
  for (let i = 1; i <= LIMITS.noticesRead.max + 1; i++) after = withRead(after, 100 + i, NOW)
  assert.equal([readAt(after, 40), readAt(after, 101), readAt(after, 30)], [THEN, NOW, null])
  assert.is(after.single.length, LIMITS.noticesRead.max)
})

test.run()
