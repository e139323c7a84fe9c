import { createHash } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Account } from '../../commands/people/user/events.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openStorage } from '../../src/app/databases.js'
import { openLedger } from '../../src/app/openLedger.js'
import { HubError } from '../../src/errors.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import { sha256 } from '../../src/log/chain.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { type Driver, drivers, sqlite } from '../http/drivers.js'
import { configOf } from '../http/support.js'
import { isFull } from '../support/full.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'
import { Known } from './known.js'
import { deedOf, SEED, type Step, steps } from './program.js'
import { type Read, readAll, timeless } from './reads.js'

/** With the smaller number each command gets every answer that it gets with the larger one, but for a few refusals of deciders. */
const COMMANDS = Number(process.env.HUB_TEST_COMMANDS ?? (isFull ? 5000 : 1000))
const TOGETHER = 50
const LIMITS = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }

/** What became of a program: the answer to each command, a digest of each read table, and what is read over HTTP. */
interface Trace {
  readonly answers: readonly string[]
  readonly digests: Readonly<Record<string, string>>
  readonly reads: readonly Read[]
}

const program =
  fc.sample(fc.array(steps, { minLength: COMMANDS, maxLength: COMMANDS }), { seed: SEED, numRuns: 1 })[0] ?? []

async function trace(driver: Driver): Promise<Trace> {
  const place = await driver.open('program', LIMITS)
  const known = new Known()
  const storage = await openStorage(configOf(place).db)
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  const add = async (account: Account): Promise<CommandOrigin> => {
    const [id, tokenId] = [known.fresh('user'), `token-of-${account.name}`]
    const token = { tokenId, prefix: 'hbk_test', hash: sha256(tokenId) }
    await ledger.run({ type: 'CreateUser', id, account, token }, systemOrigin)
    return { tokenId, address: '127.0.0.1', requestId: null }
  }
  for (const name of ['first', 'second']) {
    known.agents.push(await add(anAccount(name)))
    known.users.push(name)
  }
  const answers: string[] = []
  for (let from = 0; from < program.length; from += TOGETHER) {
    process.stdout.write('.')
    answers.push(
      ...(await Promise.all(program.slice(from, from + TOGETHER).map((step) => answer(ledger, known, step))))
    )
  }
  const found = await digests(ledger)
  const { generation } = await storage.head()
  const collectionAccess = (await storage.scan(generation, collectionsTable, '', 2)).map(({ id }) => id)
  await add(anAdmin('manager'))
  await add(anAccount('reader'))
  await add(anAccount('narrow', { collectionAccess }))
  await ledger.close()
  const tokens = ['manager', 'reader', 'narrow'].map((name) => `token-of-${name}`)
  return { answers, digests: found, reads: await readAll(driver, place, known, tokens) }
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
    for (const row of await everyRow((after, limit) => storage.scan(generation, table, after, limit))) {
      digest.update(timeless(canonicalJson(row)))
    }
    found[table.name] = digest.digest('hex')
  }
  return found
}

let onSqlite: Promise<Trace> | undefined

for (const driver of drivers.filter((one) => one !== sqlite)) {
  const test = suite(`one program on every driver: ${driver.name}`, { needs: driver.needs })
  test(
    `${COMMANDS} random commands (seed ${SEED}) get the same answers, leave the same read tables and read the same over HTTP on sqlite and ${driver.name}`,
    async () => {
      onSqlite ??= trace(sqlite)
      const [expected, found] = [await onSqlite, await trace(driver)]
      assert.equal(found.answers, expected.answers)
      assert.equal(found.digests, expected.digests)
      for (const [i, read] of expected.reads.entries()) assert.equal(found.reads[i], read)
      assert.is(found.reads.length, expected.reads.length)
      assert.ok(expected.reads.filter(({ status }) => status === 200).length > COMMANDS / 10, 'most reads were refused')
      assert.ok(expected.answers.filter((one) => one === 'done').length > COMMANDS / 4, 'most commands were refused')
    },
    { timeout_ms: 300_000 }
  )
  test.run()
}
