import * as assert from 'uvu/assert'
import { emitCollection } from '../../commands/records/collection/events.js'
import { kinds } from '../../commands/records/kinds.js'
import { tombstonesTable } from '../../commands/records/undelete/table.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { diffOf, historyOf } from '../../src/records/history/history.js'
import { positionIn, rowAt } from '../../src/records/history/past.js'
import { restore } from '../../src/records/history/restore.js'
import { treeAt } from '../../src/records/history/tree.js'
import { undelete } from '../../src/records/history/undelete.js'
import { planUndo } from '../../src/records/history/undo.js'
import type { Columns, ListOptions, TableSpec, Value } from '../../src/storage/storage.js'
import { entriesOf, listManner } from '../../src/trust/audit/entries.js'
import { sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { content } from '../decide/made.js'
import { anAdmin } from '../decide/people.js'
import { newUser } from '../race/world.js'
import { suite } from '../support/suite.js'
import { append, counting, newLedger, write } from './log.js'

const KB = 1024
const GAP = 1024

const test = suite('the past costs what is asked for')
let database: TestDatabase
let ledger: Ledger

test.before(async () => {
  database = await sqliteDatabase()
  ledger = await newLedger(await database.open(tables))
})

const collection = async (id: string) => {
  await ledger.run({ type: 'CreateCollection', id, name: id }, editorOrigin)
  return id
}
const request = (id: string, collectionId: string, folderId: string | null = null) =>
  ledger.run({ type: 'CreateRequest', id, collectionId, folderId, content: content(id) }, editorOrigin)
const folder = (id: string, collectionId: string) =>
  ledger.run({ type: 'CreateFolder', id, collectionId, parentFolderId: null, name: id }, editorOrigin)
const reorder = (orderedIds: readonly string[], collectionId: string, folderId: string | null = null) =>
  ledger.run({ type: 'ReorderRequests', collectionId, folderId, orderedIds }, editorOrigin)
const placeAt = async (id: string, position: number) => {
  const row = await rowAt(ledger, 'request', id, position)
  return row && 'container' in row && 'sortOrder' in row ? [row.container, row.sortOrder] : null
}

test('one version of forty reads the texts of two', async () => {
  const id = await collection('large')
  const text = { name: 'Notes', content: 'x'.repeat(100 * KB), marker: null }
  await ledger.run(
    { type: 'CreateDocument', id: 'notes', collectionId: id, folderId: null, content: text },
    editorOrigin
  )
  for (let i = 1; i < 40; i++) await write(ledger, 'notes', id, `${i}`.repeat(100 * KB).slice(0, 100 * KB))
  const { storage, reading } = counting(ledger.storage)
  const { versions, count } = await historyOf({ storage, readModel: ledger.readModel }, 'document', 'notes', {
    limit: 1
  })
  assert.equal([versions.map(({ version }) => version), count], [[40], 40])
  assert.ok(versions[0]?.changed.includes('content'))
  assert.ok(reading.bytes < 220 * KB, `${reading.bytes} bytes`)
  const page = await historyOf({ storage, readModel: ledger.readModel }, 'document', 'notes', { limit: 3, before: 3 })
  assert.equal(
    page.versions.map(({ version, type }) => [version, type]),
    [
      [2, 'DocumentUpdated'],
      [1, 'DocumentCreated']
    ]
  )
})

test('a comparison of large texts is cut short, and one of many fields counts what it leaves out', async () => {
  const id = await collection('compared')
  const text = { name: 'Notes', content: 'a'.repeat(5 * KB * KB), marker: null }
  await ledger.run(
    { type: 'CreateDocument', id: 'long', collectionId: id, folderId: null, content: text },
    editorOrigin
  )
  await write(ledger, 'long', id, 'b'.repeat(5 * KB * KB))
  const difference = await diffOf(ledger, 'document', 'long')
  assert.ok(JSON.stringify(difference).length < 5 * KB * KB)
  assert.match(
    String(difference.changes.find(({ path }) => path === '/content')?.to),
    /^b{1000}… \(5242880 characters\)$/
  )
  const variables = (value: string) =>
    Array.from({ length: 10_001 }, (_, i) => ({ key: `${i}`, value, defaultValue: '', share: true, enabled: true }))
  await ledger.run({ type: 'CreateEnvironment', id: 'many', name: 'Many' }, editorOrigin)
  for (const value of ['1', '2']) {
    const changed = { name: 'Many', variables: variables(value) }
    await ledger.run({ type: 'UpdateEnvironment', id: 'many', content: changed }, editorOrigin)
  }
  const { changes, more } = await diffOf(ledger, 'environment', 'many')
  assert.equal([changes.length, more], [10_000, 2])
})

test('to be reordered among neighbours is no version; to come into a folder is', async () => {
  const id = await collection('ordered')
  await folder('box', id)
  for (const one of ['a', 'b', 'c']) await request(one, id)
  const before = ledger.readModel.head.position
  const { position } = await reorder(['c', 'b', 'a'], id)
  assert.equal(await placeAt('a', before), [id, GAP])
  assert.equal(await placeAt('a', position), [id, 3 * GAP])
  assert.is((await historyOf(ledger, 'request', 'a', { limit: 9 })).count, 1)
  await reorder(['a'], id, 'box')
  const { versions } = await historyOf(ledger, 'request', 'a', { limit: 9 })
  assert.equal(
    versions.map(({ type, changed }) => [type, changed.includes('folderId')]),
    [
      ['RequestMoved', true],
      ['RequestCreated', true]
    ]
  )
})

test('a log in which a reorder alone tells of a move is read as it is', async () => {
  const id = await collection('older')
  await folder('first', id)
  await folder('second', id)
  await request('r', id, 'first')
  const taken = { folderId: 'second', requests: [{ id: 'r', sortOrder: 7 }], documents: [] }
  const moved = await append(ledger, [emitCollection(id, 'ItemsReordered', taken)])
  assert.equal(await placeAt('r', moved - 1), ['first', GAP])
  assert.equal(await placeAt('r', moved), ['second', 7])
  await ledger.run({ type: 'DeleteFolder', id: 'first' }, editorOrigin)
  assert.equal(await placeAt('r', ledger.readModel.head.position), ['second', 7])
  const { position: gone } = await ledger.run({ type: 'DeleteFolder', id: 'second' }, editorOrigin)
  assert.is(await rowAt(ledger, 'request', 'r', gone), null)
  assert.equal(await placeAt('r', gone - 1), ['second', 7])
  await undelete(ledger, systemOrigin, 'folder', 'second')
  assert.equal(await placeAt('r', ledger.readModel.head.position), ['second', 7])
  const { versions, count } = await historyOf(ledger, 'request', 'r', { limit: 9 })
  assert.is(count, 3)
  assert.equal(
    versions.map(({ version, type, position }) => [version, type, type === 'FolderDeleted' ? position : null]),
    [
      [3, 'RequestRestored', null],
      [2, 'FolderDeleted', gone],
      [1, 'RequestCreated', null]
    ]
  )
})

test('an account that is gone since hides no deletion that took what it had changed', async () => {
  const id = await collection('abandoned')
  await folder('bin', id)
  await request('kept', id, 'bin')
  const { command, agent } = newUser('leaver', 'leaver', 'token-of-leaver')
  await ledger.run(command, systemOrigin)
  const changed = { ...content('kept'), name: 'changed' }
  const update = { type: 'UpdateRequest', id: 'kept', collectionId: id, folderId: 'bin', content: changed } as const
  await ledger.run(update, agent)
  const { position: gone } = await ledger.run({ type: 'DeleteFolder', id: 'bin' }, editorOrigin)
  await ledger.run({ type: 'DeleteUser', id: 'leaver' }, systemOrigin)
  const { versions, count } = await historyOf(ledger, 'request', 'kept', { limit: 9 })
  assert.equal(
    versions.map(({ version, type, position }) => [version, type, type === 'FolderDeleted' ? position : null]),
    [
      [3, 'FolderDeleted', gone],
      [2, 'RequestUpdated', null],
      [1, 'RequestCreated', null]
    ]
  )
  assert.is(count, 3)
  const { returning, reverting, removing, kept } = await planUndo(ledger, { filter: { tokenId: 'token-of-leaver' } })
  assert.equal([returning, reverting, removing], [[], [], []], 'somebody else has deleted it')
  assert.equal(
    kept.map(({ kind, id }) => [kind, id]),
    [['request', 'kept']]
  )
})

test('a plan to take back the deletion of many records reads the reorders behind them once', async () => {
  const id = await collection('vandalized')
  await folder('shelf', id)
  const ids = Array.from({ length: 50 }, (_, i) => `stolen-${i}`)
  await Promise.all(ids.map((one) => request(one, id, 'shelf')))
  const swap = (i: number) =>
    [0, 1].map((j) => ({ id: ids[(i + j) % ids.length] ?? '', sortOrder: (1 + ((i + 1 - j) % ids.length)) * GAP }))
  const reorders = Array.from({ length: 400 }, (_, i) =>
    emitCollection(id, 'ItemsReordered', { folderId: 'shelf', requests: swap(i), documents: [] })
  )
  await append(ledger, reorders)
  const { command, agent } = newUser('vandal', 'vandal', 'token-of-vandal')
  await ledger.run(command, systemOrigin)
  await ledger.run({ type: 'DeleteFolder', id: 'shelf' }, agent)
  const planned = async () => {
    const { storage, reading } = counting(ledger.storage)
    const { returning, reverting, kept } = await planUndo(
      { ...ledger, storage },
      { filter: { tokenId: 'token-of-vandal' } }
    )
    return { returning: returning.length, reverting: reverting.length, kept: kept.length, reading }
  }
  const { reading, ...plan } = await planned()
  assert.equal(plan, { returning: 51, reverting: 0, kept: 0 })
  assert.ok(reading.bytes < 200 * KB, `${reading.bytes} bytes`)
  await ledger.run({ type: 'UpdateUser', id: 'vandal', changes: anAdmin('vandal') }, systemOrigin)
  await undelete(ledger, agent, 'folder', 'shelf')
  const { reading: rereading, ...again } = await planned()
  assert.equal(again, { returning: 0, reverting: 51, kept: 0 }, 'nobody else has deleted or brought back anything')
  assert.ok(rereading.bytes < 200 * KB, `${rereading.bytes} bytes`)
})

test('a version is restored into the folder that it was in', async () => {
  const id = await collection('restored')
  await folder('home', id)
  await request('wanderer', id, 'home')
  await reorder(['wanderer'], id)
  await restore(ledger, editorOrigin, 'request', 'wanderer', 1)
  assert.is((await placeAt('wanderer', ledger.readModel.head.position))?.[0], 'home')
})

test('a tree asks the log as often, however many things and reorders there are', async () => {
  const id = await collection('forest')
  const ids = Array.from({ length: 300 }, (_, i) => `tree-${i}`)
  await Promise.all(ids.map((one) => request(one, id)))
  const unordered = ledger.readModel.head.position
  const swap = (i: number) =>
    [0, 1].map((j) => ({ id: ids[(i + j) % ids.length] ?? '', sortOrder: (1 + ((i + 1 - j) % ids.length)) * GAP }))
  const reorders = Array.from({ length: 1000 }, (_, i) =>
    emitCollection(id, 'ItemsReordered', { folderId: null, requests: swap(i), documents: [] })
  )
  await append(ledger, reorders)
  for (const at of [unordered, unordered + 500]) {
    const { storage, reading } = counting(ledger.storage)
    const tree = await treeAt({ storage, readModel: ledger.readModel }, id, at)
    const records: string[] = []
    for await (const page of tree?.records('request') ?? []) records.push(...page)
    assert.is(records.length, ids.length)
    assert.ok(reading.questions < 60, `${reading.questions} questions`)
    const orders = records.map((record): number => JSON.parse(record).sortOrder)
    assert.equal(
      orders,
      orders.toSorted((a, b) => a - b)
    )
  }
})

test('of what has left a collection only that is read which left it after the moment', async () => {
  const id = await collection('emptied')
  for (const one of ['first', 'second', 'third']) await request(one, id)
  const gone = (one: string) => ledger.run({ type: 'DeleteRequest', id: one }, editorOrigin)
  await gone('first')
  const { position } = await gone('second')
  await gone('third')
  const read: string[] = []
  const readModel = {
    get: ledger.readModel.get.bind(ledger.readModel),
    getAll: ledger.readModel.getAll.bind(ledger.readModel),
    outline: ledger.readModel.outline.bind(ledger.readModel),
    listPart: ledger.readModel.listPart.bind(ledger.readModel),
    getPage: async <C extends Columns>(table: TableSpec<C>, ids: readonly string[]) => {
      if (table.name === tombstonesTable.name) read.push(...ids)
      return ledger.readModel.getPage(table, ids)
    },
    list: async <C extends Columns>(
      table: TableSpec<C>,
      index: string,
      key: readonly Value[],
      options?: ListOptions
    ) => {
      assert.is(options?.body, false)
      return ledger.readModel.list(table, index, key, options)
    }
  }
  const tree = await treeAt({ storage: ledger.storage, readModel }, id, position - 1)
  const records: string[] = []
  for await (const page of tree?.records('request') ?? []) records.push(...page)
  assert.equal(
    records.map((record) => JSON.parse(record).id),
    ['second', 'third']
  )
  assert.equal(read.map(Number).toSorted(), [position, position + 1])
})

test('an entry of the audit about a large reorder lists 200 of it, and says how many more', async () => {
  const id = await collection('shuffled')
  const requests = Array.from({ length: 5000 }, (_, i) => ({ id: `${i}`, sortOrder: i }))
  const position = await append(ledger, [
    emitCollection(id, 'ItemsReordered', { folderId: null, requests, documents: [] })
  ])
  const events = await ledger.storage.readHeaders(position - 1, 1)
  const { value } = await entriesOf(ledger, events, { ...listManner, how: [] }).next()
  assert.is(value?.entry.more, 4800)
  assert.ok(JSON.stringify(value?.entry).length < 20 * KB)
})

test('what another process has changed before a moment is changed then, though a row was known from before', async () => {
  const id = await collection('shared')
  await request('known', id)
  const other = await openLedger(await database.open(tables), () => null)
  await ledger.readModel.get(kinds.request.table, 'known')
  const update = { type: 'UpdateRequest', id: 'known', collectionId: id, folderId: null } as const
  await other.run({ ...update, content: { ...content('known'), name: 'Changed' } }, editorOrigin)
  await other.close()
  const position = await positionIn(ledger, { time: '9999-01-01T00:00:00.000Z' }, 'at')
  assert.is((await rowAt(ledger, 'request', 'known', position))?.revision, position)
})

test('a thousand requests come back in commits of a hundred, and others have their turn meanwhile', async () => {
  const id = await collection('crowd')
  const ids = Array.from({ length: 1000 }, (_, i) => `one-of-${i}`)
  await Promise.all(ids.map((one) => request(one, id)))
  await ledger.run({ type: 'DeleteCollectionAsAdmin', id }, systemOrigin)
  let turns = 0
  let isOver = false
  const others = async () => {
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  const running = others()
  assert.equal(await undelete(ledger, systemOrigin, 'collection', id), { collection: 1, request: 1000 })
  isOver = true
  await running
  assert.ok(turns > 20, `${turns} turns`)
  const { position } = ledger.readModel.head
  assert.equal(await placeAt('one-of-999', position), [id, 1000 * GAP])
})

test.run()
