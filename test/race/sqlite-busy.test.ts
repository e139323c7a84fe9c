import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { copyFile, link, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import type { Command } from '../../commands/index.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { change, commitAfter, puts } from '../contract/commits.js'
import { contractTables, thing, things } from '../contract/tables.js'
import { rejection } from '../log/faults.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { newCollections, settleUser, wrongs } from './world.js'

const test = suite('busy and broken files: sqlite')
let directory: TemporaryDirectory
let path: string
let storage: Storage

test.before.each(async () => {
  directory = await temporaryDirectory()
  path = join(directory.path, 'deep', 'hub.db')
  storage = await openSqlite(path, 'hub_', contractTables)
  await storage.schema.createTables()
})
test.after.each(async () => {
  await storage.close()
})

test('a commit waits for another process that writes, and the event loop does not wait with it', async () => {
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  let [isDone, ticks] = [false, 0]
  const commit = change(storage, ...puts(things, [thing('a')])).then(() => {
    isDone = true
  })
  for (; ticks < 5; ticks++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.not(isDone)
  assert.is((await storage.head()).position, 0, 'reading does not wait')
  other.exec('COMMIT')
  other.close()
  await commit
  assert.is((await storage.head()).position, 1)
})

test('a large commit holds nobody up: who reads meanwhile sees all of it or nothing, and who writes comes after it', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => thing(`t${i}`, { body: JSON.stringify('x'.repeat(5000)) }))
  const before = await storage.head()
  const rows = storage.rows(before.generation)
  let [isDone, looks] = [false, 0]
  const begun = once(process, 'worker')
  const large = storage.commit(commitAfter(before, [{}], puts(things, many))).then((outcome) => {
    isDone = true
    return outcome
  })
  // Until then it is being made, and others may be faster.
  await begun
  const small = storage.commit(commitAfter(before, [{}], puts(things, [thing('small')])))
  while (!isDone) {
    const [{ position }, count] = [await storage.head(), await rows.count(things, 'byParent', ['p1'])]
    await new Promise((resolve) => setImmediate(resolve))
    if (isDone) break
    assert.ok(count === 0 || count === many.length, `${count} rows`)
    // The head was read first.
    assert.ok(position === 0 || count === many.length, `position ${position} and ${count} rows`)
    looks += 1
  }
  assert.ok(looks >= 3, `${looks} looks`)
  assert.equal([await large, await small], ['committed', 'stale'])
  assert.is(await rows.count(things, 'byParent', ['p1']), many.length)
  const again = commitAfter(before, [{}], puts(things, [...many, thing('more')]))
  assert.is(await storage.commit(again), 'stale', 'a large one behind a head that has moved')
  assert.is(await rows.get(things, 'more'), null)
})

test('a large write that somebody comes before is stale, and nothing of it is there', async () => {
  const other = await openSqlite(path, 'hub_', contractTables)
  // The file is free until the thread has it, which begins only now.
  const between = once(process, 'worker').then(() => change(other, ...puts(things, [thing('between')])))
  const many = Array.from({ length: 200 }, (_, i) => thing(`t${i}`))
  const outcome = await storage.write(async (head) => commitAfter(head, [{}], puts(things, many)))
  await between
  assert.is(outcome, 'stale')
  const { position, generation } = await storage.head()
  assert.equal([position, await storage.rows(generation).count(things, 'byParent', ['p1'])], [1, 1])
  await other.close()
})

test('a small commit does not wait until what a large one wrote is copied from the write-ahead log', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => thing(`t${i}`, { body: JSON.stringify('x'.repeat(5000)) }))
  let large: Promise<unknown> | undefined
  await storage.snapshot(async (at) => {
    await at.scan(things, '', 1)
    large = change(storage, ...puts(things, many))
    await large
  })
  const before = statSync(path).size
  await change(storage, ...puts(things, [thing('small')]))
  assert.is(statSync(path).size, before)
})

test('the write-ahead log of many small commits stays small', async () => {
  for (let i = 0; i < 600; i++) await change(storage, ...puts(things, [thing('a', { body: `${i}` })]))
  const { size } = statSync(`${path}-wal`)
  assert.ok(size < 8 * 1024 * 1024, `${size} bytes`)
})

test('a thread of large commits that ends too early is an outage, and the next commit has a new one', async () => {
  const many = Array.from({ length: 200 }, (_, i) => thing(`t${i}`, { body: JSON.stringify('x'.repeat(5000)) }))
  const before = await storage.head()
  const large = commitAfter(before, [{}], puts(things, many))
  process.once('worker', (worker: Worker) => void worker.terminate())
  assert.instance(await rejection(storage.commit(large)), StorageUnavailable)
  assert.is((await storage.head()).position, 0)
  assert.is(await storage.commit(large), 'committed')
  assert.is(await storage.rows(before.generation).count(things, 'byParent', ['p1']), many.length)
})

