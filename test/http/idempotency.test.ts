import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { idempotencyKeysTable } from '../../projections/idempotencyKeys.js'
import { verify } from '../../projections/verify.js'
import type { Fields, Reply } from './client.js'
import { fields, records } from './client.js'
import { collectionContent, documentContent, environmentContent, requestContent, snippetContent } from './content.js'
import { drivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Account, startBeside } from './support.js'
import { listed, succeeded, type World } from './world.js'

const HOUR_MS = 3_600_000
const USED = /^This Idempotency-Key was used for a request with another body/
const SHOWN = /its secret was shown once/
const runPayload = {
  harborclientExport: 'request-run-results',
  request: { name: 'Pay' },
  results: [{ status: 'passed' }]
}

/** A POST that makes a record, and what the record is later replaced by and deleted at. */
interface Creation {
  readonly what: string
  readonly path: (world: World) => string | Promise<string>
  readonly body: object
  readonly other: object
  readonly change?: (record: Fields) => readonly ['PUT' | 'PATCH', string, object]
  readonly at: string
}

const inside = (kind: string) => async (world: World) => `/collections/${await world.collection()}/${kind}`
const creations: readonly Creation[] = [
  {
    what: 'a collection',
    path: () => '/collections',
    body: { name: 'Orders', marker: 'x' },
    other: { name: 'Returns' },
    change: ({ id }) => ['PUT', `/collections/${id}`, collectionContent],
    at: '/collections'
  },
  {
    what: 'an environment',
    path: () => '/environments',
    body: { name: 'Staging' },
    other: { name: 'Live' },
    change: ({ id }) => ['PUT', `/environments/${id}`, { ...environmentContent, name: 'Renamed' }],
    at: '/environments'
  },
  {
    what: 'a snippet',
    path: () => '/snippets',
    body: snippetContent,
    other: { name: 'Other' },
    change: ({ id }) => ['PUT', `/snippets/${id}`, { ...snippetContent, name: 'Renamed' }],
    at: '/snippets'
  },
  {
    what: 'a folder',
    path: inside('folders'),
    body: { name: 'Refunds' },
    other: { name: 'Returns' },
    change: ({ id }) => ['PATCH', `/folders/${id}`, { name: 'Renamed' }],
    at: '/folders'
  },
  {
    what: 'a request',
    path: inside('requests'),
    body: requestContent,
    other: { ...requestContent, method: 'PUT' },
    change: ({ id, collectionId }) => ['PUT', `/requests/${id}`, { ...requestContent, collectionId, url: '/other' }],
    at: '/requests'
  },
  {
    what: 'a document',
    path: inside('documents'),
    body: documentContent,
    other: { ...documentContent, content: '' },
    change: ({ id, collectionId }) => ['PUT', `/documents/${id}`, { ...documentContent, collectionId, content: 'New' }],
    at: '/documents'
  },
  {
    what: 'a run result',
    path: () => '/run-results',
    body: { payload: runPayload },
    other: { payload: runPayload, label: 'Other' },
    at: '/run-results'
  },
  {
    what: 'a comment',
    path: async (world) => `/collections/${await world.collection()}/discussions`,
    body: { body: 'Why?' },
    other: { body: 'So' },
    change: ({ id }) => ['PUT', `/discussion-comments/${id}`, { body: 'Why not?' }],
    at: '/discussion-comments'
  }
]

/** What a client can tell of an answer. */
const seen = ({ status, text, headers }: Reply) => ({ status, text, etag: headers.etag, type: headers['content-type'] })
const keyed = (key: string) => ({ 'idempotency-key': key })

