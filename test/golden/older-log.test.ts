import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { idempotencyKeysTable } from '../../commands/log/idempotency/table.js'
import { tombstonesTable } from '../../commands/records/undelete/table.js'
import { verify } from '../../projections/verify.js'
import { feedEntryOf } from '../../src/followers/feed/change.js'
import { eventsIn } from '../../src/ledger/events.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { importLog } from '../../src/trust/backup/import.js'
import { fromLine } from '../../src/trust/backup/lines.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

/** The events of a log, as they stand on the lines of a backup, which were all of schema version 1, erasures of every kind among them. */
const file = fileURLToPath(new URL('../../../test/golden/older-log.ndjson', import.meta.url))
const END = { position: 36, chain: 'e56c93425e3dfbffc13344af3987f7ea31c58529b2dd6a8d0850c97a24bcc9e8' }

const test = suite('the log of an older hub')
const storage = openMemory()

test.before(async () => {
  await storage.schema.createTables()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  await importLog(
    storage,
    lines.flatMap((line) => fromLine(line) ?? []),
    NO_KEYS
  )
})

test('is imported whole: its chain holds, and every erasure in it is told of', async () => {
  const { position, chain } = await storage.head()
  assert.equal({ position, chain }, END)
  const [first] = await storage.readLog(0, 1)
  assert.is(first?.schema, 1)
})

test('replays to the tables that it was imported to', async () => {
  const { equal, position } = await verify(storage, eventsIn(storage), () => createHash('sha256'))
  assert.ok(equal)
  assert.is(position, END.position)
})

test('tells what moved, what came back and what is gone', async () => {
  const rows = storage.rows(1)
  const departed = async (state: string) =>
    (await rows.list(tombstonesTable, 'byState', [state], {})).map(
      ({ kind, subject, collectionId, position }) => `${position} ${kind} ${subject} of ${collectionId}`
    )
  assert.equal(await departed('moved'), ['11 request r1 of c1', '12 document d1 of c1'])
  assert.equal(await departed('restored'), [
    '16 environment e1 of null',
    '18 snippet s1 of null',
    '20 folder f1 of c1',
    '22 document d1 of c2',
    '24 collection c2 of c2'
  ])
  assert.equal(await departed('deleted'), [])
})

test('keeps the keys that were used, but for those of a day that it says is over', async () => {
  const keys = await storage.rows(1).list(idempotencyKeysTable, 'byDay', [], {})
  assert.equal(
    keys.map(({ day, subject, revision }) => ({ day, subject, revision })),
    [{ day: '2026-01-09', subject: 'c4', revision: 32 }]
  )
})

test('tells a subscriber of both collections when something went from one to the other', async () => {
  const [moved] = await storage.readAt([11])
  assert.equal(moved && feedEntryOf(moved).collections, ['c2', 'c1'])
})

test.run()
