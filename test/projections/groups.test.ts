import * as assert from 'uvu/assert'
import { project } from '../../projections/index.js'
import { suite } from '../support/suite.js'

const test = suite('the rows of members')

test('what an account was in before is found by an index, however many others are in groups', () => {
  const groups = [{ id: 'g', by: 'directory', rule: null }]
  const at = { subject: 'u', version: 2, position: 7, at: '2026-01-01T00:00:00.000Z', actorId: 'ada', tokenId: null }
  const removed = project({ ...at, type: 'MembershipsChanged', data: { groups } }).flatMap((op) =>
    op.op === 'deleteWhere'
      ? [{ by: op.column, indexes: Object.values(op.table.indexes).map(({ by: [first] }) => first) }]
      : []
  )
  assert.is(removed.length, 1)
  for (const { by, indexes } of removed) assert.ok(indexes.includes(by), `${by} is in none of ${indexes}`)
})

test.run()
