import * as assert from 'uvu/assert'
import { foldersTable } from '../../commands/records/folder/table.js'
import { folderSequence } from '../../commands/records/sequences.js'
import { Draft } from '../../src/readmodel/draft.js'
import { placeDependencies, ReadModel } from '../../src/readmodel/readModel.js'
import type { RowOp } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { memoryLog } from './log.js'

const test = suite('the rows as a batch has left them')
const made = { createdAt: '', updatedAt: '', createdBy: null, updatedBy: null }
const put = (id: string, sortOrder: number): RowOp => ({
  op: 'put',
  table: foldersTable,
  row: { id, version: 1, revision: 1, body: '{}', collectionId: 'c', container: 'c', sortOrder, sortKey: id, ...made }
})
const moved = (id: string, sortOrder: number): RowOp => ({ op: 'patch', table: foldersTable, id, set: { sortOrder } })

let readModel: ReadModel
let draft: Draft
const change = async (...ops: readonly RowOp[]) => draft.apply(ops, new Map(), await draft.starting(ops))

test.before.each(async () => {
  readModel = await ReadModel.open(await memoryLog(), () => null)
  draft = new Draft(readModel)
  await change(put('a', 1), put('b', 2))
})

test('a row that is asked for twice comes once', async () => {
  const rows = await draft.getAll(foldersTable, ['a', 'a', 'b', 'none'])
  assert.equal(rows.map(({ id }) => id).toSorted(), ['a', 'b'])
})

test('the orders in a container are known however often a row has moved', async () => {
  await change(moved('a', 3))
  await change(moved('a', 4))
  assert.equal(await draft.ordersIn(folderSequence, 'c', 'c'), [2, 4])
  await change(moved('a', 1))
  assert.equal(await draft.ordersIn(folderSequence, 'c', 'c'), [1, 2])
})

test('what shows the places of a container is made anew when a row has another name, where its place is not known', async () => {
  const { head } = readModel
  readModel.settle(head, head, draft)
  let made = 0
  const shown = () =>
    readModel.cached(
      'shown',
      placeDependencies(folderSequence, 'c'),
      () => 1,
      async () => ++made
    )
  await shown()
  draft = new Draft(readModel)
  await change({ op: 'patch', table: foldersTable, id: 'a', set: { sortKey: 'z' } })
  readModel.settle(head, head, draft)
  assert.is(await shown(), 2)
})

test.run()
