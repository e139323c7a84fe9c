import * as assert from 'uvu/assert'
import { sinceDays } from '../../../clients/console/src/model/auditFilter.js'
import {
  nameIn,
  SAVED_MOST,
  SAVED_NAME_LENGTH,
  savedIn,
  textOf,
  withFilter
} from '../../../clients/console/src/model/savedFilters.js'
import { suite } from '../../support/suite.js'

const test = suite('filters of the log that are saved')
const NOW = Date.parse('2026-03-13T15:30:00.000Z')
const DAY_MS = 86_400_000

test('what is kept is read as it was saved, whatever a name has in it', () => {
  const saved = [
    { name: 'a=b&c\n%', filter: { type: 'RequestDeleted' } },
    { name: 'Ünïcode 😀', filter: { kind: 'request', actor: 'Ada & Bob', to: '2026-03-01' } }
  ] as const
  assert.equal(savedIn(textOf(saved, NOW), NOW), saved)
})

test('one of the last days goes on with the days, and one from a moment stays', () => {
  const week = { name: 'week', filter: { kind: 'request', from: sinceDays(7, NOW) } } as const
  const fixed = { name: 'fixed', filter: { from: '2026-03-01T00:00:00.000Z' } }
  const later = NOW + 3 * DAY_MS
  assert.equal(savedIn(textOf([week, fixed], NOW), later), [
    { name: 'week', filter: { kind: 'request', from: sinceDays(7, later) } },
    fixed
  ])
})

test('what is no filter is left out', () => {
  for (const text of ['', 'nonsense', 'name=all', 'name=&type=x', 'name=x&kind=nothing', 'name=x&days=8'])
    assert.equal(savedIn(text, NOW), [])
})

test('a name is there once, and of too many the oldest goes', () => {
  const many = Array.from({ length: SAVED_MOST }, (_, n) => ({ name: String(n), filter: { type: 'A' } }))
  const more = withFilter(many, { name: 'more', filter: { type: 'B' } })
  assert.equal([more.length, more[0]?.name, more.at(-1)?.name], [SAVED_MOST, '1', 'more'])
  assert.equal(withFilter(more, { name: 'more', filter: { type: 'C' } }).at(-1)?.filter, { type: 'C' })
  assert.is(nameIn(`  ${'x'.repeat(200)}`).length, SAVED_NAME_LENGTH)
})

test.run()