for (const [what, take] of [
  ['is deleted', () => rename(path, `${path}.away`)],
  ['is replaced by a copy', () => copyFile(path, `${path}.copy`).then(() => rename(`${path}.copy`, path))]
] as const) {
  test(`when the file of an open database ${what}, nothing is acknowledged that nobody would find again`, async () => {
    await change(storage, ...puts(things, [thing('a')]))
    await link(path, `${path}.kept`)
    await take()
    const before = await storage.head()
    for (const count of [1, 3000]) {
      const many = Array.from({ length: count }, (_, i) => thing(`t${i}`))
      const refused = await rejection(storage.commit(commitAfter(before, [{}], puts(things, many))))
      assert.instance(refused, StorageUnavailable)
      assert.match(String(refused), /Nothing is written any more\./)
    }
    assert.instance(await rejection(storage.schema.applied()), StorageUnavailable)
    assert.instance(await rejection(storage.snapshot((at) => at.scan(things, '', 1))), StorageUnavailable)
    await rename(`${path}.kept`, path)
    await change(storage, ...puts(things, [thing('b')]))
    assert.is((await storage.head()).position, 2, 'it is put back')
  })
}

test('a file that another process keeps locked: who writes is refused in time, and it works when it is free', async () => {
  const file = join(directory.path, 'locked.db')
  const storage = await openSqlite(file, 'hub_', tables)
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  const ada = await settleUser(ledger, 'ada')
  const before = (await storage.head()).position
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  const refusedInTime = async (command: Command) => {
    const started = performance.now()
    assert.instance(await rejection(ledger.run(command, ada)), StorageUnavailable)
    const took_ms = performance.now() - started
    assert.ok(took_ms < 12_000, `it took ${took_ms} ms`)
  }
  const asked: Promise<void>[] = []
  for (const [i, command] of newCollections(16).entries()) {
    ledger.uses.note(`token-${i}`)
    asked.push(refusedInTime(command))
    await sleep(200)
    await ledger.readModel.current()
  }
  await Promise.all(asked)
  other.exec('COMMIT')
  other.close()
  await Promise.all(newCollections(3).map((command) => ledger.run(command, ada)))
  assert.is((await storage.head()).position, before + 3)
  assert.equal(await wrongs(ledger), [])
  await ledger.close()
})

test('what waits for a locked file for long lets commits have their turn, and is done when the file is free', async () => {
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  const uses = new Map(Array.from({ length: 200 }, (_, i) => [`token-${i}`, new Date(i).toISOString()]))
  let isWaiting = true
  const touched = Promise.allSettled([
    storage.touchTokens(new Map([['one', new Date(0).toISOString()]])),
    storage.touchTokens(uses)
  ]).finally(() => {
    isWaiting = false
  })
  assert.instance(await rejection(change(storage, ...puts(things, [thing('a')]))), StorageUnavailable)
  assert.ok(isWaiting, 'the commit was refused while the others still waited')
  other.exec('COMMIT')
  other.close()
  assert.equal(
    (await touched).map(({ status }) => status),
    ['fulfilled', 'fulfilled']
  )
  assert.is((await storage.tokenUses()).size, 201)
})

test('a snapshot does not hold back the log’s file once it is over', async () => {
  await storage.snapshot((at) => at.scan(things, '', 1))
  await change(storage, ...puts(things, [thing('a')]))
  const other = new Database(path)
  const [state] = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  other.close()
  assert.equal(state, { busy: 0, log: 0, checkpointed: 0 })
})

test('many connections open and set up one new file at once', async () => {
  const fresh = join(directory.path, 'other', 'hub.db')
  const storages = await Promise.all([1, 2, 3, 4].map(() => openSqlite(fresh, 'hub_', contractTables)))
  await Promise.all(storages.map(({ schema }) => schema.exclusively(() => schema.createTables())))
  await Promise.all(storages.map((one) => one.head()))
  await Promise.all(storages.map((one) => one.close()))
})

test('a file that is no database, or that cannot be made, is refused as unavailable', async () => {
  const garbage = join(directory.path, 'garbage.db')
  writeFileSync(garbage, 'This is not a database. '.repeat(500))
  for (const bad of [garbage, directory.path, join(garbage, 'hub.db')]) {
    assert.instance(await rejection(openSqlite(bad, 'hub_', contractTables)), StorageUnavailable)
  }
})

test('a database that nothing was set up in says so', async () => {
  const empty = await openSqlite(join(directory.path, 'empty.db'), 'hub_', contractTables)
  assert.equal(await empty.schema.applied(), [])
  await empty.close()
})

test.run()
