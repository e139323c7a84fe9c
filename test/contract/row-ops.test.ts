import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { grouped, idOf, isBulk, joined, rowAfter } from '../../src/storage/rowOps.js'
import type { Row, RowOp } from '../../src/storage/storage.js'
import { changed, type Tables } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { puts } from './commits.js'
import { named, names, type Thing, thing, things } from './tables.js'

const test = suite('row changes')

const table = things
const who = fc.constantFrom('x', 'y', null)
const id = fc.constantFrom('a', 'b', 'c', 'd')
const row = fc.record({ id, owner: who, editor: who }).map(({ id, ...columns }): Thing => thing(id, columns))
const rows = fc.array(row, { maxLength: 4 })
const change = fc.oneof(
  row.map((row) => ({ op: 'put', table, row }) as const),
  fc
    .record({ id, set: fc.record({ owner: who, size: fc.nat(9) }, { requiredKeys: [] }) })
    .map((patch) => ({ op: 'patch', table, ...patch }) as const),
  id.map((id) => ({ op: 'delete', table, id }) as const)
)
const op: fc.Arbitrary<RowOp> = fc.oneof(
  change,
  who.map((value) => ({ op: 'deleteWhere', table, column: 'owner', value }) as const),
  who.map((value) => ({ op: 'nullify', table, columns: ['owner', 'editor'], value, revision: 7 }) as const)
)

const tablesOf = (rows: readonly Row[]): Tables => new Map([[table.name, new Map(rows.map((one) => [one.id, one]))]])
const contentOf = (tables: Tables) => [...(tables.get(table.name) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))

test('changes in groups leave what they leave one after another', () => {
  fc.assert(
    fc.property(rows, fc.array(op, { maxLength: 10 }), (rows, ops) => {
      // From the last to the first: within a group the order does not matter.
      const regrouped = [...grouped(ops)].flatMap((group): readonly RowOp[] => {
        return 'op' in group ? [group] : group.toReversed()
      })
      assert.is(regrouped.length, ops.length)
      assert.equal(contentOf(changed(tablesOf(rows), regrouped)), contentOf(changed(tablesOf(rows), ops)))
    }),
    { numRuns: 2000 }
  )
})

test('a group is of one kind and about the same columns, and a bulk change stands alone', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 10 }), (ops) => {
      for (const group of grouped(ops)) {
        if ('op' in group) assert.ok(isBulk(group))
        else {
          assert.is(new Set(group.map(idOf)).size, group.length)
          const forms = group.map((one) => `${one.op} ${one.op === 'patch' ? Object.keys(one.set) : ''}`)
          assert.is(new Set(forms).size, 1)
        }
      }
    })
  )
})

test('rows that may exchange a key are changed one by one, in their order', () => {
  const ops = puts(names, [named('1', 'ada'), named('2', 'bob')])
  assert.equal(
    [...grouped(ops)],
    ops.map((one) => [one])
  )
})

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
