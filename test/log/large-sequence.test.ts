import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Command } from '../../commands/index.js'
import { documentsTable } from '../../commands/records/document/table.js'
import { kinds } from '../../commands/records/kinds.js'
import { migrate } from '../../migrations/migrate.js'
import { listMembers } from '../../queries/records.js'
import { openLedger } from '../../src/app/openLedger.js'
import { listing } from '../../src/http/lists.js'
import type { CommandOrigin, Ledger } from '../../src/ledger/ledger.js'
import type { Storage } from '../../src/storage/storage.js'
import { settleUser } from '../race/world.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('places in a large collection')
const ITEMS = 1502
/** So many rows are read in one go at most, where a database answers in one turn. */
const AT_ONCE = 1001
const collectionId = randomUUID()
const idOf = (i: number) => `item-${i}`

let storage: Storage
let filled: Ledger
let agent: CommandOrigin
let listed = 0
let largest = 0

/** The same storage, which counts the rows that lists and outlines are answered with, and the most rows of one answer. */
function counting(inner: Storage): Storage {
  const weighed = async <T>(rows: Promise<readonly T[]>) => {
    const found = await rows
    largest = Math.max(largest, found.length)
    return found
  }
  const counted = async <T>(rows: Promise<readonly T[]>) => {
    const found = await rows
    listed += found.length
    return found
  }
  return {
    ...inner,
    rows(generation) {
      const rows = inner.rows(generation)
      return {
        ...rows,
        getAll: (...question) => weighed(rows.getAll(...question)),
        list: (...question) => counted(weighed(rows.list(...question))),
        outline: (...question) => counted(rows.outline(...question))
      }
    }
  }
}

const document = (type: 'CreateDocument' | 'UpdateDocument', id: string, name: string): Command => ({
  type,
  id,
  collectionId,
  folderId: null,
  content: { name, content: '', marker: null }
})
const moved = (i: number, index: number): Command => ({ type: 'MoveDocument', id: idOf(i), folderId: null, index })
/** A process that knows no places. */
const fresh = () => openLedger(counting(storage), () => null)
const placeAfter = async (ledger: Ledger, command: Command, id: string) =>
  (await ledger.run(command, agent, { table: documentsTable, id })).place

test.before(async () => {
  storage = openMemory()
  await migrate(storage)
  filled = await openLedger(storage, () => null)
  agent = await settleUser(filled, 'ada')
  await filled.run({ type: 'CreateCollection', id: collectionId, name: 'large' }, agent)
  const all = Array.from({ length: ITEMS }, (_, i) => document('CreateDocument', idOf(i), `${i}`))
  await Promise.all(all.map((command) => filled.run(command, agent)))
})

test.before.each(() => {
  listed = 0
})

test('the place of one row is counted without reading the others, also after commits of another process', async () => {
  const ledger = await fresh()
  assert.is(await placeAfter(ledger, document('UpdateDocument', idOf(300), 'new'), idOf(300)), 300)
  await filled.readModel.current()
  await filled.run(moved(10, 400), agent)
  await ledger.readModel.current()
  assert.is(await placeAfter(ledger, document('UpdateDocument', idOf(300), 'newer'), idOf(300)), 299)
  assert.is(listed, 0)
  await filled.readModel.current()
  await filled.run(moved(10, 10), agent)
})

test('a new item goes behind all others, and one that moves is answered with its new place', async () => {
  const ledger = await fresh()
  assert.is(await placeAfter(ledger, document('CreateDocument', 'last', 'last'), 'last'), ITEMS)
  assert.is(listed, 1, 'the last row of the container')
  assert.is(await placeAfter(ledger, moved(7, 20), idOf(7)), 20)
  assert.is(await placeAfter(ledger, moved(7, 7), idOf(7)), 7)
  await ledger.run({ type: 'DeleteDocument', id: 'last' }, agent)
})

test('where a list has made the places known, commands read no rows of the container any more', async () => {
  const ledger = await fresh()
  await listing(ledger.readModel, listMembers(kinds.document, collectionId))
  listed = 0
  const ids = ['x', 'y', 'z']
  const places = ids.map((id) => placeAfter(ledger, document('CreateDocument', id, id), id))
  assert.equal(await Promise.all(places), [ITEMS, ITEMS + 1, ITEMS + 2])
  for (const id of ids) await ledger.run({ type: 'DeleteDocument', id }, agent)
  assert.is(await placeAfter(ledger, document('CreateDocument', 'w', 'w'), 'w'), ITEMS)
  await ledger.run({ type: 'DeleteDocument', id: 'w' }, agent)
  assert.is(listed, 0)
})

test('commands of one batch are each decided on the order that those before them leave', async () => {
  const one = await fresh()
  await listing(one.readModel, listMembers(kinds.document, collectionId))
  const create = (id: string) => document('CreateDocument', id, id)
  const remove = (id: string): Command => ({ type: 'DeleteDocument', id })
  const move = (id: string, index: number): Command => ({ type: 'MoveDocument', id, folderId: null, index })
  await Promise.all(
    [create('p'), create('q'), remove('p'), create('r'), move('r', ITEMS), create('s'), move('q', 0)].map((command) =>
      one.run(command, agent)
    )
  )
  const { body } = await listing((await fresh()).readModel, listMembers(kinds.document, collectionId))
  const ids = JSON.parse(`${body}`).documents.map(({ id }: { readonly id: string }) => id)
  assert.equal([ids[0], ...ids.slice(-2)], ['q', 'r', 's'])
  assert.is(ids.length, ITEMS + 3)
  for (const id of ['q', 'r', 's']) await one.run(remove(id), agent)
})

test('new contents of a document leave the list of requests as it is, a document that moves does not', async () => {
  const ledger = await fresh()
  const requests = async () => (await listing(ledger.readModel, listMembers(kinds.request, collectionId))).body
  const before = await requests()
  await ledger.run(document('UpdateDocument', idOf(1), 'other'), agent)
  assert.is(await requests(), before)
  await ledger.run(moved(1, 5), agent)
  assert.is.not(await requests(), before)
})

test('all rows of a large container are read in parts', async () => {
  const removed = [
    { type: 'DeleteFolder', id: 'folder' },
    { type: 'DeleteCollection', id: collectionId }
  ] as const
  const ledger = await fresh()
  await ledger.run({ type: 'CreateFolder', id: 'folder', collectionId, parentFolderId: null, name: 'Folder' }, agent)
  for (const command of [moved(3, 900), moved(3, 3), ...removed]) {
    largest = 0
    await (await fresh()).run(command, agent)
    assert.ok(largest > 0 && largest <= AT_ONCE, `${command.type} ${largest}`)
  }
})

test.run()
