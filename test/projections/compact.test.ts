import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { Compactor } from '../../projections/compact.js'
import type { RowOp } from '../../src/storage/storage.js'
import { filling } from '../contract/builds.js'
import { puts } from '../contract/commits.js'
import { named, names, thing, things } from '../contract/tables.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('the changes of many events')

function compact(ops: readonly RowOp[]): readonly RowOp[] {
  const changes = new Compactor()
  for (const op of ops) changes.add(op)
  return changes.take()
}

const patch = (table: RowOp['table'], id: string, set: Readonly<Record<string, string | number>>): RowOp => {
  return { op: 'patch', table, id, set }
}

test('what happens to one row in many events is one change, the last word for each column', () => {
  const ops = [
    ...puts(things, [thing('a')]),
    patch(things, 'a', { size: 1 }),
    patch(things, 'a', { size: 2, note: 'x' })
  ]
  assert.equal(compact(ops), puts(things, [thing('a', { size: 2, note: 'x' })]))
})

test('a row that goes is gone, whatever was to be changed about it', () => {
  const gone: RowOp = { op: 'delete', table: things, id: 'a' }
  assert.equal(compact([...puts(things, [thing('a')]), gone, patch(things, 'a', { size: 1 })]), [gone])
})

test('changes of unnamed rows come after those before them', () => {
  const removal: RowOp = { op: 'deleteWhere', table: things, column: 'parent', value: 'p1' }
  const [before, after] = [puts(things, [thing('a')]), puts(things, [thing('b')])]
  assert.equal(compact([...before, removal, ...after]), [...before, removal, ...after])
})

test('it tells how many changes it holds', () => {
  const changes = new Compactor()
  for (const op of puts(things, [thing('a'), thing('b')])) changes.add(op)
  changes.add(patch(things, 'a', { size: 1 }))
  assert.is(changes.size, 2)
  for (const op of puts(names, [named('1', 'ada')])) changes.add(op)
  changes.add({ op: 'deleteWhere', table: things, column: 'parent', value: 'p1' })
  assert.is(changes.size, 4)
  assert.is(changes.take().length, 4)
  assert.is(changes.size, 0)
})

test('rows that exchange a unique name do so in their order', () => {
  const ops = [
    ...puts(names, [named('1', 'ada'), named('2', 'bob')]),
    patch(names, '1', { name: 'free' }),
    patch(names, '2', { name: 'ada' }),
    patch(names, '1', { name: 'bob' })
  ]
  assert.equal(compact(ops), ops)
})

test('a row that was changed before others went is changed with them, and written once', () => {
  const removal: RowOp = { op: 'deleteWhere', table: things, column: 'parent', value: 'p2' }
  const ops = [...puts(things, [thing('a')]), removal, patch(things, 'a', { parent: 'p3' }), removal]
  assert.equal(compact(ops), [...puts(things, [thing('a', { parent: 'p3' })]), removal, removal])
})

test('whatever happened comes to the same as one change after the other', async () => {
  const id = fc.constantFrom('a', 'b', 'c')
  const parent = fc.constantFrom('p1', 'p2', 'p3')
  const owner = fc.constantFrom('ada', 'bob', null)
  const table = fc.constant(things)
  const row = fc.record({ id, parent, owner }).map(({ id, ...columns }) => thing(id, columns))
  const change: fc.Arbitrary<RowOp> = fc.oneof(
    fc.record({ op: fc.constant('put' as const), table, row }),
    fc.record({ op: fc.constant('patch' as const), table, id, set: fc.record({ size: fc.nat(9) }) }),
    fc.record({ op: fc.constant('patch' as const), table, id, set: fc.record({ parent }) }),
    fc.record({ op: fc.constant('patch' as const), table, id, set: fc.record({ parent, owner }) }),
    fc.record({ op: fc.constant('delete' as const), table, id }),
    fc.record({ op: fc.constant('deleteWhere' as const), table, column: fc.constant('parent'), value: parent }),
    fc.record({ op: fc.constant('deleteWhere' as const), table, column: fc.constant('owner'), value: owner }),
    fc.record({
      op: fc.constant('nullify' as const),
      table,
      columns: fc.constant(['owner']),
      value: fc.constant('ada'),
      revision: fc.nat(9)
    })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 3 }), fc.array(change, { maxLength: 14 }), async (rows, ops) => {
      const storage = openMemory()
      await storage.schema.createTables()
      const read = async (generation: number, all: readonly RowOp[]) => {
        const { apply } = await filling(storage, generation)
        await apply(puts(things, rows))
        await apply(all)
        return storage.scan(generation, things, '', 10)
      }
      assert.equal(await read(2, compact(structuredClone(ops))), await read(3, ops))
    }),
    { numRuns: 5000, seed: 1 }
  )
})

test.run()
