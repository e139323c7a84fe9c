import * as assert from 'uvu/assert'
import { Compactor } from '../../projections/compact.js'
import type { RowOp } from '../../src/storage/storage.js'
import { puts } from '../contract/commits.js'
import { named, names, thing, things } from '../contract/tables.js'
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
  const sweep: RowOp = { op: 'deleteWhere', table: things, column: 'parent', value: 'p1' }
  const [before, after] = [puts(things, [thing('a')]), puts(things, [thing('b')])]
  assert.equal(compact([...before, sweep, ...after]), [...before, sweep, ...after])
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

test.run()
