import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { type Holders, type ResolvedChange, resolve } from '../../src/storage/firestore/rowChanges.js'
import { holds } from '../../src/storage/order.js'
import { idOf } from '../../src/storage/rowOps.js'
import type { Row, RowOp } from '../../src/storage/storage.js'
import { changed, type Tables } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { thing, things } from './tables.js'

const test = suite('changes: firestore')

const id = fc.constantFrom('a', 'b', 'c', 'd')
const who = fc.constantFrom('x', 'y', null)
const row = fc
  .record({ id, owner: who, editor: who, size: fc.nat(9) })
  .map(({ id, ...columns }): Row => thing(id, columns))
const set = fc.record({ owner: who, editor: who, size: fc.nat(9) }, { requiredKeys: [] })
const table = things
const op: fc.Arbitrary<RowOp> = fc.oneof(
  row.map((row) => ({ op: 'put', table, row }) as const),
  fc.record({ id, set }).map((patch) => ({ op: 'patch', table, ...patch }) as const),
  id.map((id) => ({ op: 'delete', table, id }) as const),
  fc
    .record({ column: fc.constantFrom('owner', 'editor'), value: who })
    .map((where) => ({ op: 'deleteWhere', table, ...where }) as const),
  fc
    .record({
      columns: fc.subarray(['owner', 'editor'], { minLength: 1 }),
      value: who,
      revision: fc.integer({ min: 10, max: 99 })
    })
    .map((nulls) => ({ op: 'nullify', table, ...nulls }) as const)
)

/** The rows as the changes leave them, each of which is about one row. */
function applied(before: ReadonlyMap<string, Row>, changes: readonly ResolvedChange[]): ReadonlyMap<string, Row> {
  const rows = new Map(before)
  for (const { change } of changes) {
    const stored = before.get(idOf(change))
    if (change.op === 'put') rows.set(idOf(change), change.row)
    else if (change.op === 'delete') rows.delete(idOf(change))
    else if (stored) rows.set(idOf(change), { ...stored, ...change.set } as Row)
  }
  return rows
}

const sorted = (rows: ReadonlyMap<string, Row>) => [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))

test('one change a row leaves what the changes one after another leave', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), fc.array(op, { maxLength: 8 }), (rows, ops) => {
      const before = new Map(rows.map((one) => [one.id, one]))
      const tables: Tables = new Map([[table.name, before]])
      const holders: Holders = (_, column, value) =>
        new Set([...before.values()].filter((one) => holds(one, column, value)).map((one) => one.id))
      const changes = resolve(ops, holders)
      assert.is(new Set(changes.map(({ change }) => idOf(change))).size, changes.length)
      const expected = changed(tables, ops).get(table.name) ?? new Map()
      assert.equal(sorted(applied(before, changes)), sorted(expected))
      // What is deferred is said without a whole row.
      for (const { change, isNamed } of changes) if (!isNamed) assert.is.not(change.op, 'put')
    }),
    { numRuns: 2000 }
  )
})

test.run()
