import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { KINDS, kinds } from '../../commands/records/kinds.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import { carryOutUndo, planUndo } from '../../src/records/history/undo.js'
import { memoryDatabase } from '../contract/databases.js'
import { newUser } from '../race/world.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'
import { contradictions } from './invariants.js'
import { firstUsers, type Known } from './known.js'
import { deedOf, perform, programs, SEED, type Step } from './program.js'

const test = suite(`taking back what one token did (seed ${SEED})`)

/** What records say and where they stand; not who changed them last, nor when. */
async function worldOf({ storage }: Ledger): Promise<readonly string[]> {
  const { generation } = await storage.head()
  const found: string[] = []
  for (const kind of KINDS) {
    for (const row of await everyRow((after, limit) => storage.scan(generation, kinds[kind].table, after, limit))) {
      found.push(`${kind} ${canonicalJson({ ...row, version: 0, revision: 0, updatedAt: '', updatedBy: '' })}`)
    }
  }
  return found.sort()
}

/** Does the steps; where an agent is given, those that users may do, and all of them as that one. */
async function performAll(ledger: Ledger, known: Known, steps: readonly Step[], agent?: CommandOrigin): Promise<void> {
  for (const step of steps) {
    const deed = deedOf(known, step)
    if (!agent || deed.is !== 'admin') await perform(ledger, { ...deed, agent: agent ?? deed.agent })
  }
}

async function begun(): Promise<{ ledger: Ledger; known: Known; vandal: CommandOrigin; vandalId: string }> {
  const storage = await (await memoryDatabase()).open(tables)
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  const known = await firstUsers(ledger)
  const { command, agent } = newUser('vandal', 'vandal', 'the token')
  await ledger.run(command, systemOrigin)
  return { ledger, known, vandal: agent, vandalId: 'the token' }
}

test(
  'where nobody built on it, everything reads and stands as before',
  () =>
    fc.assert(
      fc.asyncProperty(programs, programs, async (before, then) => {
        const { ledger, known, vandal, vandalId } = await begun()
        await performAll(ledger, known, before.flat())
        const expected = await worldOf(ledger)
        await performAll(ledger, known, then.flat(), vandal)
        const plan = await planUndo(ledger, { filter: { tokenId: vandalId } })
        assert.equal(plan.kept, [])
        const done = await worldOf(ledger)
        assert.equal(await carryOutUndo(ledger, plan, 1, 'first'), [])
        assert.equal(await worldOf(ledger), expected)
        const back = await planUndo(ledger, { filter: { requestId: 'first' } })
        assert.equal(back.kept, [])
        assert.equal(await carryOutUndo(ledger, back, 1, 'second'), [])
        assert.equal(await worldOf(ledger), done)
      }),
      { seed: SEED, numRuns: 25, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }
    ),
  { timeout_ms: 90_000 }
)

test(
  'where others went on, nothing that they did is lost, and what stays is named',
  () =>
    fc.assert(
      fc.asyncProperty(programs, programs, async (before, then) => {
        const { ledger, known, vandal, vandalId } = await begun()
        await performAll(ledger, known, before.flat())
        for (const [i, group] of then.entries())
          await performAll(ledger, known, group, i % 2 === 0 ? vandal : undefined)
        const plan = await planUndo(ledger, { filter: { tokenId: vandalId } })
        const taken = new Set([...plan.returning, ...plan.reverting].map(({ kind, id }) => `${kind} ${id}`))
        const dirty = plan.kept.map(({ kind, id }) => `${kind} ${id}`).filter((name) => !taken.has(name))
        const untouched = (world: readonly string[]) =>
          world.filter((row) => dirty.some((name) => row.startsWith(`${name} `)))
        const others = untouched(await worldOf(ledger))
        await carryOutUndo(ledger, plan, 1, 'undo')
        assert.equal(untouched(await worldOf(ledger)), others)
        assert.equal(
          (await contradictions(ledger)).filter((one) => !one.startsWith('two things')),
          []
        )
      }),
      { seed: SEED, numRuns: 25, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }
    ),
  { timeout_ms: 90_000 }
)

test.run()
