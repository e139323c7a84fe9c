import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { collectionsTable } from '../../projections/collections.js'
import { runResultsTable } from '../../projections/runResults.js'
import { rowLeft, streamAt } from '../../src/history/left.js'
import type { Source } from '../../src/history/past.js'
import { editorAgent, type Ledger, openLedger } from '../../src/ledger.js'
import { openMemory } from '../../src/storage/memory.js'
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
  await ledger.run({ type: 'ShareRunResult', id: shared, label: 'One', payload }, editorAgent)
  made = (await ledger.run({ type: 'CreateCollection', id, name: 'Orders' }, editorAgent)).position
  await ledger.run({ type: 'DeleteRunResult', id: shared }, editorAgent)
  await ledger.run({ type: 'DeleteCollection', id }, editorAgent)
})

/** The log with every payload erased. */
const erased = (): Source => ({
  view: ledger.view,
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
  const { row } = await rowLeft(ledger, collectionsTable, { subject: id, position: made })
  assert.equal([row?.id, row?.revision, JSON.parse(row?.body ?? '{}').name], [id, made, 'Orders'])
})

test('what one stream has made is read as it was, and as it is', async () => {
  const stream = `runresult-${shared}`
  assert.is((await (await streamAt(ledger.storage, stream, made)).get(runResultsTable, shared))?.id, shared)
  const now = await streamAt(ledger.storage, stream, ledger.view.head.position)
  assert.is(await now.get(runResultsTable, shared), null)
})

test('nothing is left of what is erased, of a table without a history, or where no one thing was made', async () => {
  const repeat = { subject: id, position: made }
  assert.equal(await rowLeft(erased(), collectionsTable, repeat), { row: null })
  assert.is(await (await streamAt(erased().storage, `runresult-${shared}`, made)).get(runResultsTable, shared), null)
  assert.equal(await rowLeft(ledger, runResultsTable, { ...repeat, subject: shared }), { row: null })
  assert.equal(await rowLeft(ledger, collectionsTable, { ...repeat, subject: null }), { row: null })
})

test.run()
