import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { documentsTable } from '../../commands/records/document/table.js'
import { foldersTable } from '../../commands/records/folder/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { sequenceOf } from '../../commands/records/sequences.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { ordered } from '../../src/readmodel/sequence.js'
import { memoryDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'
import { firstUsers } from './known.js'
import { placeAmong } from './places.js'
import { deedOf, perform, programs, SEED, type Step } from './program.js'

const TABLES = [foldersTable, requestsTable, documentsTable]
const test = suite(`places after random programs (seed ${SEED})`)

/** Every place that a process keeps is that of the rows, whatever it has carried out since it read them. */
async function checkPlaces({ storage, readModel }: Ledger): Promise<number> {
  const { generation } = await storage.head()
  const all = []
  for (const table of TABLES) {
    const rows = await everyRow((after, limit) => storage.scan(generation, table, after, limit))
    for (const row of rows) all.push({ table, row: ordered(row), whole: row })
  }
  const members = all.map(({ table, row }) => ({ kind: table.name, row }))
  for (const { table, row, whole } of all) {
    const place = await readModel.placeOf(sequenceOf(table), table, whole)
    assert.is(place, placeAmong(members, table.name, row), `${table.name} ${row.id}`)
  }
  return all.length
}

async function check(program: readonly (readonly Step[])[], open: () => Promise<TestDatabase>): Promise<void> {
  const database = await open()
  const storage = await database.open(tables)
  await migrate(storage)
  // Two processes on one database: each learns what the other has done.
  const ledgers = [await openLedger(storage, () => null), await openLedger(storage, () => null)] as const
  const known = await firstUsers(ledgers[0])
  for (const steps of program) {
    await Promise.all(steps.map((step) => perform(ledgers[step.process % 2 === 0 ? 0 : 1], deedOf(known, step))))
    for (const ledger of ledgers) {
      await ledger.readModel.current()
      await checkPlaces(ledger)
    }
  }
  await database.remove()
}

for (const [where, open, numRuns] of [
  ['in memory', memoryDatabase, 30],
  ['on sqlite', sqliteDatabase, 4]
] as const) {
  test(`every row has the number of those that stand before it, ${where}`, () =>
    fc.assert(
      fc.asyncProperty(programs, (program) => check(program, open)),
      { numRuns, seed: SEED }
    ))
}

test.run()
