import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger, systemOrigin } from '../../src/ledger/ledger.js'
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

test.run()
