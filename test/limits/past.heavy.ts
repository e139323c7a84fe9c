import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitDocument } from '../../commands/records/document/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { tables } from '../../projections/index.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { historyOf } from '../../src/records/history/history.js'
import { treeAt } from '../../src/records/history/tree.js'
import { undelete } from '../../src/records/history/undelete.js'
import { entriesOf, listManner } from '../../src/trust/audit/entries.js'
import { short } from '../../src/trust/audit/mask.js'
import { sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { append, counting, newLedger } from '../history/log.js'
import { strain } from '../support/memory.js'
import { suite } from '../support/suite.js'

const MB = 1024 * 1024
const GAP = 1024
const MINUTES = { timeout_ms: 300_000 }
const test = suite('a past of full size')
let database: TestDatabase
let ledger: Ledger

test.before(async () => {
  database = await sqliteDatabase()
  ledger = await newLedger(await database.open(tables))
})

async function collection(): Promise<string> {
  const id = randomUUID()
  await ledger.run({ type: 'CreateCollection', id, name: 'Large' }, editorOrigin)
  return id
}

/** Requests written straight into the log, a thousand at a time. */
async function requests(collectionId: string, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  for (let from = 0; from < count; from += 1000) {
    const some = ids.slice(from, from + 1000)
    const place = (i: number) => ({ collectionId, folderId: null, sortOrder: (from + i + 1) * GAP })
    await append(
      ledger,
      some.map((id, i) => emitRequest(id, 'RequestCreated', { ...place(i), content: content(id) }))
    )
  }
  return ids
}

test(
  'the newest of 100 versions of 8 MB takes seconds at most and the memory of two',
  async () => {
    const id = randomUUID()
    const collectionId = await collection()
    for (let i = 0; i < 100; i++) {
      const text = { name: `Version ${i}`, content: `${i % 10}`.repeat(8 * MB - 1000), marker: null }
      const data = { collectionId, folderId: null, sortOrder: GAP, content: text }
      await append(ledger, [emitDocument(id, i === 0 ? 'DocumentCreated' : 'DocumentUpdated', data)])
    }
    const { storage, reading } = counting(ledger.storage)
    const source = { storage, readModel: ledger.readModel }
    const { value, took_ms, grown_bytes } = await strain(() => historyOf(source, 'document', id, { limit: 1 }))
    assert.is(value.count, 100)
    assert.ok(reading.bytes <= 16 * MB, `${reading.bytes} bytes of texts`)
    assert.ok(took_ms < 5000, `${took_ms} ms`)
    assert.ok(grown_bytes < 128 * MB, `${grown_bytes} bytes`)
  },
  MINUTES
)

test(
  'the tree of 3,000 requests before 10 reorders of all of them',
  async () => {
    const id = await collection()
    const ids = await requests(id, 3000)
    const { position } = ledger.readModel.head
    for (let i = 1; i <= 10; i++) {
      const orders = ids.map((one, j) => ({ id: one, sortOrder: ((j * 7 + i) % ids.length) * GAP }))
      await append(ledger, [emitCollection(id, 'ItemsReordered', { folderId: null, requests: orders, documents: [] })])
    }
    const records: string[] = []
    const { took_ms } = await strain(async () => {
      const tree = await treeAt(ledger, id, position)
      for await (const page of tree?.records('request') ?? []) records.push(...page)
    })
    assert.equal(
      records.map((record) => JSON.parse(record).id),
      ids
    )
    assert.ok(took_ms < 10_000, `${took_ms} ms`)
  },
  MINUTES
)

test(
  'the audit of 50,000 requests after a reorder of all of them',
  async () => {
    const id = await collection()
    const ids = await requests(id, 50_000)
    const orders = ids.map((one, j) => ({ id: one, sortOrder: (ids.length - j) * GAP }))
    await append(ledger, [emitCollection(id, 'ItemsReordered', { folderId: null, requests: orders, documents: [] })])
    const through = ledger.readModel.head.position
    const newest = await ledger.storage.searchLog({}, { after: 0, through }, 200, true)
    const { value, took_ms, grown_bytes } = await strain(async () => {
      const entries: unknown[] = []
      for await (const { entry } of entriesOf(ledger, newest, { ...listManner, how: [short] })) entries.push(entry)
      return entries
    })
    assert.is(value.length, 200)
    assert.ok(took_ms < 10_000, `${took_ms} ms`)
    assert.ok(grown_bytes < 128 * MB, `${grown_bytes} bytes`)
  },
  MINUTES
)

test(
  '10,000 requests come back within a minute',
  async () => {
    const id = await collection()
    await requests(id, 10_000)
    await ledger.run({ type: 'DeleteCollectionAsAdmin', id }, systemOrigin)
    const { value, took_ms } = await strain(() => undelete(ledger, systemOrigin, 'collection', id))
    assert.equal(value, { collection: 1, request: 10_000 })
    assert.ok(took_ms < 60_000, `${took_ms} ms`)
  },
  MINUTES
)

test.run()
