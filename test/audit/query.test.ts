import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { openLedger } from '../../src/app/openLedger.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { accountId, isAskedAlready } from '../../src/trust/audit/query.js'
import { anAdmin } from '../decide/people.js'
import { settleUser } from '../race/world.js'
import { eventsOf } from '../support/append.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('questions to the log')
const MINUTE_MS = 60_000
let ledger: Ledger
let now = 0

test.before(async () => {
  const storage = openMemory()
  await migrate(storage)
  now = Date.now()
  ledger = await openLedger(
    storage,
    () => null,
    undefined,
    () => now
  )
})

test('who is called as the id of somebody else is not taken for them', async () => {
  const agent = await settleUser(ledger, 'Ada')
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Orders' }, agent)
  const [{ actorId: ada } = { actorId: '' }] = await eventsOf(ledger.storage, 'collection-c')
  await settleUser(ledger, ada)
  assert.is(await accountId(ada, ledger.readModel), ada)
  assert.is(await accountId('ADA', ledger.readModel), ada)
  assert.is(await accountId('nobody', ledger.readModel), 'nobody')
})

test('the same question is one look at the log for ten minutes, of the token that has asked', async () => {
  const tokenId = 'of-root'
  const token = { tokenId, prefix: 'hbk_abc', hash: 'h' }
  await ledger.run({ type: 'CreateUser', id: 'root', account: anAdmin('Root'), token }, systemOrigin)
  const asked = { filter: { kind: 'request' }, searched: { address: '203.0.113.7' } }
  const origin = { ...systemOrigin, tokenId, searched: asked.searched }
  await ledger.run({ type: 'RecordAuditRead', id: 'a', data: { filter: asked.filter } }, origin)
  const isAsked = (changes: object = {}, token = tokenId) =>
    isAskedAlready(ledger.storage, token, { ...asked, ...changes }, now)
  assert.is(await isAsked(), true)
  for (const other of [{ filter: {} }, { searched: {} }]) assert.is(await isAsked(other), false)
  assert.is(await isAsked({}, 'another'), false)
  now += 10 * MINUTE_MS
  assert.is(await isAsked(), true)
  now += 1
  assert.is(await isAsked(), false)
})

test.run()
