import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { idempotencyKeysTable } from '../../commands/log/idempotency/table.js'
import { eachOf, fields, idsOf, type Reply, records, text } from './client.js'
import { documentContent, requestContent, snippetContent } from './content.js'
import { drivers, usualDrivers } from './drivers.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import { items, lockables } from './kinds.js'
import { type Account, startBeside } from './support.js'
import { listed, succeeded, type World } from './world.js'

const HOUR_MS = 3_600_000
const USED = /^This Idempotency-Key was used for a request with another body/
const SHOWN = /its secret was shown once/
const payload = { harborclientExport: 'request-run-results', request: { name: 'Pay' }, results: [{ status: 'passed' }] }

/** A POST that makes a record, and what the record is later replaced by and deleted at. */
interface Creation {
  readonly at: string
  readonly path: (world: World) => string | Promise<string>
  readonly body: object
  readonly other: object
  readonly change?: readonly [method: 'PUT' | 'PATCH', body: object]
}

const inside = (kind: string) => async (world: World) => `/collections/${await world.collection()}/${kind}`
const creations: readonly Creation[] = [
  ...lockables.map(
    ({ path, content }): Creation => ({
      ...{ at: path, path: () => `/${path}`, body: { name: 'One' }, other: { name: 'Other' } },
      change: ['PUT', content]
    })
  ),
  ...items.map(
    ({ path, content }): Creation => ({
      ...{ at: path, path: inside(path), body: content, other: { ...content, name: 'Other' } },
      change: ['PUT', { ...content, name: 'Renamed' }]
    })
  ),
  {
    ...{ at: 'folders', path: inside('folders'), body: { name: 'Refunds' }, other: { name: 'Returns' } },
    change: ['PATCH', { name: 'Renamed' }]
  },
  {
    ...{ at: 'discussion-comments', path: inside('discussions'), body: { body: 'Why?' }, other: { body: 'So' } },
    change: ['PUT', { body: 'Why not?' }]
  },
  { at: 'run-results', path: () => '/run-results', body: { payload }, other: { payload, label: 'Other' } }
]

/** What a client can tell of an answer. */
const seen = ({ status, text, headers }: Reply) => ({ status, text, etag: headers.etag, type: headers['content-type'] })
const keyed = (key: string) => ({ 'idempotency-key': key })

