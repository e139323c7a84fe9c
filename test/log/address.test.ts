import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { AddressPolicy } from '../../src/config/types.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { decodedIdentity } from '../../src/log/codec.js'
import { keptAddress } from '../../src/net/address.js'
import { memoryDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'

const test = suite('how much of an address is kept')

test('all of it, its network, or nothing', () => {
  for (const [address, truncated] of [
    ['192.0.2.77', '192.0.2.0'],
    ['::ffff:192.0.2.77', '192.0.2.0'],
    ['2001:db8:1:2::77', '2001:db8:1::'],
    ['::1', '0:0:0::'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['fe80::1%eth0', 'fe80:0:0::'],
    ['not an address', null]
  ] as const) {
    assert.is(keptAddress(address, 'full'), address)
    assert.is(keptAddress(address, 'truncated'), truncated)
    assert.is(keptAddress(address, 'off'), null)
  }
  assert.is(keptAddress(null, 'full'), null)
})

test('the log never has more than the policy says', async () => {
  const storage = await (await memoryDatabase()).open(tables)
  await migrate(storage)
  const ledger = await openLedger(
    storage,
    () => null,
    () => 'truncated'
  )
  await ledger.run({ type: 'CreateSystemAccount' }, { ...systemOrigin, address: '192.0.2.77' })
  const [event] = await storage.readLog(0, 1)
  assert.is(event?.who.text, '{"address":"192.0.2.0","name":"system"}')
})

test('of addresses of others that somebody asks about, or lets in again, the log has as much', async () => {
  const storage = await (await memoryDatabase()).open(tables)
  await migrate(storage)
  let policy: AddressPolicy = 'full'
  const ledger = await openLedger(
    storage,
    () => null,
    () => policy
  )
  const kept: unknown[] = []
  for (policy of ['full', 'truncated', 'off'] as const)
    for (const address of ['192.0.2.77', '2001:db8:1:2::/64']) {
      const told = { type: 'RecordLoginsUnblocked', id: randomUUID(), data: { blocks: 1 } } as const
      const { position } = await ledger.run(told, { ...systemOrigin, searched: { address, name: 'Ada' } })
      const [event] = await storage.readLog(position - 1, 1)
      kept.push(event && decodedIdentity(event).searched)
    }
  assert.equal(kept, [
    { address: '192.0.2.77', name: 'Ada' },
    { address: '2001:db8:1:2::/64', name: 'Ada' },
    { address: '192.0.2.0', name: 'Ada' },
    { address: '2001:db8:1::', name: 'Ada' },
    { name: 'Ada' },
    { name: 'Ada' }
  ])
})

test.run()