for (const driver of drivers) {
  let world: World
  let later_ms = 0
  const test = hubSuite(
    'idempotency keys',
    driver,
    (made) => {
      world = made
    },
    { now: () => Date.now() + later_ms }
  )

  const post = (path: string, body: unknown, key: string, as: Account = world.owner) =>
    world.by(as).post(path, body, keyed(key))
  const rows = () => world.hub.hub.ledger.readModel.list(idempotencyKeysTable, 'byDay', [], { body: false })

  /** The same request gets the same answer, and the log stays where it is. */
  const repeats = async (first: Reply, again: () => Promise<Reply>) => {
    const before = world.position()
    assert.equal(seen(await again()), seen(first))
    assert.is(world.position(), before)
  }

  for (const { what, path, body, other, change, at } of creations) {
    test(`${what} is made once under a key, and every repeat gets the first answer, whatever has become of it`, async () => {
      const [to, key] = [await path(world), randomUUID()]
      const send = () => post(to, body, key)
      const first = succeeded(await send())
      const record = fields(first.body)
      await repeats(first, send)
      const [method, target, content] = change?.(record) ?? []
      if (method) {
        await repeats(first, send)
        succeeded(await world.hub.send({ method, path: String(target), token: world.owner.token, body: content }))
        await repeats(first, send)
      }
      succeeded(await world.by(world.owner).delete(`${at}/${record.id}`))
      await repeats(first, send)
      await world.refused(422, () => post(to, other, key), USED)
      await repeats(first, send)
    })
  }

  test('a snippet that an administrator makes is made once, too', async () => {
    const key = randomUUID()
    const send = () => post('/admin/snippets', snippetContent, key, world.admin)
    const first = succeeded(await send())
    assert.is(first.status, 201)
    await repeats(first, send)
  })

  test('a key that is used is bookkeeping in the log beside its command, and none of it is the key itself', async () => {
    const before = world.position()
    const key = randomUUID()
    await post('/collections', { name: 'Logged' }, key)
    const events = await world.hub.hub.ledger.storage.readLog(before, 10)
    assert.equal(new Set(events.map(({ commandId }) => commandId)).size, 1)
    assert.equal(
      events.map(({ type }) => type),
      ['CollectionCreated', 'IdempotencyKeyUsed']
    )
    assert.not.ok(JSON.stringify(events).includes(key))
  })

  test('16 at once under one key make one record and get one answer', async () => {
    const path = await inside('requests')(world)
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(path, requestContent, key)))
    const [first] = replies
    for (const reply of replies) assert.equal(seen(succeeded(reply)), first && seen(first))
    assert.is((await listed(world, path)).length, 1)
  })

  test('two bodies at once under one key: one is carried out, the other is 422', async () => {
    const path = await inside('folders')(world)
    const key = randomUUID()
    const replies = await Promise.all(['One', 'Two'].map((name) => post(path, { name }, key)))
    assert.equal(replies.map(({ status }) => status).toSorted(), [200, 422])
    assert.is((await listed(world, path)).length, 1)
  })

  test('two hubs on one database carry a request out once between them', async () => {
    const beside = await startBeside(world.hub)
    try {
      const path = await inside('documents')(world)
      const { token } = world.owner
      for (const round of [1, 2, 3]) {
        const key = randomUUID()
        const call = { method: 'POST', path, token, body: documentContent, headers: keyed(key) }
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

  test('the same key is another one for another account, and on another path', async () => {
    const key = randomUUID()
    const [path, elsewhere] = [await inside('folders')(world), await inside('folders')(world)]
    const replies = [
      await post(path, { name: 'Folder' }, key),
      await post(path, { name: 'Folder' }, key, world.colleague),
      await post(elsewhere, { name: 'Folder' }, key)
    ]
    assert.is(new Set(replies.map((reply) => fields(succeeded(reply).body).id)).size, 3)
  })

  test('the same values in another order are the same body, and fields that the hub does not know are no part of it', async () => {
    const key = randomUUID()
    const first = await post('/snippets', { name: 'Sign', code: 'x' }, key)
    await repeats(first, () => post('/snippets', { code: 'x', name: 'Sign', tags: ['new'] }, key))
  })

  test('a request that was refused leaves its key free', async () => {
    const key = randomUUID()
    const path = await inside('folders')(world)
    await world.refused(400, () => post(path, { name: '' }, key))
    await world.refused(404, () => post(path, { name: 'Folder', parentFolderId: randomUUID() }, key))
    const stranger = await world.user()
    await world.refused(403, () => post(path, { name: 'Folder' }, key, stranger))
    const first = succeeded(await post(path, { name: 'Folder' }, key))
    await repeats(first, () => post(path, { name: 'Folder' }, key))
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
    for (const [path, body, other] of posts) {
      const key = randomUUID()
      assert.is((await post(path, body, key, world.admin)).status, 201)
      await world.refused(409, () => post(path, body, key, world.admin), SHOWN)
      await world.refused(422, () => post(path, other, key, world.admin), USED)
    }
    const users = records(await world.by(world.admin).get('/admin/users'), 'users')
    assert.is(users.filter((user) => user.name === name).length, 1)
  })

  test('an invitation that is redeemed again under its key is 409, and 410 under another one', async () => {
    const body = { name: `Invited ${randomUUID()}`, role: 'user' }
    const { secret } = fields(succeeded(await world.by(world.admin).post('/admin/invited-users', body)).body)
    const redeem = (key: string, more: object = {}) =>
      world.hub.send({
        method: 'POST',
        path: '/auth/invitations/redeem',
        body: { secret, ...more },
        headers: keyed(key)
      })
    const key = randomUUID()
    assert.is((await redeem(key)).status, 201)
    await world.refused(409, () => redeem(key), SHOWN)
    await world.refused(422, () => redeem(key, { tokenName: 'phone' }), USED)
    await world.refused(410, () => redeem(randomUUID()))
  })

  test('a version is restored once under a key, and a late repeat does not undo what came after', async () => {
    const { post: send, put } = world.by(world.owner)
    const { id } = fields(succeeded(await send('/snippets', snippetContent)).body)
    succeeded(await put(`/snippets/${id}`, { ...snippetContent, code: 'second' }))
    const key = randomUUID()
    const restore = () => post(`/snippets/${id}/restore`, { version: 1 }, key)
    const first = succeeded(await restore())
    await repeats(first, restore)
    succeeded(await put(`/snippets/${id}`, { ...snippetContent, code: 'third' }))
    await repeats(first, restore)
    assert.is(fields((await world.by(world.owner).get(`/snippets/${id}`)).body).code, 'third')
    succeeded(await world.by(world.owner).delete(`/snippets/${id}`))
    await world.refused(404, restore)
  })

  test('a header that cannot be honoured is refused', async () => {
    const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
    const posts = [
      ['/llm/chat/step', chat, world.owner],
      ['/llm/chat/stream', { ...chat, turnId: 't', stepIndex: 0 }, world.owner],
      ['/admin/config/reload', undefined, world.admin],
      ['/admin/undelete', { kind: 'snippet', id: randomUUID() }, world.admin]
    ] as const
    for (const [path, body, as] of posts)
      await world.refused(400, () => post(path, body, 'key', as), /^This request cannot be made repeatable/)
  })

  test('the header means nothing on a request that is no POST', async () => {
    const { put } = world.by(world.owner)
    const { id } = fields(succeeded(await post('/snippets', snippetContent, 'key')).body)
    for (const code of ['one', 'two'])
      assert.is(fields((await put(`/snippets/${id}`, { ...snippetContent, code }, keyed('key'))).body).code, code)
  })

  test('after 24 hours a key is new, and keys of days past are forgotten', async () => {
    const key = randomUUID()
    const send = (name: string) => post('/collections', { name }, key)
    const first = succeeded(await send('Old'))
    later_ms += 23 * HOUR_MS
    await repeats(first, () => send('Old'))
    later_ms += HOUR_MS
    const second = succeeded(await send('New'))
    assert.is.not(fields(second.body).id, fields(first.body).id)
    await repeats(second, () => send('New'))
    await world.refused(422, () => send('Old'), USED)
    const days = new Set((await rows()).map(({ day }) => day))
    later_ms += 72 * HOUR_MS
    for (const _ of days) succeeded(await post('/collections', { name: 'Later' }, randomUUID()))
    assert.is((await rows()).length, days.size)
    const third = succeeded(await send('Old'))
    assert.is.not(fields(third.body).id, fields(first.body).id)
    await repeats(third, () => send('Old'))
  })

  test('a replay of the log comes to the same keys', async () => {
    const { storage, readEvents } = world.hub.hub.ledger
    const { equal, tables } = await verify(storage, readEvents, () => createHash('sha256'))
    assert.ok(equal)
    assert.is(tables.find(({ table }) => table === idempotencyKeysTable.name)?.rows, (await rows()).length)
  })

  test.run()
}
