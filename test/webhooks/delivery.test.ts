import { Webhook } from 'standardwebhooks'
import * as assert from 'uvu/assert'
import { deliveryStateKey } from '../../src/followers/webhooks/deliveryState.js'
import type { WebhookRow } from '../../src/followers/webhooks/message.js'
import { type CommandOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { LIMITS } from '../../src/limits.js'
import { settleUser } from '../race/world.js'
import { eventsOf } from '../support/append.js'
import { suite } from '../support/suite.js'
import { changeIn, type Receiver, startReceiver, subjects } from './receiver.js'
import { type Delivering, startDelivering, until } from './support.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const test = suite('webhooks that are delivered')
let hub: Delivering
let receiver: Receiver
let ada: CommandOrigin

test.before.each(async () => {
  hub = await startDelivering()
  receiver = await startReceiver()
  ada = await settleUser(hub.ledger, 'ada')
})
test('a change arrives as the feed tells it, with nothing of its content', async () => {
  await hub.subscribe({ url: receiver.url })
  const id = await hub.change(ada)
  await until(() => subjects(receiver).includes(id))
  const [one] = receiver.received
  assert.ok(one)
  const { data, ...rest } = JSON.parse(one.body)
  assert.equal(Object.keys(data).sort(), ['actorId', 'at', 'collectionId', 'id', 'kind', 'position', 'type'])
  assert.equal(rest, { type: 'CollectionCreated', timestamp: data.at })
  assert.equal([data.type, data.id, data.collectionId, data.kind], ['CollectionCreated', id, id, 'collection'])
  assert.is(one.headers['content-type'], 'application/json')
})

test('receivers verify the signature with the Standard Webhooks package, and nobody else can make it', async () => {
  const row = await hub.subscribe({ url: receiver.url })
  await hub.change(ada)
  await until(() => receiver.received.length === 1)
  const [one] = receiver.received
  assert.ok(one)
  const secret = hub.secretOf(row)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { type } = changeIn(one)
  assert.is(Object(new Webhook(secret).verify(one.body, one.headers)).type, type)
  assert.throws(() => new Webhook(secret).verify(`${one.body} `, one.headers), /No matching signature/)
  const other = await hub.subscribe({ url: receiver.url })
  assert.throws(() => new Webhook(hub.secretOf(other)).verify(one.body, one.headers), /No matching signature/)
})

test('for a day after a rotation both secrets verify, then the new one alone', async () => {
  const before = await hub.subscribe({ url: receiver.url })
  await hub.ledger.run({ type: 'RotateWebhookSecret', id: before.id }, systemOrigin)
  const after = await hub.row(before.id)
  assert.is.not(hub.secretOf(after), hub.secretOf(before))
  const collections = () => receiver.received.filter(({ body }) => changeIn({ body }).kind === 'collection')
  await hub.change(ada)
  await until(() => collections().length === 1)
  const [during] = collections()
  assert.ok(during)
  for (const row of [before, after]) new Webhook(hub.secretOf(row)).verify(during.body, during.headers)
  hub.pass(DAY_MS)
  await hub.change(ada)
  await until(() => collections().length === 2)
  const [, later] = collections()
  assert.is(later?.headers['webhook-signature']?.split(' ').length, 1)
  assert.is(during.headers['webhook-signature']?.split(' ').length, 2)
})

test('a rotation that is made once more leaves receivers with the first secret their day', async () => {
  const first = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  const rotate = () => hub.ledger.run({ type: 'RotateWebhookSecret', id: first.id }, systemOrigin)
  await rotate()
  const second = await hub.row(first.id)
  await rotate()
  const third = await hub.row(first.id)
  await hub.change(ada)
  await until(() => receiver.received.length === 1)
  const [one] = receiver.received
  assert.ok(one)
  for (const row of [first, second, third]) new Webhook(hub.secretOf(row)).verify(one.body, one.headers)
})

test('changes arrive in the order of the log, also through failures, and a repeat has the id of the first', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  const failing = [503, 500, 404]
  receiver.answers = (one) => {
    const isThird = receiver.received.filter(({ messageId }) => messageId !== one.messageId).length >= 2
    return { status: isThird ? (failing.shift() ?? 204) : 204 }
  }
  const made: string[] = []
  for (let i = 0; i < 6; i++) made.push(await hub.change(ada))
  for (let attempts = 1; attempts <= 3; attempts++) {
    await until(async () => (await hub.report(row)).failing?.attempts === attempts)
    hub.pass(HOUR_MS)
  }
  await until(async () => (await hub.report(row)).position === hub.ledger.readModel.head.position)
  assert.equal([...new Set(subjects(receiver))], made)
  assert.equal(subjects(receiver).slice(2, 6), Array(4).fill(made[2]))
  const repeats = receiver.received.slice(2, 6)
  assert.is(new Set(repeats.map(({ messageId }) => messageId)).size, 1)
  assert.is(new Set(repeats.map(({ body }) => body)).size, 1)
  assert.is(new Set(receiver.received.map(({ messageId }) => messageId)).size, 6)
  const { deliveries } = await hub.report(row)
  assert.equal(
    deliveries.map(({ status, attempt }) => `${status} ${attempt}`),
    ['204 1', '204 1', '204 1', '204 4', '404 3', '500 2', '503 1', '204 1', '204 1']
  )
})

