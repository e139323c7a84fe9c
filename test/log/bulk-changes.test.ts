import * as assert from 'uvu/assert'
import { Draft } from '../../src/readmodel/draft.js'
import type { RowOp } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { items } from './domain.js'
import { memoryLog, processOn } from './log.js'

const test = suite('changes of rows that nobody names')

const put = (id: string, values: { readonly group: string; readonly owner: string | null }): RowOp => ({
  op: 'put',
  table: items,
  row: Object.assign(values, { id, version: 1, revision: 1, size: 1, body: '{}' })
})
const groupGone = (value: string): RowOp => ({ op: 'deleteWhere', table: items, column: 'group', value })
const ownerGone = (value: string): RowOp => ({ op: 'nullify', table: items, columns: ['owner'], value, revision: 2 })
const patch = (id: string, owner: string): RowOp => ({ op: 'patch', table: items, id, set: { owner, revision: 3 } })

async function laid(ops: readonly RowOp[]): Promise<Draft> {
  const draft = new Draft((await processOn(await memoryLog())).readModel)
  draft.apply(ops, new Map(), await draft.starting(ops))
  return draft
}

test('are laid over what the same command has put and changed before, and over nothing that comes later', async () => {
  const ops = [
    ...[put('a', { group: 'g', owner: 'one' }), put('b', { group: 'h', owner: 'two' }), ownerGone('one')],
    ...[patch('a', 'two'), patch('b', 'one'), put('c', { group: 'g', owner: 'two' }), ownerGone('two')],
    ...[groupGone('h'), put('d', { group: 'h', owner: 'two' }), patch('c', 'two')]
  ]
  const rows = [...(await laid(ops)).rows()].map(({ id, row }) => [id, row && 'owner' in row ? row.owner : 'gone'])
  assert.equal(Object.fromEntries(rows), { a: null, b: 'gone', c: 'two', d: 'two' })
})

test('of many that a command brings, each looks at the few rows that it may reach', async () => {
  const COUNT = 300
  let looks = 0
  const watched = (owner: string) => ({
    group: 'g',
    get owner() {
      looks++
      return owner
    }
  })
  const draft = await laid(
    Array.from({ length: COUNT }, (_, i) => [ownerGone(`o${i}`), put(`${i}`, watched(`o${i}`))]).flat()
  )
  assert.is([...draft.rows()].length, COUNT)
  assert.ok(looks <= 10 * COUNT, `${looks} looks at ${COUNT} rows`)
})

test.run()
