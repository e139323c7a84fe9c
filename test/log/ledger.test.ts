import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { HubError } from '../../src/errors.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { ChangeTooLarge, StorageUnavailable } from '../../src/storage/storage.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { newLedger } from '../history/log.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { faulty, rejection } from './faults.js'

const test = suite('running commands')

test('who was an administrator when a request came, and is none when it is decided, works with their own access', async () => {
  const ledger = await newLedger(openMemory())
  const token = { tokenId: 't', prefix: 'hbk_abc', hash: 'h' }
  await ledger.run({ type: 'CreateUser', id: 'u', account: anAdmin('Eve'), token }, systemOrigin)
  const editor = { ...systemOrigin, tokenId: 't', isEditor: true } as const
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'One' }, editor)
  const { name: _, ...user } = anAccount('Eve', { collectionAccess: [] })
  await ledger.run({ type: 'UpdateUser', id: 'u', changes: user }, systemOrigin)
  const refused = await rejection(ledger.run({ type: 'CreateCollection', id: 'd', name: 'Two' }, editor))
  assert.match(String(refused), 'Forbidden')
  await ledger.close()
})

test('a change that the database does not take is refused with 413 for its size alone, and the others of its commit are carried out', async () => {
  const storage = faulty(openMemory())
  const ledger = await newLedger(storage)
  const why = 'This is more than the database can take in one change.'
  storage.onCommit = async ({ events }, pass) => {
    if (events.some(({ payload }) => payload.text?.includes('large'))) throw new ChangeTooLarge(why)
    return pass()
  }
  const create = (name: string) => ledger.run({ type: 'CreateCollection', id: randomUUID(), name }, editorOrigin)
  const [, refusal] = await Promise.all([create('small'), rejection(create('large')), create('smaller')])
  assert.instance(refusal, HubError)
  assert.equal(refusal instanceof HubError && [refusal.status, refusal.message], [413, why])
  assert.is((await storage.head()).position, 2)
})

const lost = () => Promise.reject(new StorageUnavailable('The connection is gone.'))
const storage = faulty(openMemory())
const { readHeaders } = storage
let ledger: Ledger

test.before(async () => {
  ledger = await newLedger(storage)
})

/** Sends the same request, which gets a new id every time, as a client does that repeats it. */
const send = (key: string) => {
  const agent = { ...editorOrigin, idempotency: { useId: randomUUID(), key, bodyHash: 'b' } }
  const id = randomUUID()
  return ledger.run({ type: 'CreateCollection', id, name: key }, agent, { table: collectionsTable, id })
}

test('a keyed command that nobody acknowledged had happened: its repeat gets what it left', async () => {
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

test('a keyed command that nobody acknowledged had not happened: its repeat is carried out', async () => {
  storage.onCommit = lost
  assert.instance(await rejection(send('never')), StorageUnavailable)
  storage.onCommit = (_, pass) => pass()
  const { row, repeats } = await send('never')
  assert.is(repeats, undefined)
  assert.is((await send('never')).repeats?.subject, row?.id)
})

test.run()