test('a clock that goes back by an hour holds up neither a repeat nor what a killed hub was about to deliver', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 503 })
  await hub.change(ada)
  await until(async () => (await hub.report(row)).failing)
  receiver.answers = () => ({ status: 204 })
  hub.pass(-HOUR_MS)
  await until(() => receiver.received.length === 2)

  const other = await hub.subscribe({ url: receiver.url, kinds: ['snippet'] })
  const { state } = hub.ledger.storage
  const lease = { holder: 'gone', until: hub.ledger.now() + 28_000 }
  await until(async () => {
    const entry = await state.get(deliveryStateKey(other.id))
    return (
      entry && state.put(deliveryStateKey(other.id), JSON.stringify({ ...JSON.parse(entry.text), lease }), entry.mark)
    )
  })
  hub.pass(-HOUR_MS)
  await hub.ledger.run({ type: 'CreateSnippet', id: 'kept', content: { name: 'X', code: 'x', scope: 'any' } }, ada)
  await until(() => receiver.received.length === 3)
  assert.is(subjects(receiver)[2], 'kept')
})

test('a receiver that wants to be left alone for a while is', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 429, headers: { 'retry-after': '1800' } })
  await hub.change(ada)
  await until(async () => (await hub.report(row)).failing)
  const { failing, deliveries } = await hub.report(row)
  assert.is(Date.parse(failing?.nextAttemptAt ?? '') - Date.parse(deliveries[0]?.at ?? ''), 1_800_000)
})

test('a receiver that is gone is told nothing more at once, and the log says so', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 410 })
  await hub.change(ada)
  await until(async () => !(await hub.row(row.id)).isEnabled)
  await hub.change(ada)
  assert.is((await hub.row(row.id)).disabledReason, 'gone')
  const events = await eventsOf(hub.ledger.storage, `webhook-${row.id}`)
  assert.equal(
    events.map(({ type }) => type),
    ['WebhookCreated', 'WebhookDisabled']
  )
  assert.match(hub.log.join('\n'), /a webhook was switched off/)
  assert.is(receiver.received.length, 1)
})

test('a webhook that was changed while it was told that nobody is there stays on, and the log says nothing else', async () => {
  const row = await hub.subscribe({ url: `${receiver.url}/old`, kinds: ['collection'] })
  const content = { url: `${receiver.url}/new`, kinds: ['collection'], types: [], collectionId: null, description: '' }
  const change = { type: 'ChangeWebhook', id: row.id, content, isEnabled: undefined } as const
  receiver.answers = async ({ path }) => {
    if (!path.endsWith('old')) return { status: 204 }
    await hub.ledger.run(change, systemOrigin)
    return { status: 410 }
  }
  await hub.change(ada)
  await until(() => receiver.received.some(({ path }) => path.endsWith('new')))
  assert.is((await hub.row(row.id)).isEnabled, true)
  assert.not.match(hub.log.join('\n'), /a webhook was switched off/)
})

/** Writes down that a webhook that fails has done so for longer. */
async function hasFailedFor(row: WebhookRow, time_ms: number): Promise<void> {
  const { state } = hub.ledger.storage
  const entry = await state.get(deliveryStateKey(row.id))
  const before = JSON.parse(entry?.text ?? '')
  const failing = { ...before.failing, since: before.failing.since - time_ms }
  await state.put(deliveryStateKey(row.id), JSON.stringify({ ...before, failing }), entry?.mark ?? null)
}

