import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { eachOf, text } from './client.js'
import { requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Account, startBeside } from './support.js'

const DAY_MS = 86_400_000

interface Query {
  readonly limit?: number
  readonly cursor?: string
}

const outcome = (status: string, more: object = {}) => ({
  payload: { harborclientExport: 'request-run-results', results: [{ status }], ...more }
})

for (const driver of usualDrivers) {
  let ahead_ms = 0
  const { test, world } = hubSuite('notices', driver, { now: () => Date.now() + ahead_ms })

  const by = (one: Account) => world.client(one).request
  const noticesOf = async (one: Account, query: Query = { limit: 100 }) =>
    (await by(one)('GET', '/notices', { query })).body
  const told = async (one: Account) => (await noticesOf(one)).notices
  const unread = async (one: Account) => (await by(one)('GET', '/notices/unread-count')).body.count
  const readAll = (one: Account) => by(one)('POST', '/notices/read-all')
  const save = (one: Account, id: string, collectionId: string, name = 'Next', folderId: string | null = null) =>
    by(one)('PUT', '/requests/{id}', { path: { id }, body: { ...requestContent, collectionId, folderId, name } })
  const comment = async (one: Account, id: string, body = 'Why?') =>
    (await by(one)('POST', '/requests/{id}/discussions', { path: { id }, body: { body } })).body.id
  const answer = async (one: Account, id: string, body = 'So') =>
    (await by(one)('POST', '/discussion-comments/{id}/replies', { path: { id }, body: { body } })).body.id
  const retract = (one: Account, id: string) => by(one)('DELETE', '/discussion-comments/{id}', { path: { id } })
  const setLevel = (one: Account, level: 'all' | 'mentions' | 'none') =>
    by(one)('PUT', '/me/notification-settings', { body: { level } })
  const setAccess = (one: Account, collectionAccess: readonly string[]) =>
    by(world.admin)('PUT', '/admin/users/{id}', { path: { id: one.id }, body: { collectionAccess } })

  /** Three users of one new collection, and a request in it. */
  const team = async () => {
    const collectionId = await world.collection()
    const access = { collectionAccess: [collectionId] }
    const [ada, bob, eve] = [await world.user(access), await world.user(access), await world.user()]
    return { collectionId, id: await world.request(collectionId), ada, bob, eve }
  }
  /** What each is told, of what. */
  const types = async (one: Account) => (await told(one)).map(({ eventType, entityId }) => [eventType, entityId])

  test('who saves a request tells everybody else with access, once however often, and the last to save is told of the others', async () => {
    const { collectionId, id, ada, bob, eve } = await team()
    for (const name of ['One', 'Two', 'Three']) await save(ada, id, collectionId, name)
    assert.equal(await types(bob), [['request.updated', id]])
    assert.equal([await types(ada), await types(eve)], [[], []])
    await save(bob, id, collectionId, 'Four')
    const [own] = await told(bob)
    const [others] = await told(ada)
    assert.equal([own?.actor.id, others?.actor.id], [ada.id, bob.id])
    assert.is(others?.displayMetadata.targetLabel, 'Four')
    assert.is(await unread(bob), 1)
  })

  test('what an account may not see takes no room on its pages and is not counted', async () => {
    const { collectionId, ada, bob } = await team()
    const hidden = await world.collection()
    await setAccess(bob, [collectionId, hidden])
    const visible: string[] = []
    for (const where of [collectionId, hidden, hidden, hidden, collectionId]) {
      const id = await world.request(where)
      await save(world.owner, id, where)
      if (where === collectionId) visible.unshift(id)
    }
    assert.is(await unread(bob), 5)
    await setAccess(bob, [collectionId])
    const page = await noticesOf(bob, { limit: 2 })
    assert.equal(eachOf(page.notices, 'id'), visible)
    assert.is(page.nextCursor, undefined)
    assert.equal([await unread(bob), await unread(ada)], [2, 2])
  })

  test('a save is one event, and nothing else is written, however many are told of it', async () => {
    const { collectionId, id, ada, bob } = await team()
    const { state } = world.hub.hub.ledger.storage
    const kept = await state.list('notices-', '', 1000)
    const before = world.position()
    await save(ada, id, collectionId)
    assert.is((await types(bob)).length, 1)
    assert.is(world.position(), before + 1)
    assert.equal(await state.list('notices-', '', 1000), kept)
  })

  test('what is read stays read until it happens again, and the count is that of the list', async () => {
    const { collectionId, id, ada, bob } = await team()
    const second = await world.request(collectionId)
    const read = async () => (await told(bob)).map(({ id, readAt }) => [id, readAt !== null])
    for (const one of [id, second]) await save(ada, one, collectionId)
    await by(bob)('POST', '/notices/{id}/read', { path: { id } })
    assert.equal(await read(), [
      [second, false],
      [id, true]
    ])
    assert.is(await unread(bob), 1)
    await save(ada, id, collectionId, 'Again')
    assert.is(await unread(bob), 2)
    await readAll(bob)
    assert.is(await unread(bob), 0)
    assert.ok((await read()).every(([, isRead]) => isRead))
  })

  test('nobody is told of what they may not see now, or of what is gone; what comes back is told again', async () => {
    const { collectionId, id, ada, bob } = await team()
    const mine = by(world.owner)
    const counts = async () => [(await told(bob)).length, await unread(bob)]
    await save(ada, id, collectionId)
    const said = await comment(ada, id, `@${bob.name}`)
    assert.equal(await counts(), [2, 2])
    await save(world.owner, id, await world.collection())
    assert.equal(await counts(), [0, 0])
    await save(world.owner, id, collectionId)
    assert.equal(await counts(), [2, 2])
    await retract(ada, said)
    assert.equal(await counts(), [1, 1])
    await setAccess(bob, [])
    assert.equal(await counts(), [0, 0])
    await setAccess(bob, [collectionId])
    const folder = await world.folder(collectionId)
    await save(ada, await world.request(collectionId, folder), collectionId, 'In', folder)
    await save(ada, id, collectionId)
    for (const [kind, gone, left] of [
      ['folder', folder, 1],
      ['collection', collectionId, 0]
    ] as const) {
      await mine('DELETE', `/${kind}s/{id}`, { path: { id: gone } })
      assert.equal(await counts(), [left, left])
      await mine('POST', '/undelete', { body: { kind, id: gone } })
      assert.equal(await counts(), [2, 2])
    }
  })

  test('of a run those are told who have its collection, or all where it names none', async () => {
    const { collectionId, ada, bob, eve } = await team()
    const collection = { uuid: collectionId, name: 'Secret' }
    const share = async (status: string, more: object) =>
      (await by(ada)('POST', '/run-results', { body: outcome(status, more) })).body.id
    const failed = await share('failed', { collection })
    const passed = await share('passed', { request: { name: 'Ping' } })
    assert.equal(await types(bob), [
      ['runResult.created', passed],
      ['runResult.failed', failed]
    ])
    const later = await startBeside(world.hub)
    const toldThere = await later.send({ method: 'GET', path: '/notices', token: bob.token })
    await later.close()
    assert.equal(toldThere.body, { notices: await told(bob) }, 'who begins later reads it off the log')
    assert.equal(await types(eve), [['runResult.created', passed]])
    const [notice] = await told(eve)
    const { runLabel, requestName } = notice?.displayMetadata ?? {}
    assert.equal([notice?.runResultId, notice?.collectionId, requestName], [passed, null, 'Ping'])
    assert.is(runLabel, notice?.displayMetadata.targetLabel)
    await by(ada)('DELETE', '/run-results/{id}', { path: { id: passed } })
    assert.equal(await types(eve), [])
  })

  test('a comment tells whom it mentions, an answer who is in the thread, and a new thread who was in another', async () => {
    const { id, ada, bob, eve } = await team()
    const first = await comment(ada, id, `@${bob.name} and @${eve.name}, see`)
    assert.equal(await types(bob), [['discussion.mention', id]])
    assert.equal([await types(ada), await types(eve)], [[], []])
    const [mention] = await told(bob)
    assert.equal([mention?.id, mention?.discussionThreadId, mention?.discussionCommentId], [first, first, first])
    assert.is(mention?.displayMetadata.previewText, `@${bob.name} and @${eve.name}, see`)
    const second = await answer(world.owner, first, 'x'.repeat(121))
    assert.equal([(await types(ada)).length, (await types(bob)).length], [1, 2])
    assert.is((await told(ada))[0]?.displayMetadata.previewText, `${'x'.repeat(117)}...`)
    await comment(world.owner, id, 'Another thing')
    assert.equal(eachOf(await told(ada), 'eventType'), ['discussion.comment', 'discussion.reply'])
    await retract(world.owner, second)
    assert.is((await told(ada)).length, 1)
  })

  test('who is mentioned without access is told nothing of it, nor of the answers, when access comes later', async () => {
    const { collectionId, id, ada, eve } = await team()
    const root = await comment(ada, id, `@${eve.name}, see`)
    await setAccess(eve, [collectionId])
    await answer(world.owner, root)
    assert.equal(await types(eve), [])
    const subscription = await by(eve)('GET', '/discussion-threads/{id}/subscription', { path: { id: root } })
    assert.is(subscription.body.subscribed, false)
    await answer(ada, root, `@${eve.name}`)
    assert.equal(await types(eve), [['discussion.mention', id]])
  })

  test('who unsubscribes is told of no more answers, but of mentions; who subscribes is told of all from then on', async () => {
    const { id, ada, bob } = await team()
    const root = await comment(ada, id)
    await answer(world.owner, root, 'Early')
    await by(ada)('POST', '/discussion-threads/{id}/unsubscribe', { path: { id: root } })
    await by(bob)('POST', '/discussion-threads/{id}/subscribe', { path: { id: root } })
    await answer(world.owner, root)
    await answer(world.owner, root, `@${ada.name}`)
    assert.equal(eachOf(await told(ada), 'eventType'), ['discussion.mention', 'discussion.reply'])
    assert.equal(eachOf(await told(bob), 'eventType'), ['discussion.reply', 'discussion.reply'])
  })

  test('the level that an account chooses counts for all that it is shown', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    await comment(ada, id, `@${bob.name}`)
    for (const [level, count] of [
      ['mentions', 1],
      ['none', 0],
      ['all', 2]
    ] as const) {
      await setLevel(bob, level)
      assert.equal([(await told(bob)).length, await unread(bob)], [count, count])
    }
  })

  test('pages have each notice once, and a time in place of a cursor begins behind it', async () => {
    const { collectionId, ada, bob } = await team()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift(await world.request(collectionId))
    await Promise.all(ids.map((id) => save(ada, id, collectionId)))
    const seen: Schemas['Notice'][] = []
    for (let cursor = ''; ; ) {
      const page = await noticesOf(bob, { limit: 2, cursor })
      seen.push(...page.notices)
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    assert.equal(seen.map(({ id }) => id).toSorted(), ids.toSorted())
    const newest = text(seen[0], 'createdAt')
    const older = (await noticesOf(bob, { cursor: newest })).notices
    assert.ok(older.every(({ createdAt }) => createdAt < newest))
  })

  test('a notice that is read again keeps the time of the first', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    const read = async () => (await by(bob)('POST', '/notices/{id}/read', { path: { id } })).body.readAt
    const first = await read()
    ahead_ms += 1000
    assert.is(await read(), first)
    assert.is((await told(bob))[0]?.readAt, first)
  })

  test('an account that is gone is told of as unknown, and takes its marks with it', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    await readAll(bob)
    for (const { id } of [ada, bob]) await by(world.admin)('DELETE', '/admin/users/{id}', { path: { id } })
    // Whether or not anybody asks for notices afterwards.
    assert.is(await world.hub.hub.ledger.storage.state.get(`notices-${bob.id}`), null)
    const [notice] = (await by(world.owner)('GET', '/notices')).body.notices
    assert.equal(notice?.actor, { id: '', name: 'Unknown user' })
  })

  // Last, since time does not go back.
  test('what happened more than 30 days ago is told to nobody', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId, 'Old')
    const counts = async () => [(await told(bob)).length, await unread(bob)]
    for (const [days, count] of [
      [29, 1],
      [31, 0]
    ] as const) {
      ahead_ms = days * DAY_MS
      assert.equal(await counts(), [count, count])
    }
    await save(ada, id, collectionId, 'New')
    assert.equal(await counts(), [1, 1])
    // Who saves it last is told of what others did before, for as long.
    ahead_ms = 60 * DAY_MS
    await save(bob, id, collectionId, 'Newer')
    assert.equal(await counts(), [1, 1])
    ahead_ms = 62 * DAY_MS
    assert.equal(await counts(), [0, 0])
    assert.is((await told(ada)).length, 1)
  })

  test.run()
}
