import * as assert from 'uvu/assert'
import type { Command } from '../../commands/index.js'
import { deliveryStateKey, deliveryStateOf } from '../../src/followers/webhooks/deliveryState.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { postgres, sqlite } from '../http/drivers.js'
import { settleUser } from '../race/world.js'
import { suite } from '../support/suite.js'
import { changeIn, startReceiver, subjects } from './receiver.js'
import { startDelivering, until } from './support.js'

const CHANGES = 60

for (const driver of [sqlite, postgres]) {
  const test = suite(`several hubs that deliver on ${driver.name}`, { needs: driver.needs })

  test('each change arrives once and in order, whichever hub made it', async () => {
    const [hub, receiver] = [await startDelivering({ driver }), await startReceiver()]
    const other = await hub.again()
    const ada = await settleUser(hub.ledger, 'ada')
    const rows = [
      await hub.subscribe({ url: `${receiver.url}/1`, kinds: ['collection'] }),
      await other.subscribe({ url: `${receiver.url}/2`, kinds: ['collection'] })
    ]
    for (let i = 0; i < CHANGES; i++) await (i % 2 === 0 ? hub : other).change(ada)
    await until(() => receiver.received.length >= 2 * CHANGES)
    const end = (await hub.ledger.storage.head()).position
    for (const row of rows) await until(async () => (await hub.report(row)).position === end)
    for (const path of ['/hook/1', '/hook/2']) {
      const positions = receiver.received.filter((one) => one.path === path).map((one) => changeIn(one).position)
      assert.is(positions.length, CHANGES)
      assert.equal(
        positions,
        positions.toSorted((a, b) => a - b)
      )
    }
  })

  test('when one is stopped the other goes on, and nothing is missing or comes twice', async () => {
    const [hub, receiver] = [await startDelivering({ driver }), await startReceiver()]
    const other = await hub.again()
    const ada = await settleUser(hub.ledger, 'ada')
    await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
    const made: string[] = []
    for (let i = 0; i < CHANGES; i++) {
      made.push(await hub.change(ada))
      if (i === CHANGES / 2) await other.stop()
    }
    await until(() => subjects(receiver).length >= CHANGES)
    assert.equal(subjects(receiver), made)
  })

  test('a hub that looks up where a subscription stands, while another one delivers what is newer, takes none of it back', async () => {
    const [hub, receiver] = [await startDelivering({ driver }), await startReceiver()]
    const other = await hub.again()
    const ada = await settleUser(hub.ledger, 'ada')
    const { state } = other.ledger.storage
    const get = state.get.bind(state)
    const made: string[] = []
    let wanted = 0
    const more = async () => {
      wanted++
      made.push(await hub.change(ada))
    }
    // Whatever it looks up, what is newest has just been delivered.
    state.get = async (key) => {
      if (key.startsWith('webhook-')) {
        if (wanted === 0) await more()
        await until(async () => (await hub.report(row)).deliveries.length >= wanted)
      }
      return get(key)
    }
    const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
    await until(() => made.length === 1 && other.isCaughtUp())
    await more()
    await until(() => subjects(receiver).length >= 2)
    // It lets go of the subscription.
    await hub.rest()
    await other.ledger.readModel.current()
    await until(() => other.isCaughtUp())
    assert.equal(subjects(receiver), made)
  })

  test('a hub that is stopped gives up a delivery that hangs, and another one that waits for it repeats it at once', async () => {
    // The other one would wait for longer than this test may take.
    const hub = await startDelivering({ driver, webhooks: { timeoutSeconds: 60 } })
    const receiver = await startReceiver()
    receiver.answers = () => 'silence'
    const ada = await settleUser(hub.ledger, 'ada')
    const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
    await hub.change(ada)
    await until(() => receiver.received.length === 1)
    const other = await hub.again()
    receiver.answers = () => ({ status: 200 })
    await hub.rest()
    assert.is((await hub.report(row)).failing, null, 'that was no failure of the receiver')
    await until(() => receiver.received.length === 2)
    await other.stop()
    assert.is(receiver.received[1]?.messageId, receiver.received[0]?.messageId)
  })

  const changes: readonly [what: string, command: (id: string) => Command][] = [
    ['changed', (id) => ({ type: 'RotateWebhookSecret', id })],
    ['switched off', (id) => ({ type: 'DisableWebhook', id, reason: 'access' })]
  ]
  for (const [what, command] of changes)
    test(`a hub that is stopped holds nothing of a webhook that was ${what} since its last delivery`, async () => {
      const [hub, receiver] = [await startDelivering({ driver }), await startReceiver()]
      const ada = await settleUser(hub.ledger, 'ada')
      const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
      await hub.change(ada)
      await until(() => receiver.received.length === 1)
      await hub.ledger.run(command(row.id), systemOrigin)
      await until(() => hub.isCaughtUp())
      await hub.rest()
      const { text = '' } = (await hub.ledger.storage.state.get(deliveryStateKey(row.id))) ?? {}
      assert.equal([deliveryStateOf(row, { text }).position > 0, deliveryStateOf(row, { text }).lease], [true, null])
    })

  test.run()
}
