import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { memoryDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { wrongs } from '../race/world.js'
import { suite } from '../support/suite.js'
import { contradictions, ghosts, stale } from './invariants.js'
import { firstUsers } from './known.js'
import { deedOf, perform, programs, SEED, type Step } from './program.js'

const test = suite(`random programs (seed ${SEED})`)

/** Runs a program through two processes on one log and demands that everything is whole behind it. */
async function check(program: readonly (readonly Step[])[], open: () => Promise<TestDatabase>): Promise<void> {
  const database = await open()
  const storages = await Promise.all([database.open(tables), database.open(tables)])
  await migrate(storages[0])
  const ledgers = [await openLedger(storages[0], () => null), await openLedger(storages[1], () => null)] as const
  const known = await firstUsers(ledgers[0])
  const run = (step: Step) => perform(ledgers[step.process % 2 === 0 ? 0 : 1], deedOf(known, step))
  for (const group of program) await Promise.all(group.map(run))
  for (const ledger of ledgers) {
    assert.equal(await contradictions(ledger), [])
    assert.equal(await stale(ledger), [])
    assert.equal(await ghosts(ledger, known.ids), [])
    assert.equal(await wrongs(ledger), [])
  }
  await database.remove()
}

const kinds = [
  ['in memory', memoryDatabase, 40],
  ['on sqlite', sqliteDatabase, 8]
] as const
for (const [where, open, numRuns] of kinds) {
  test(
    `after every program ${where} the read tables equal a replay, no place is taken twice and nothing refers to what is gone`,
    () =>
      fc.assert(
        fc.asyncProperty(programs, (program) => check(program, open)),
        { seed: SEED, numRuns, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }
      ),
    { timeout_ms: 90_000 }
  )
}

test.run()
