import * as assert from 'uvu/assert'
import { type DeliveryState, deliveryStateKey } from '../../src/followers/webhooks/deliveryState.js'
import type { CommandOrigin } from '../../src/ledger/ledger.js'
import { LIMITS } from '../../src/limits.js'
import { settleUser } from '../race/world.js'
import { suite } from '../support/suite.js'
import { type Answer, changeIn, type Receiver, startReceiver } from './receiver.js'
import { type Delivering, startDelivering, until } from './support.js'

const SHARE = LIMITS.webhooksAtOnce.max / 2
const MANY = LIMITS.webhooksOfOne.max

const test = suite('webhooks of several accounts')
let hub: Delivering
let receiver: Receiver
let ada: CommandOrigin
let bob: CommandOrigin

test.before.each(async () => {
  hub = await startDelivering({ webhooks: { timeoutSeconds: 60 } })
  receiver = await startReceiver()
  ada = await settleUser(hub.ledger, 'ada')
  bob = await settleUser(hub.ledger, 'bob')
})
const arrived = (who: string) => receiver.received.filter(({ path }) => path.startsWith(`/hook/${who}`))

/** Subscriptions of an account to a collection of its own, of which it has changed nothing since. */
async function subscribed(who: string, by: CommandOrigin, count: number) {
  const collectionId = await hub.change(by)
  const rows = []
  for (let i = 0; i < count; i++)
    rows.push(await hub.subscribe({ url: `${receiver.url}/${who}/${i}`, types: ['FolderCreated'], collectionId }, by))
  const change = (id: string) =>
    hub.ledger.run({ type: 'CreateFolder', id, collectionId, parentFolderId: null, name: id }, by)
  return { rows, change }
}

test('while the receivers of one account’s fifty webhooks say nothing, another account is told at once', async () => {
  receiver.answers = ({ path }) => (path.startsWith('/hook/ada') ? 'silence' : { status: 204 })
  const [adas, bobs] = [await subscribed('ada', ada, MANY), await subscribed('bob', bob, 1)]
  await adas.change('a1')
  await until(() => arrived('ada').length === SHARE)
  for (const id of ['b1', 'b2', 'b3']) {
    await bobs.change(id)
    await until(() => arrived('bob').some((one) => changeIn(one).id === id))
  }
  assert.is(arrived('ada').length, SHARE)
})

test('a receiver that is slow to take a change has the next one when the others had their turn', async () => {
  const held: ((answer: Answer) => void)[] = []
  receiver.answers = () => new Promise<Answer>((resolve) => held.push(resolve))
  const { change } = await subscribed('ada', ada, SHARE + 1)
  for (const id of ['a1', 'a2', 'a3']) await change(id)
  await until(() => held.length === SHARE)
  const paths = () => receiver.received.map(({ path }) => path)
  assert.is(new Set(paths()).size, SHARE)
  hub.pass(LIMITS.webhookTurn.max)
  held[0]?.({ status: 204 })
  await until(() => held.length === SHARE + 1)
  assert.is(new Set(paths()).size, SHARE + 1, 'the one that had waited is next')
  for (const answer of held) answer({ status: 204 })
  receiver.answers = () => ({ status: 204 })
  await until(() => arrived('ada').length === 3 * (SHARE + 1))
})

test('webhooks that were slow again and again are given few of the places', async () => {
  receiver.answers = ({ path }) => (path.startsWith('/hook/ada') ? 'silence' : { status: 204 })
  const [adas, bobs] = [await subscribed('ada', ada, MANY), await subscribed('bob', bob, 1)]
  await hub.rest()
  const { storage } = hub.ledger
  for (const row of adas.rows) {
    const known = await storage.state.get(deliveryStateKey(row.id))
    const slow = { ...slowStanding, startedBy: row.startedBy, position: row.startsAfter }
    assert.ok(await storage.state.put(deliveryStateKey(row.id), JSON.stringify(slow), known?.mark ?? null))
  }
  const again = await hub.again()
  // Nobody asks for this change, so all have looked where they stand, and nothing was sent.
  await again.change(ada)
  await until(() => again.isCaughtUp())
  await adas.change('a1')
  await until(() => arrived('ada').length === LIMITS.slowWebhooksAtOnce.max)
  await bobs.change('b1')
  await until(() => arrived('bob').length === 1)
  assert.is(arrived('ada').length, LIMITS.slowWebhooksAtOnce.max)
})

const attempt = {
  ...{ messageId: 'msg', position: 1, type: 'FolderCreated', at: '2026-01-01T00:00:00.000Z', attempt: 1 },
  ...{ status: 204, error: null, answer: '', durationMs: LIMITS.slowDelivery.max + 1 }
}
const slowStanding: Pick<DeliveryState, 'failing' | 'lease' | 'deliveries'> = {
  ...{ failing: null, lease: null, deliveries: [attempt, attempt, attempt] }
}

test.run()
