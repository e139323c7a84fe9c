import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { connect, type SqliteConnection } from '../../src/storage/sqlite/connection.js'
import { openSqlite, openSqliteToRead } from '../../src/storage/sqlite.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { change, commitAfter, puts } from './commits.js'
import { contractTables, thing, things } from './tables.js'

const test = suite('the head that is known without asking: sqlite')
let directory: TemporaryDirectory
let path: string
let storage: Storage
let other: Storage

test.before.each(async () => {
  directory = await temporaryDirectory()
  path = join(directory.path, 'hub.db')
  storage = await openSqlite(path, 'hub_', contractTables)
  await storage.schema.createTables()
  other = await openSqlite(path, 'hub_', contractTables)
})
test.after.each(async () => {
  await Promise.all([storage.close(), other.close()])
})

const positions = () => Promise.all([storage, other].map(async (one) => (await one.head()).position))

test('while nothing is committed it is the very same one', async () => {
  await change(storage)
  const head = await storage.head()
  assert.ok((await storage.head()) === head)
  await storage.rows(1).get(things, 'a')
  assert.ok((await storage.head()) === head)
})

test('what is asked once it is closed, as by requests whose client has gone, is refused as an outage', async () => {
  await other.close()
  const asked = [() => other.readLog(0, 1), () => other.rows(1).get(things, 'a'), () => change(other)]
  for (const ask of asked) assert.instance(await rejection(ask()), StorageUnavailable)
})

test('whoever commits, the next look sees it, on every connection', async () => {
  for (let round = 1; round <= 50; round++) {
    await change(round % 2 === 0 ? storage : other)
    assert.equal(await positions(), [round, round])
  }
})

test('what the thread has committed that writes large changes is seen by the next look', async () => {
  const many = Array.from({ length: 300 }, (_, i) => thing(`t${i}`))
  assert.equal(await positions(), [0, 0])
  await change(storage, ...puts(things, many))
  assert.equal(await positions(), [1, 1])
})

test('a commit that is stale or breaks a constraint leaves the head as it is', async () => {
  const before = await storage.head()
  await change(storage)
  const head = await storage.head()
  assert.is(await storage.commit(commitAfter(before, [{}])), 'stale')
  const broken = commitAfter(head, [{ stream: 'thing-1' }])
  await storage.commit(broken).catch(() => {})
  assert.equal(await storage.head(), head)
})

test('what changes the head alone is seen by the next look, here and elsewhere', async () => {
  await positions()
  await storage.schema.writeUnder('another release')
  assert.equal(
    [(await storage.head()).writtenUnder, (await other.head()).writtenUnder],
    Array(2).fill('another release')
  )
})

test('looks that overlap commits are never older than what was committed before them', async () => {
  const writing = (async () => {
    for (let i = 0; i < 100; i++) await change(other)
  })()
  let isDone = false
  const done = writing.then(() => {
    isDone = true
  })
  while (!isDone) {
    const [least] = await positions()
    const looks = await Promise.all(Array.from({ length: 5 }, () => storage.head()))
    for (const { position } of looks) assert.ok(position >= (least ?? 0))
  }
  await done
  assert.equal(await positions(), [100, 100])
})

test('who only reads sees it too, and a checkpoint or a cleaned file changes nothing of the answer', async () => {
  const reader = await openSqliteToRead(path, 'hub_', contractTables)
  const cleaner = new Database(path)
  for (const statement of ['PRAGMA wal_checkpoint(TRUNCATE)', 'VACUUM', 'PRAGMA wal_checkpoint(RESTART)']) {
    await change(storage)
    const head = await storage.head()
    cleaner.exec(statement)
    assert.equal([await reader.head(), await storage.head()], [head, head])
  }
  cleaner.close()
  await reader.close()
})

test('a mark holds nothing: the log that it was asked about can be cut', async () => {
  const connections: readonly SqliteConnection[] = [await connect(path), await connect(path)]
  for (const connection of connections) connection.mark()
  await change(storage)
  const cleaner = new Database(path)
  const answer: unknown = cleaner.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get()
  assert.equal(answer, [0, 0, 0])
  cleaner.close()
  for (const connection of connections) connection.close()
})

test.run()
