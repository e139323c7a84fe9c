import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { joined, rowAfter } from '../../src/storage/rowOps.js'
import type { RowOp } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { type Thing, thing, things } from './tables.js'

const test = suite('row changes')

const table = things
const who = fc.constantFrom('x', 'y', null)
const id = fc.constantFrom('a', 'b', 'c', 'd')
const row = fc.record({ id, owner: who, editor: who }).map(({ id, ...columns }): Thing => thing(id, columns))
const change = fc.oneof(
  row.map((row) => ({ op: 'put', table, row }) as const),
  fc
    .record({ id, set: fc.record({ owner: who, size: fc.nat(9) }, { requiredKeys: [] }) })
    .map((patch) => ({ op: 'patch', table, ...patch }) as const),
  id.map((id) => ({ op: 'delete', table, id }) as const)
)

test('two changes of a row that are joined leave what they leave one after the other', () => {
  fc.assert(
    fc.property(fc.option(row), change, change, (before, first, second) => {
      const [one, id] = [before && { ...before, id: 'a' }, 'a']
      const [earlier, later] = [about(first, id), about(second, id)]
      const apart = rowAfter(rowAfter(one, earlier, table, id), later, table, id)
      assert.equal(rowAfter(one, joined(earlier, later), table, id), apart)
    })
  )
})

/** The same change of another row. */
function about<T extends RowOp>(change: T, id: string): T {
  return 'row' in change ? { ...change, row: { ...change.row, id } } : { ...change, id }
}

test.run()
