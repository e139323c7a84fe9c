import * as assert from 'uvu/assert'
import { type Facets, groupsOf } from '../../../clients/console/src/model/auditFacets.js'
import { suite } from '../../support/suite.js'

const test = suite('what a search of the log can be narrowed to')

const facets: Facets = {
  counted: 10,
  isWhole: true,
  kinds: [{ kind: 'request', count: 8 }],
  types: [{ type: 'RequestUpdated', count: 8 }],
  actors: [
    { id: 'u1', name: 'Mara', count: 8 },
    { id: 'u2', name: null, count: 1 },
    { id: '00000000-0000-0000-0000-000000000000', name: 'system', count: 1 }
  ],
  days: [
    { day: '2026-03-12', count: 4 },
    { day: '2026-03-13', count: 6 }
  ],
  more: { kinds: 0, types: 0, actors: 3, days: 0 }
}

test('a value has words, and choosing it sets its part of the filter', () => {
  const [kinds, types, people, days] = groupsOf(facets, {})
  assert.equal(kinds?.values[0]?.label, 'Requests')
  assert.equal(types?.values[0]?.change, { type: 'RequestUpdated' })
  assert.equal(
    people?.values.map(({ label }) => label),
    ['Mara', 'An account that is gone', 'The hub']
  )
  assert.is(people?.more, 3)
  assert.equal(
    days?.values.map(({ change }) => change),
    [
      { from: '2026-03-13', to: '2026-03-13' },
      { from: '2026-03-12', to: '2026-03-12' }
    ]
  )
})

test('a value that is chosen is taken away by choosing it again', () => {
  const [kinds, , people, days] = groupsOf(facets, { kind: 'request', from: '2026-03-13', to: '2026-03-13' })
  assert.equal([kinds?.values[0]?.isChosen, kinds?.values[0]?.change], [true, { kind: null }])
  assert.equal([days?.values[0]?.isChosen, days?.values[0]?.change], [true, { from: null, to: null }])
  assert.is(people?.values[0]?.isChosen, false)
})

test.run()