test('after days of failures a webhook is switched off, and goes on where it was when it is switched on', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 500 })
  const made = [await hub.change(ada), await hub.change(ada)]
  await until(async () => (await hub.report(row)).failing?.attempts === 1)
  await hasFailedFor(row, 5 * DAY_MS - HOUR_MS)
  hub.pass(HOUR_MS / 2)
  await until(async () => (await hub.report(row)).failing?.attempts === 2)
  assert.is((await hub.row(row.id)).isEnabled, true)
  await hasFailedFor(row, HOUR_MS)
  hub.pass(HOUR_MS / 2)
  await until(async () => !(await hub.row(row.id)).isEnabled)
  const off = await hub.row(row.id)
  assert.is(off.disabledReason, 'failures')
  receiver.answers = () => ({ status: 200 })
  hub.pass(30 * DAY_MS)
  const before = receiver.received.length
  await hub.ledger.run({ type: 'EnableWebhook', id: row.id }, systemOrigin)
  await until(() => receiver.received.length === before + 2)
  assert.equal(subjects(receiver).slice(before), made)
})

test('days in which no hub has tried count for nothing', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 500 })
  await hub.change(ada)
  await until(async () => (await hub.report(row)).failing?.attempts === 1)
  for (const attempts of [2, 3]) {
    hub.pass(30 * DAY_MS)
    const isOn = async () => (await hub.row(row.id)).isEnabled
    await until(async () => (await hub.report(row)).failing?.attempts === attempts || !(await isOn()))
    assert.ok(await isOn())
  }
})

test('a webhook that failed for days and was switched on is not switched off by its next failure', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 500 })
  await hub.change(ada)
  await until(async () => (await hub.report(row)).failing)
  await hasFailedFor(row, 6 * DAY_MS)
  hub.pass(HOUR_MS)
  await until(async () => !(await hub.row(row.id)).isEnabled)
  hub.pass(1000)
  await hub.ledger.run({ type: 'EnableWebhook', id: row.id }, systemOrigin)
  const on = await hub.row(row.id)
  await until(async () => (await hub.report(on)).failing?.attempts === 1)
  assert.is((await hub.row(row.id)).isEnabled, true)
})

test('a hub that cannot send anything says so', async () => {
  const { webhooks } = hub.live.hub
  assert.ok(webhooks)
  Object.assign(webhooks, { deliver: () => Promise.reject(new Error('EMFILE: too many open files')) })
  await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  await hub.change(ada)
  await until(() => hub.log.some((line) => line.includes('webhooks could not be delivered')))
})

test('another URL is tried at once, whatever the one before has come to', async () => {
  const row = await hub.subscribe({ url: `${receiver.url}/old`, kinds: ['collection'] })
  receiver.answers = ({ path }) => ({ status: path.endsWith('old') ? 500 : 200 })
  const id = await hub.change(ada)
  await until(async () => (await hub.report(row)).failing)
  hub.pass(1000)
  const content = { url: `${receiver.url}/new`, kinds: ['collection'], types: [], collectionId: null, description: '' }
  await hub.ledger.run({ type: 'ChangeWebhook', id: row.id, content, isEnabled: undefined }, systemOrigin)
  await until(() => receiver.received.some(({ path }) => path.endsWith('new')))
  assert.is(changeIn(receiver.received.at(-1) ?? { body: '' }).id, id)
})

test('from a position on everything is delivered again, under the same ids', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  const made = [await hub.change(ada), await hub.change(ada), await hub.change(ada)]
  await until(() => receiver.received.length === 3)
  const first = receiver.received[0]
  assert.ok(first)
  await hub.ledger.run({ type: 'ReplayWebhook', id: row.id, after: changeIn(first).position }, systemOrigin)
  await until(() => receiver.received.length === 5)
  assert.equal(subjects(receiver), [...made, ...made.slice(1)])
  const ids = receiver.received.map(({ messageId }) => messageId)
  assert.equal(ids.slice(3), ids.slice(1, 3))
})

test('only the kinds, the types and the collection that were asked for arrive', async () => {
  const id = await hub.change(ada)
  const other = await hub.change(ada)
  const urls = ['kind', 'type', 'collection', 'all'].map((path) => `${receiver.url}/${path}`)
  await hub.subscribe({ url: urls[0] ?? '', kinds: ['folder'] })
  await hub.subscribe({ url: urls[1] ?? '', types: ['CollectionDeletionLocked'] })
  await hub.subscribe({ url: urls[2] ?? '', collectionId: id })
  await hub.subscribe({ url: urls[3] ?? '', kinds: ['collection', 'folder'] })
  for (const collectionId of [id, other]) {
    const folder = { type: 'CreateFolder', id: `f-${collectionId}`, collectionId, parentFolderId: null } as const
    await hub.ledger.run({ ...folder, name: 'Folder', marker: null }, ada)
    await hub.ledger.run({ type: 'LockCollection', id: collectionId, deletionLocked: true }, systemOrigin)
  }
  const got = (path: string) =>
    receiver.received.filter((one) => one.path === `/hook/${path}`).map((one) => changeIn(one).type)
  await until(() => got('all').length === 4)
  await until(() => got('collection').length === 2 && got('type').length === 2 && got('kind').length === 2)
  assert.equal(got('kind'), ['FolderCreated', 'FolderCreated'])
  assert.equal(got('type'), ['CollectionDeletionLocked', 'CollectionDeletionLocked'])
  assert.equal(got('collection'), ['FolderCreated', 'CollectionDeletionLocked'])
})

