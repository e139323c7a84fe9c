import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import type { NewEvent } from '../../src/log/event.js'
import { activityOf } from '../../src/records/history/activity.js'
import type { HistorySource } from '../../src/records/history/past.js'
import { sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { collection, content, folder, request } from '../decide/made.js'
import { suite } from '../support/suite.js'
import { append, counting, newLedger } from './log.js'

const MANY = 1500

const test = suite('what happened in a collection')
let database: TestDatabase
let ledger: Ledger

test.before(async () => {
  database = await sqliteDatabase()
  ledger = await newLedger(await database.open(tables))
})

const appended = async (...events: readonly NewEvent[]) => {
  for (let from = 0; from < events.length; from += 500) await append(ledger, events.slice(from, from + 500))
}
const rename = (id: string, collectionId: string, to: string) =>
  ledger.run(
    { type: 'UpdateRequest', id, collectionId, folderId: null, content: { ...content(id), name: to } },
    editorOrigin
  )
const shown = async (id: string, limit = 200) =>
  (await activityOf(ledger, id, { limit })).events.map((one) => `${one.type} ${one.name}`)

test('the newest page of a large collection is a few questions, and no text is read for any', async () => {
  const ids = Array.from({ length: MANY }, (_, i) => `r${i}`)
  await appended(collection('large'), ...ids.map((id, i) => request(id, 'large', i + 1)))
  await rename('r700', 'large', 'Seven hundred')
  const { storage, reading } = counting(ledger.storage)
  const source = { storage, readModel: ledger.readModel }
  const { events, next } = await activityOf(source, 'large', { limit: 10 })
  assert.equal(
    events.slice(0, 3).map(({ type, id, name }) => [type, id, name]),
    [
      ['RequestUpdated', 'r700', 'Seven hundred'],
      ['RequestCreated', 'r1499', 'r1499'],
      ['RequestCreated', 'r1498', 'r1498']
    ]
  )
  assert.equal([events.length, next], [10, events[9]?.position])
  assert.equal([reading.questions < 30, reading.bytes], [true, 0], `${reading.questions} questions`)
  reading.questions = 0
  const oldest = await activityOf(source, 'large', { limit: 10, before: 5 })
  assert.equal(
    oldest.events.map(({ type }) => type),
    ['RequestCreated', 'RequestCreated', 'RequestCreated', 'CollectionCreated']
  )
  assert.is(oldest.next, null)
  assert.ok(reading.questions < 30, `${reading.questions} questions`)
})

test('a deleted record has its last name, and one that went with its folder none that is known without its content', async () => {
  await appended(collection('c'), folder('f', 'c'), request('in', 'c', 1, 'f'), request('out', 'c'))
  await rename('out', 'c', 'Renamed')
  await ledger.run({ type: 'DeleteRequestAsAdmin', id: 'out' }, systemOrigin)
  await ledger.run({ type: 'DeleteFolder', id: 'f' }, editorOrigin)
  assert.equal(await shown('c'), [
    'FolderDeleted f',
    'RequestDeleted Renamed',
    'RequestUpdated Renamed',
    'RequestCreated Renamed',
    'RequestCreated null',
    'FolderCreated f',
    'CollectionCreated c'
  ])
})

test('what a record was called in a collection that it has left since is no name of the other one', async () => {
  await appended(collection('here'), collection('there'), request('moved', 'here'))
  await rename('moved', 'there', 'New with the move')
  await rename('moved', 'there', 'Secret')
  assert.equal(await shown('here'), ['RequestUpdated null', 'RequestCreated null', 'CollectionCreated here'])
  assert.equal(await shown('there'), ['RequestUpdated Secret', 'RequestUpdated Secret', 'CollectionCreated there'])
})

test('what is deleted while records are looked for is on the page', async () => {
  await appended(collection('busy'), request('going', 'busy'))
  const { readModel } = ledger
  const source: HistorySource = {
    storage: ledger.storage,
    readModel: {
      get: readModel.get.bind(readModel),
      getAll: readModel.getAll.bind(readModel),
      getPage: readModel.getPage.bind(readModel),
      list: readModel.list.bind(readModel),
      listPart: readModel.listPart,
      async outline(...asked) {
        await ledger.run({ type: 'DeleteRequestAsAdmin', id: 'going' }, systemOrigin).catch(() => {})
        return readModel.outline(...asked)
      }
    }
  }
  const { events } = await activityOf(source, 'busy', { limit: 10 })
  assert.equal(
    events.map(({ type, id }) => [type, id]),
    [
      ['RequestCreated', 'going'],
      ['CollectionCreated', 'busy']
    ]
  )
})

test('of nothing there is nothing', async () => {
  assert.equal(await activityOf(ledger, 'never', { limit: 5 }), { events: [], next: null })
  assert.equal(await activityOf(ledger, 'c', { limit: 5, before: 1 }), { events: [], next: null })
})

test.run()