// What a key is good for is in test/decide/idempotency.test.ts.
for (const driver of drivers) {
  let later_ms = 0
  const { test, world } = hubSuite('idempotency keys', driver, { now: () => Date.now() + later_ms })

  const post = (path: string, body: unknown, key: string, as: Account = world.owner) =>
    world.by(as).post(path, body, keyed(key))
  const rows = () => world.hub.hub.ledger.readModel.list(idempotencyKeysTable, 'byDay', [], { body: false })

  /** The same request gets the same answer, and the log stays where it is. */
  const repeats = async (first: Reply, again: () => Promise<Reply>) => {
    const before = world.position()
    assert.equal(seen(await again()), seen(first))
    assert.is(world.position(), before)
  }

  test('a key that is used is bookkeeping in the log beside its command, and none of it is the key itself', async () => {
    const before = world.position()
    const key = randomUUID()
    await post('/collections', { name: 'Logged' }, key)
    const events = await world.hub.hub.ledger.storage.readLog(before, 10)
    assert.equal(new Set(events.map(({ commandId }) => commandId)).size, 1)
    assert.equal(eachOf(events, 'type'), ['CollectionCreated', 'IdempotencyKeyUsed'])
    assert.not.ok(JSON.stringify(events).includes(key))
  })

  test('16 at once under one key make one record and get one answer, one with another body 422', async () => {
    const [path, key] = [await inside('requests')(world), randomUUID()]
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(path, requestContent, key)))
    const [first] = replies
    for (const reply of replies) assert.equal(seen(succeeded(reply)), first && seen(first))
    assert.is((await listed(world, path)).length, 1)
    const twice = await Promise.all(['One', 'Two'].map((name) => post(path, { ...requestContent, name }, `2 ${key}`)))
    assert.equal(twice.map(({ status }) => status).toSorted(), [200, 422])
    assert.is((await listed(world, path)).length, 2)
  })

  test('two hubs on one database carry a request out once between them', async () => {
    const beside = await startBeside(world.hub)
    try {
      const path = await inside('documents')(world)
      const { token } = world.owner
      for (const round of [1, 2, 3]) {
        const call = { method: 'POST', path, token, body: documentContent, headers: keyed(randomUUID()) }
        const senders = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? world.hub : beside))
        const replies = await Promise.all(senders.map(({ send }) => send(call)))
        const [first] = replies
        for (const reply of replies) assert.equal(seen(succeeded(reply)), first && seen(first))
        assert.is((await listed(world, path)).length, round)
      }
    } finally {
      await beside.close()
    }
  })

  // What follows is decided above the storage.
  if (!usualDrivers.includes(driver)) {
    test.run()
    continue
  }

  for (const { path, body, other, change, at } of creations) {
    test(`one of ${at} is made once under a key, and every repeat gets the first answer, whatever has become of it`, async () => {
      const [to, key] = [await path(world), randomUUID()]
      const send = () => post(to, body, key)
      const first = succeeded(await send())
      const { id, collectionId } = fields(first.body)
      await repeats(first, send)
      const record = { path: `/${at}/${id}`, token: world.owner.token }
      if (change) {
        const [method, content] = change
        succeeded(await world.hub.send({ ...record, method, body: { collectionId, ...content } }))
        await repeats(first, send)
      }
      succeeded(await world.hub.send({ ...record, method: 'DELETE' }))
      await repeats(first, send)
      await world.refused(422, () => post(to, other, key), USED)
      await repeats(first, send)
    })
  }

  test('the same key is another one for another account, and on another path; on what is no POST it means nothing', async () => {
    const key = randomUUID()
    const [path, elsewhere] = [await inside('folders')(world), await inside('folders')(world)]
    const replies = [
      await post(path, { name: 'Folder' }, key),
      await post(path, { name: 'Folder' }, key, world.colleague),
      await post(elsewhere, { name: 'Folder' }, key)
    ]
    assert.is(new Set(replies.map((reply) => text(succeeded(reply).body, 'id'))).size, 3)
    const id = await world.make('snippets', snippetContent)
    for (const code of ['one', 'two']) {
      const { body } = await world.by(world.owner).put(`/snippets/${id}`, { ...snippetContent, code }, keyed(key))
      assert.is(fields(body).code, code)
    }
  })

  test('the same values in another order are the same body, and fields that the hub does not know are no part of it', async () => {
    const key = randomUUID()
    const first = await post('/snippets', { name: 'Sign', code: 'x' }, key)
    await repeats(first, () => post('/snippets', { code: 'x', name: 'Sign', tags: ['new'] }, key))
  })

  test('a key is 1 to 255 printable ASCII characters', async () => {
    const send = (key: string) => post('/collections', { name: 'Keyed' }, key)
    for (const key of ['', 'x'.repeat(256), 'é', 'a\tb'])
      await world.refused(400, () => send(key), 'The Idempotency-Key must be 1 to 255 printable ASCII characters.')
    for (const key of ['x'.repeat(255), '"quoted one"', '~']) await repeats(succeeded(await send(key)), () => send(key))
  })

  test('what shows a secret is 409 the second time, and is done once', async () => {
    const { id } = await world.user()
    const name = `New ${randomUUID()}`
    const posts = [
      ['/admin/users', { name, role: 'user' }, { name: `Other ${name}`, role: 'user' }],
      [`/admin/users/${id}/tokens`, { name: 'laptop' }, { name: 'phone' }],
      ['/admin/invited-users', { name: `Invited ${name}`, role: 'user' }, { name, role: 'user' }],
      [`/admin/users/${id}/invitations`, {}, { expiresInHours: 5 }]
    ] as const
    const own = [
      ['/auth/tokens', { name: 'laptop' }, { name: 'phone' }],
      ['/auth/desktop-link', {}, null]
    ] as const
    const secrets: string[] = []
    for (const [path, body, other] of posts) {
      const key = randomUUID()
      const reply = await post(path, body, key, world.admin)
      assert.is(reply.status, 201)
      secrets.push(text(reply.body, 'secret'))
      await world.refused(409, () => post(path, body, key, world.admin), SHOWN)
      await world.refused(422, () => post(path, other, key, world.admin), USED)
    }
    for (const [path, body, other] of own) {
      const key = randomUUID()
      assert.is((await post(path, body, key)).status, 201)
      await world.refused(409, () => post(path, body, key), SHOWN)
      if (other) await world.refused(422, () => post(path, other, key), USED)
    }
    const users = records(await world.by(world.admin).get('/admin/users'), 'users')
    assert.is(users.filter((user) => user.name === name).length, 1)
    const redeem = (headers: object, more = {}) =>
      world.hub.send({
        ...{ method: 'POST', path: '/auth/invitations/redeem', headers: { ...headers } },
        body: { secret: secrets.at(-1), ...more }
      })
    const key = keyed(randomUUID())
    assert.is((await redeem(key)).status, 201)
    await world.refused(409, () => redeem(key), SHOWN)
    await world.refused(422, () => redeem(key, { tokenName: 'phone' }), USED)
    await world.refused(410, () => redeem(keyed(randomUUID())))
  })

  test('a late repeat of a restored version does not undo what came after', async () => {
    const { put } = world.by(world.owner)
    const path = `/snippets/${await world.make('snippets', snippetContent)}`
    succeeded(await put(path, { ...snippetContent, code: 'second' }))
    const key = randomUUID()
    const restore = () => post(`${path}/restore`, { version: 1 }, key)
    const first = succeeded(await restore())
    succeeded(await put(path, { ...snippetContent, code: 'third' }))
    await repeats(first, restore)
    assert.is(fields((await world.by(world.owner).get(path)).body).code, 'third')
  })

  test('after 24 hours a key is new, and keys of days past are forgotten', async () => {
    const key = randomUUID()
    const send = (name: string) => post('/collections', { name }, key)
    const first = succeeded(await send('Old'))
    later_ms += 23 * HOUR_MS
    await repeats(first, () => send('Old'))
    later_ms += HOUR_MS
    const second = succeeded(await send('New'))
    await repeats(second, () => send('New'))
    await world.refused(422, () => send('Old'), USED)
    const days = new Set((await rows()).map(({ day }) => day))
    later_ms += 72 * HOUR_MS
    for (const _ of days) succeeded(await post('/collections', { name: 'Later' }, randomUUID()))
    assert.is((await rows()).length, days.size)
    const third = succeeded(await send('Old'))
    const made = [first, second, third].map(({ body }) => text(body, 'id'))
    assert.is(new Set(made).size, 3)
    const all = idsOf(await world.by(world.owner).get('/collections'), 'collections')
    assert.ok(made.every((id) => all.includes(id)))
  })

  test('a replay of the log comes to the same keys', async () => {
    assert.is((await replayedRows(world))[idempotencyKeysTable.name], (await rows()).length)
  })

  test.run()
}
