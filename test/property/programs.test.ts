import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { HubError } from '../../src/errors.js'
import { type Ledger, openLedger, systemOrigin } from '../../src/ledger/ledger.js'
import { memoryDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { newUser, wrongs } from '../race/world.js'
import { suite } from '../support/suite.js'
import { contradictions, ghosts, stale } from './invariants.js'
import { Known } from './known.js'
import { deedOf, programs, type Step } from './program.js'

const SEED = Number(process.env.HUB_TEST_SEED ?? 20260301)
const test = suite(`random programs (seed ${SEED})`)

/** Runs a program through two processes on one log and demands that everything is whole behind it. */
async function run(program: readonly (readonly Step[])[], open: () => Promise<TestDatabase>): Promise<void> {
  const database = await open()
  try {
    const storages = await Promise.all([database.open(tables), database.open(tables)])
    await migrate(storages[0])
    const ledgers = await Promise.all(storages.map((storage) => openLedger(storage, () => null)))
    const known = new Known()
    for (const name of ['first', 'second']) {
      const { command, agent } = newUser(name, known.fresh('user'))
      await ledgers[0]?.run(command, systemOrigin)
      known.users.push(name)
      known.agents.push(agent)
    }
    for (const group of program) await Promise.all(group.map((step) => perform(ledgers, known, step)))
    for (const ledger of ledgers) {
      assert.equal(await contradictions(ledger), [])
      assert.equal(await stale(ledger), [])
      assert.equal(await ghosts(ledger, known.ids), [])
      assert.equal(await wrongs(ledger), [])
    }
  } finally {
    await database.remove()
  }
}

/** Runs one step; being refused is all right, and anything else is not. */
async function perform(ledgers: readonly Ledger[], known: Known, step: Step): Promise<void> {
  const { command, agent, learn } = deedOf(known, step)
  try {
    await ledgers[step.process % ledgers.length]?.run(command, agent)
    learn?.()
  } catch (error) {
    if (!(error instanceof HubError)) throw error
  }
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
        fc.asyncProperty(programs, (program) => run(program, open)),
        { seed: SEED, numRuns, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }
      ),
    { timeout_ms: 90_000 }
  )
}

test.run()
