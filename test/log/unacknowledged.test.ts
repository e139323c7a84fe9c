import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { collectionsTable } from '../../projections/collections.js'
import { editorOrigin, type Ledger, openLedger } from '../../src/ledger/ledger.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { faulty, rejection } from './faults.js'

const test = suite('a keyed command that nobody acknowledged')

const lost = () => Promise.reject(new StorageUnavailable('The connection is gone.'))
const storage = faulty(openMemory())
const { readHeaders } = storage
let ledger: Ledger

test.before(async () => {
  await migrate(storage)
  ledger = await openLedger(storage, () => null)
})

/** Sends the same request, which gets a new id every time, as a client does that repeats it. */
const send = (key: string) => {
  const agent = { ...editorOrigin, idempotency: { useId: randomUUID(), key, bodyHash: 'b' } }
  const id = randomUUID()
  return ledger.run({ type: 'CreateCollection', id, name: key }, agent, { table: collectionsTable, id })
}

test('when it had happened, its repeat gets what it left', async () => {
  const before = await ledger.storage.scan(1, collectionsTable, '', 100)
  storage.onCommit = async (_, pass) => {
    await pass()
    return lost()
  }
  storage.readHeaders = lost
  assert.instance(await rejection(send('happened')), StorageUnavailable)
  storage.onCommit = (_, pass) => pass()
  storage.readHeaders = readHeaders
  const { row, repeats } = await send('happened')
  const made = await ledger.storage.scan(1, collectionsTable, '', 100)
  assert.is(made.length, before.length + 1)
  assert.equal(
    row,
    made.find(({ id }) => id === repeats?.subject)
  )
})

test('when it had not, its repeat is carried out', async () => {
  storage.onCommit = lost
  assert.instance(await rejection(send('never')), StorageUnavailable)
  storage.onCommit = (_, pass) => pass()
  const { row, repeats } = await send('never')
  assert.is(repeats, undefined)
  assert.is((await send('never')).repeats?.subject, row?.id)
})

test.run()