test('what is not for a webhook costs nobody anything, and a restart does not look through all of it', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['snippet'] })
  await Promise.all(Array.from({ length: 1100 }, () => hub.change(ada)))
  await until(async () => (await hub.report(row)).position > 1000)
  assert.is(receiver.received.length, 0)
})

test('a slow receiver holds up nobody else', async () => {
  const own = await startDelivering({ webhooks: { timeoutSeconds: 1 } })
  const somebody = await settleUser(own.ledger, 'ada')
  const slow = await own.subscribe({ url: `${receiver.url}/slow`, kinds: ['collection'] })
  await own.subscribe({ url: `${receiver.url}/quick`, kinds: ['collection'] })
  receiver.answers = ({ path }) => (path.endsWith('slow') ? 'silence' : { status: 200 })
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.push(await own.change(somebody))
  const quick = () => receiver.received.filter(({ path }) => path.endsWith('quick'))
  await until(() => new Set(subjects({ received: quick() })).size === made.length)
  await until(async () => (await own.report(slow)).failing)
  const [last] = (await own.report(slow)).deliveries
  assert.equal([last?.status, last?.error], [null, 'There was no answer within 1 seconds.'])
})

test('of an answer the first kilobyte is kept, without what a terminal would obey', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 200, body: `a\u0007b\n${'x'.repeat(100_000)}` })
  await hub.change(ada)
  await until(async () => (await hub.report(row)).deliveries.length === 1)
  const [one] = (await hub.report(row)).deliveries
  assert.is(one?.answer, `a b ${'x'.repeat(1020)}`)
  assert.not.match(hub.log.join('\n'), 'xxxx')
})

test('a receiver whose answers are no text is told of each change once, however many there are', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  receiver.answers = () => ({ status: 200, body: Buffer.alloc(LIMITS.webhookAnswer.max, 0xff) })
  const made: string[] = []
  for (let i = 0; i <= LIMITS.webhookDeliveries.max; i++) made.push(await hub.change(ada))
  const told = () => subjects(receiver).length - made.length
  await until(async () => told() > 0 || (told() === 0 && hub.isCaughtUp()))
  assert.equal(subjects(receiver), made)
  const [last] = (await hub.report(row)).deliveries
  assert.equal([last?.status, last?.answer], [200, ''])
})

test('where a deleted webhook stood is forgotten', async () => {
  const [gone, kept] = [await hub.subscribe({ url: receiver.url }), await hub.subscribe({ url: receiver.url })]
  await hub.change(ada)
  await until(() => receiver.received.length >= 2)
  await hub.ledger.run({ type: 'DeleteWebhook', id: gone.id }, systemOrigin)
  const keys = async () => (await hub.ledger.storage.state.list('webhook-', '', 10)).map(({ key }) => key)
  await until(async () => (await keys()).length === 1)
  assert.equal(await keys(), [`webhook-${kept.id}`])
})

test('where a restored log has lost where a webhook stood, nothing is sent until somebody says from where', async () => {
  const row = await hub.subscribe({ url: receiver.url, kinds: ['collection'] })
  await hub.change(ada)
  await until(() => receiver.received.length === 1)
  await hub.rest()
  await hub.ledger.storage.state.delete(`webhook-${row.id}`)
  hub.pass(2 * DAY_MS)
  const _other = await hub.again()
  await until(async () => !(await hub.row(row.id)).isEnabled)
  assert.is((await hub.row(row.id)).disabledReason, 'restored')
  const between = await hub.change(ada)
  await hub.ledger.run({ type: 'EnableWebhook', id: row.id }, systemOrigin)
  const after = await hub.change(ada)
  await until(() => subjects(receiver).includes(after))
  assert.equal(subjects(receiver).slice(1), [between, after])
})

test.run()
