import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { KINDS, kinds } from '../../commands/records/kinds.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { replay } from '../../projections/replay.js'
import { kindOf, listDeleted } from '../../queries/tombstones.js'
import { openLedger } from '../../src/app/openLedger.js'
import { HubError } from '../../src/errors.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import { historyOf, type Version } from '../../src/records/history/history.js'
import { rowAt } from '../../src/records/history/past.js'
import { treeAt } from '../../src/records/history/tree.js'
import { undelete } from '../../src/records/history/undelete.js'
import { statesOf, type VersionRef, versionsOf } from '../../src/records/history/versions.js'
import type { Row, Storage } from '../../src/storage/storage.js'
import { memoryDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { openMemory } from '../support/memoryStorage.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'
import { checkActivity } from './activity.js'
import { contradictions } from './invariants.js'
import { firstUsers } from './known.js'
import { placeAmong } from './places.js'
import { deedOf, perform, programs, SEED, type Step } from './program.js'

const UNDELETE_EVERY = 7
const test = suite(`the past after random programs (seed ${SEED})`)

/** Every record of every kind with a history, by kind and id, as canonical JSON of its row. */
type World = ReadonlyMap<string, string>

/** What the model kept: the world after each position that a command ended at. */
type Model = ReadonlyMap<number, World>

async function worldOf(storage: Storage, generation: number): Promise<World> {
  const world = new Map<string, string>()
  for (const kind of KINDS) {
    const rows = await everyRow((after, limit) => storage.scan(generation, kinds[kind].table, after, limit))
    for (const row of rows) world.set(`${kind} ${row.id}`, canonicalJson(row))
  }
  return world
}

/** Runs a program, one command after another, and keeps every state. Now and then something deleted is brought back. */
async function modelled(ledger: Ledger, program: readonly Step[]): Promise<Model> {
  const known = await firstUsers(ledger)
  const model = new Map<number, World>()
  for (const [i, step] of program.entries()) {
    if (i % UNDELETE_EVERY === 0) await undeleteOne(ledger, step.a)
    else await perform(ledger, deedOf(known, step))
    const { position, generation } = await ledger.storage.head()
    model.set(position, await worldOf(ledger.storage, generation))
  }
  return model
}

/** Brings back something that is deleted, where there is something and it can be. */
async function undeleteOne(ledger: Ledger, which: number): Promise<void> {
  const deleted = await listDeleted(ledger.readModel)
  const chosen = deleted[which % Math.max(1, deleted.length)]
  if (!chosen) return
  await undelete(ledger, systemOrigin, kindOf(chosen), chosen.subject).catch((error: unknown) => {
    if (!(error instanceof HubError)) throw error
  })
}

async function check(program: readonly Step[], open: () => Promise<TestDatabase>): Promise<void> {
  const database = await open()
  const storage = await database.open(tables)
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  const model = await modelled(ledger, program)
  assert.equal(await contradictions(ledger), [])
  await checkActivity(ledger)
  const names = new Set([...model.values()].flatMap((world) => [...world.keys()]))
  for (const name of names) await checkRecord(ledger, model, name)
  const positions = [...model.keys()]
  for (const position of positions.filter((_, i) => i % 20 === 0)) {
    await checkReplay(ledger, model, position)
    await checkTrees(ledger, model, position)
  }
  await database.remove()
}

/**
 * The record's history lists what the model saw of its content, without a gap, and `at` gives the whole row of each position.
 * What others did to its order or to who made it is no version of it.
 */
async function checkRecord(ledger: Ledger, model: Model, name: string): Promise<void> {
  const [kind, id] = [KINDS.find((one) => name.startsWith(`${one} `)), name.slice(name.indexOf(' ') + 1)]
  if (!kind) throw new Error(name)
  const refs: VersionRef[] = []
  for await (const ref of (await versionsOf(ledger, kind, id)).refs()) refs.unshift(ref)
  const rows = new Map<number, Row | null>()
  for await (const { ref, row } of statesOf(ledger, kind, { start: null, refs })) {
    rows.set(ref.header.position, row)
  }
  assert.equal(
    refs.map(({ version }) => version),
    refs.map((_, i) => i + 1)
  )
  await checkPages(ledger, kind, id, refs)
  for (const [i, [position, world]] of [...model].entries()) {
    const expected = world.get(name) ?? null
    const last = refs.findLast(({ header }) => header.position <= position)
    const row = last ? rows.get(last.header.position) : null
    assert.is(row ? row.body : null, expected && JSON.parse(expected).body, `${name} at ${position}`)
    if (i % 10 !== 0) continue
    const past = await rowAt(ledger, kind, id, position)
    assert.is(past && shown(past), expected && shown(JSON.parse(expected)), `${name} at ${position}`)
  }
}

/** Pages of any size are the same list, and say of a deletion that it was one. */
async function checkPages(ledger: Ledger, kind: (typeof KINDS)[number], id: string, turns: readonly VersionRef[]) {
  const found: Version[] = []
  for (let before: number | undefined; before !== 1; before = found.at(-1)?.version ?? 1) {
    const { versions, count } = await historyOf(ledger, kind, id, { limit: 2, before })
    assert.is(count, turns.length)
    found.push(...versions)
  }
  assert.equal(
    found.map(({ version, position, deleted = false }) => ({ version, position, deleted })),
    turns.toReversed().map(({ version, header: { position, type } }) => {
      return { version, position, deleted: type.endsWith('Deleted') }
    })
  )
}

/** A row without its version: a stream goes on where the record stays as it is. */
function shown(row: object): string {
  return canonicalJson({ ...row, version: null })
}

async function checkReplay({ readEvents }: Ledger, model: Model, position: number): Promise<void> {
  const scratch = openMemory()
  await scratch.schema.createTables()
  const builder = await scratch.createGeneration(2, null, 'replay')
  await replay(scratch, readEvents, { generation: 2, builder, from: 0, to: position })
  assert.equal(await worldOf(scratch, 2), model.get(position), `a replay up to ${position}`)
}

async function checkTrees(ledger: Ledger, model: Model, position: number): Promise<void> {
  const world = model.get(position) ?? new Map<string, string>()
  const rows = [...world].map(([name, row]) => ({ kind: name.slice(0, name.indexOf(' ')), row: JSON.parse(row) }))
  for (const { row: collection } of rows.filter(({ kind }) => kind === 'collection')) {
    const tree = await treeAt(ledger, collection.id, position)
    const recordsOf = (kind: (typeof KINDS)[number]) =>
      rows
        .flatMap(({ kind: one, row }) =>
          one === kind && row.collectionId === collection.id
            ? [kinds[kind].record(row, placeAmong(rows, kind, row))]
            : []
        )
        .sort()
    for (const kind of ['folder', 'request', 'document'] as const) {
      const found: string[] = []
      for await (const records of tree?.records(kind) ?? []) found.push(...records)
      assert.equal(found.sort(), recordsOf(kind), `${kind}s of ${collection.id} at ${position}`)
    }
  }
}

const places = [
  ['in memory', memoryDatabase, 12],
  ['on sqlite', sqliteDatabase, 3]
] as const
for (const [where, open, numRuns] of places) {
  test(
    `${where}, history, at, trees, activity and the replay of every prefix agree with a model that kept every state`,
    () =>
      fc.assert(
        fc.asyncProperty(programs, (program) => check(program.flat(), open)),
        { seed: SEED, numRuns, interruptAfterTimeLimit: 80_000, markInterruptAsFailure: true }
      ),
    { timeout_ms: 120_000 }
  )
}

test.run()
