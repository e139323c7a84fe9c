import { createHash } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { HubError } from '../../src/errors.js'
import { type Ledger, openLedger, systemAgent } from '../../src/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import {
  firestoreTestDatabase,
  mysqlTestDatabase,
  postgresTestDatabase,
  sqliteDatabase,
  type TestDatabase
} from '../contract/databases.js'
import { newUser } from '../race/world.js'
import type { ServiceName } from '../support/services.js'
import { suite } from '../support/suite.js'
import { Known } from './known.js'
import { deedOf, type Step, steps } from './program.js'

const SEED = Number(process.env.HUB_TEST_SEED ?? 20260301)
const COMMANDS = Number(process.env.HUB_TEST_COMMANDS ?? 5000)
const TOGETHER = 50
const EVERYTHING = 100_000
/** The clock differs from run to run, and nothing else does. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

const others: readonly (readonly [ServiceName, () => Promise<TestDatabase>])[] = [
  ['postgres', postgresTestDatabase],
  ['mysql', mysqlTestDatabase],
  ['firestore', firestoreTestDatabase]
]

/** What became of a program: the answer to each command, and a digest of each read table without its times. */
interface Trace {
  readonly answers: readonly string[]
  readonly digests: Readonly<Record<string, string>>
}

const program =
  fc.sample(fc.array(steps, { minLength: COMMANDS, maxLength: COMMANDS }), { seed: SEED, numRuns: 1 })[0] ?? []

async function trace(open: () => Promise<TestDatabase>): Promise<Trace> {
  const database = await open()
  try {
    const storage = await database.open(tables)
    await migrate(storage)
    const ledger = await openLedger(storage, () => null)
    const known = new Known()
    for (const name of ['first', 'second']) {
      const { command, agent } = newUser(name, known.fresh('user'), `token of ${name}`)
      await ledger.run(command, systemAgent)
      known.users.push(name)
      known.agents.push(agent)
    }
    const answers: string[] = []
    for (let from = 0; from < program.length; from += TOGETHER) {
      answers.push(
        ...(await Promise.all(program.slice(from, from + TOGETHER).map((step) => answer(ledger, known, step))))
      )
    }
    return { answers, digests: await digests(ledger) }
  } finally {
    await database.remove()
  }
}

/** Performs a step; the answer is `done` or the text of the refusal. */
async function answer(ledger: Ledger, known: Known, step: Step): Promise<string> {
  const { command, agent, learn } = deedOf(known, step)
  // What a step asks for must not hang on how soon another one is acknowledged, so it is learnt at once.
  learn?.()
  try {
    await ledger.run(command, agent)
    return 'done'
  } catch (error) {
    if (error instanceof HubError) return error.message
    throw error
  }
}

async function digests({ storage }: Ledger): Promise<Readonly<Record<string, string>>> {
  const { generation } = await storage.head()
  const found: Record<string, string> = {}
  for (const table of tables) {
    const digest = createHash('sha256')
    for (const row of await storage.scan(generation, table, '', EVERYTHING)) {
      digest.update(canonicalJson(row).replace(TIMES, 'time'))
    }
    found[table.name] = digest.digest('hex')
  }
  return found
}

let onSqlite: Promise<Trace> | undefined

for (const [name, open] of others) {
  const test = suite(`one program on every driver: ${name}`, { needs: [name] })
  test(
    `${COMMANDS} random commands (seed ${SEED}) get the same answers and leave the same read tables on sqlite and ${name}`,
    async () => {
      onSqlite ??= trace(sqliteDatabase)
      const [expected, found] = [await onSqlite, await trace(open)]
      assert.equal(found.answers, expected.answers)
      assert.equal(found.digests, expected.digests)
      assert.ok(expected.answers.filter((one) => one === 'done').length > COMMANDS / 4, 'most commands were refused')
    },
    { timeout_ms: 300_000 }
  )
  test.run()
}
