import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { runResultsTable } from '../../commands/records/runResult/table.js'
import { migrate } from '../../migrations/migrate.js'
import { openLedger } from '../../src/app/openLedger.js'
import { editorOrigin, type Ledger } from '../../src/ledger/ledger.js'
import type { HistorySource } from '../../src/records/history/past.js'
import { priorRow, streamAt } from '../../src/records/history/priorOutcome.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('what a command left')
const [id, shared] = [randomUUID(), randomUUID()]
const payload = { harborclientExport: 'request-run-results', results: [{ status: 'passed' }] }
let ledger: Ledger
let made = 0

test.before(async () => {
  const storage = openMemory()
  await migrate(storage)
  ledger = await openLedger(storage, () => null)
  await ledger.run({ type: 'ShareRunResult', id: shared, label: 'One', payload }, editorOrigin)
  made = (await ledger.run({ type: 'CreateCollection', id, name: 'Orders' }, editorOrigin)).position
  await ledger.run({ type: 'DeleteRunResult', id: shared }, editorOrigin)
  await ledger.run({ type: 'DeleteCollection', id }, editorOrigin)
})

/** The log with every payload erased. */
const erased = (): HistorySource => ({
  readModel: ledger.readModel,
  storage: {
    ...ledger.storage,
    readAt: async (...asked) =>
      (await ledger.storage.readAt(...asked)).map((event) => ({
        ...event,
        payload: { ...event.payload, text: null }
      }))
  }
})

test('a record that is gone is read from the log as it was', async () => {
  const { row } = await priorRow(ledger, collectionsTable, { subject: id, position: made })
  assert.equal([row?.id, row?.revision, JSON.parse(row?.body ?? '{}').name], [id, made, 'Orders'])
})

test('what one stream has made is read as it was, and as it is', async () => {
  const stream = `runresult-${shared}`
  assert.is((await (await streamAt(ledger.storage, stream, made)).get(runResultsTable, shared))?.id, shared)
  const now = await streamAt(ledger.storage, stream, ledger.readModel.head.position)
  assert.is(await now.get(runResultsTable, shared), null)
})

test('nothing is left of what is erased, of a table without a history, or where no one thing was made', async () => {
  const repeat = { subject: id, position: made }
  assert.equal(await priorRow(erased(), collectionsTable, repeat), { row: null })
  assert.is(await (await streamAt(erased().storage, `runresult-${shared}`, made)).get(runResultsTable, shared), null)
  assert.equal(await priorRow(ledger, runResultsTable, { ...repeat, subject: shared }), { row: null })
  assert.equal(await priorRow(ledger, collectionsTable, { ...repeat, subject: null }), { row: null })
})

test.run()
