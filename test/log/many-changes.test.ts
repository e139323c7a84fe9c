import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { foldersTable } from '../../commands/records/folder/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { tables } from '../../projections/index.js'
import { verify } from '../../projections/verify.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { sqliteDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'

const COUNT = 250

const test = suite('a command that changes many rows')

test('is seen by those behind it, as a replay has it', async () => {
  const database = await sqliteDatabase()
  const storage = await database.open(tables)
  const ledger = await newLedger(storage)
  const run = (command: Parameters<typeof ledger.run>[0]) => ledger.run(command, editorOrigin)
  await run({ type: 'CreateCollection', id: 'c', name: 'C' })
  const ids = Array.from({ length: COUNT }, (_, i) => `r${i}`)
  const place = { collectionId: 'c', folderId: null }
  for (const id of ids) await run({ type: 'CreateRequest', id, ...place, content: content(id) })
  // All at once: each must be decided on what the one before it leaves.
  await Promise.all([
    run({ type: 'MoveRequest', id: 'r0', folderId: null, index: 10 }),
    run({ type: 'ReorderRequests', ...place, orderedIds: [...ids].reverse() }),
    run({ type: 'UpdateRequest', id: 'r1', ...place, content: { ...content('r1'), comment: 'changed' } }),
    run({ type: 'MoveRequest', id: 'r0', folderId: null, index: 0 }),
    run({ type: 'ReorderRequests', ...place, orderedIds: ids }),
    run({ type: 'MoveRequest', id: `r${COUNT - 1}`, folderId: null, index: 0 })
  ])
  const listed = await ledger.readModel.list(requestsTable, 'byContainer', ['c'])
  assert.equal(
    listed.map(({ id }) => id),
    [`r${COUNT - 1}`, ...ids.slice(0, -1)]
  )
  assert.match((await ledger.readModel.get(requestsTable, 'r1'))?.body ?? '', /changed/)
  const { equal } = await verify(storage, ledger.readEvents, () => createHash('sha256'))
  assert.ok(equal)
  await ledger.close()
})

test('is answered with the row as it leaves it', async () => {
  const database = await sqliteDatabase()
  const ledger = await newLedger(await database.open(tables))
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'C' }, editorOrigin)
  const place = { collectionId: 'c', parentFolderId: null }
  for (let i = 0; i < COUNT; i++)
    await ledger.run({ type: 'CreateFolder', id: `f${i}`, ...place, name: `F${i}` }, editorOrigin)
  // Each time half of the room before the first is left, until there is none and all have to be spaced anew.
  for (let i = COUNT - 12; i < COUNT; i++) {
    const move = { type: 'MoveFolder', id: `f${i}`, parentFolderId: null, index: 0 } as const
    const { row } = await ledger.run(move, editorOrigin, { table: foldersTable, id: `f${i}` })
    assert.equal(row, await ledger.readModel.get(foldersTable, `f${i}`))
    const [first] = await ledger.readModel.list(foldersTable, 'byContainer', ['c'], { limit: 1 })
    assert.is(first?.id, row?.id)
  }
  await ledger.close()
})

test.run()
