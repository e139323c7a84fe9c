import * as assert from 'uvu/assert'
import { largest, stacked } from '../../../clients/console/src/model/bars.js'
import { daysOf, limitsOf, money, monthFrom, monthIn } from '../../../clients/console/src/model/usage.js'
import { suite } from '../../support/suite.js'

const test = suite('the use of models in numbers')

const NOW = Date.parse('2026-11-22T10:00:00Z')

test('the address names a month; what is none, or not there yet, is this one', () => {
  assert.is(monthIn('2025-02', NOW), '2025-02')
  for (const text of [null, '2026-13', '2026-12', 'soon']) assert.is(monthIn(text, NOW), '2026-11')
})

test('months go on over the end of a year, and have their days', () => {
  assert.is(monthFrom('2026-12', 1), '2027-01')
  assert.is(monthFrom('2026-01', -1), '2025-12')
  assert.equal(daysOf('2028-02').slice(-2), ['2028-02-28', '2028-02-29'])
})

test('who is nearest to a limit stands first, and a limit of nothing is used up', () => {
  const accounts = [
    { id: 'a', name: 'Ada', limit: 1000 },
    { id: 'b', name: 'Bo', limit: 100 },
    { id: 'c', name: 'Cy', limit: 0 },
    { id: 'd', name: 'Di', limit: 10 }
  ]
  const limits = limitsOf(
    accounts,
    new Map([
      ['a', 10],
      ['b', 80],
      ['d', 25]
    ])
  )
  assert.equal(
    limits.map(({ id, state }) => `${id} ${state}`),
    ['d over', 'c over', 'b near', 'a free']
  )
})

test('money below a dollar has parts of a cent, and what has no price says so', () => {
  assert.is(money(0.0012), '$0.0012')
  assert.is(money(0), '$0.00')
  assert.is(money(1234.5), '$1,234.50')
  assert.is(money(null), 'no price')
})

const bars = {
  labels: ['x', 'y', 'z'],
  series: [
    { label: 'sent', values: [1, 5, 2] },
    { label: 'answered', values: [1, 1, 1] }
  ]
}

test('series stand on each other, and the lowest is drawn last', () => {
  assert.equal(stacked(bars), [
    [2, 6, 3],
    [1, 5, 2]
  ])
})

test('of many bars the largest are shown, and the others together', () => {
  assert.equal(largest(bars, 1, 'others'), {
    labels: ['y', 'others'],
    series: [
      { label: 'sent', values: [5, 3] },
      { label: 'answered', values: [1, 2] }
    ]
  })
  assert.equal(largest(bars, 3, 'others').labels, ['y', 'z', 'x'])
})

test.run()
