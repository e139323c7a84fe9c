import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { type Fields, fields, records, text } from './client.js'
import { requestContent } from './content.js'
import { drivers, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { exactly, noticePage } from './shapes.js'
import { type Account, startHub } from './support.js'
import { succeeded, World } from './world.js'

const DAY_MS = 86_400_000

const outcome = (status: string, more: object = {}) => ({
  payload: { harborclientExport: 'request-run-results', results: [{ status }], ...more }
})

for (const driver of drivers) {
  let world: World
  const test = hubSuite('notices', driver, (made) => {
    world = made
  })

  const noticesOf = async (one: Account, query = 'limit=100') =>
    exactly(noticePage, succeeded(await world.by(one).get(`/notices?${query}`)).body)
  const told = async (one: Account) => (await noticesOf(one)).notices
  const unread = async (one: Account) => Number(fields((await world.by(one).get('/notices/unread-count')).body).count)
  const save = async (one: Account, id: string, collectionId: string, name = 'Next') =>
    void succeeded(await world.by(one).put(`/requests/${id}`, { ...requestContent, collectionId, name }))
  const comment = async (one: Account, on: string, body = 'Why?') =>
    text(succeeded(await world.by(one).post(`/${on}/discussions`, { body })).body, 'id')
  const answer = async (one: Account, id: string, body = 'So') =>
    text(succeeded(await world.by(one).post(`/discussion-comments/${id}/replies`, { body })).body, 'id')
  const setLevel = async (one: Account, level: string) =>
    void succeeded(await world.by(one).put('/me/notification-settings', { level }))

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
    succeeded(await world.by(world.admin).put(`/admin/users/${bob.id}`, { collectionAccess: [collectionId, hidden] }))
    const visible: string[] = []
    for (const where of [collectionId, hidden, hidden, hidden, collectionId]) {
      const id = await world.request(where)
      await save(world.owner, id, where)
      if (where === collectionId) visible.unshift(id)
    }
    assert.is(await unread(bob), 5)
    succeeded(await world.by(world.admin).put(`/admin/users/${bob.id}`, { collectionAccess: [collectionId] }))
    const page = await noticesOf(bob, 'limit=2')
    assert.equal(
      page.notices.map(({ id }) => id),
      visible
    )
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
    await save(ada, id, collectionId)
    await save(ada, second, collectionId)
    assert.is(await unread(bob), 2)
    succeeded(await world.by(bob).post(`/notices/${id}/read`))
    assert.is(await unread(bob), 1)
    assert.equal(
      (await told(bob)).map(({ id, readAt }) => [id, readAt !== null]),
      [
        [second, false],
        [id, true]
      ]
    )
    await save(ada, id, collectionId, 'Again')
    assert.is(await unread(bob), 2)
    succeeded(await world.by(bob).post('/notices/read-all'))
    assert.is(await unread(bob), 0)
    assert.ok((await told(bob)).every(({ readAt }) => readAt !== null))
    await save(ada, second, collectionId, 'Again')
    assert.is(await unread(bob), 1)
  })

  test('nobody is told of what they may not see now, or of what is gone; what comes back is told again', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    const mine = world.by(world.owner)
    const elsewhere = await world.collection()
    await comment(ada, `requests/${id}`, `@${bob.name}`)
    assert.is((await types(bob)).length, 2)
    await save(world.owner, id, elsewhere)
    assert.equal(await types(bob), [])
    await save(world.owner, id, collectionId)
    assert.is((await types(bob)).length, 2)
    const [said] = records(succeeded(await mine.get(`/requests/${id}/discussions`)), 'comments')
    succeeded(await world.by(ada).delete(`/discussion-comments/${said?.id}`))
    assert.is((await types(bob)).length, 1)
    const { admin } = world
    succeeded(await world.by(admin).put(`/admin/users/${bob.id}`, { collectionAccess: [] }))
    assert.equal([await types(bob), await unread(bob)], [[], 0])
    succeeded(await world.by(admin).put(`/admin/users/${bob.id}`, { collectionAccess: [collectionId] }))
    const folder = await world.folder(collectionId)
    const inside = await world.request(collectionId, folder)
    await save(ada, id, collectionId)
    succeeded(
      await world.by(ada).put(`/requests/${inside}`, { ...requestContent, collectionId, folderId: folder, name: 'In' })
    )
    const all = [
      ['request.updated', inside],
      ['request.updated', id]
    ]
    assert.equal(await types(bob), all)
    succeeded(await mine.delete(`/folders/${folder}`))
    assert.equal(await types(bob), [['request.updated', id]])
    succeeded(await mine.post('/undelete', { kind: 'folder', id: folder }))
    assert.equal(await types(bob), all)
    succeeded(await mine.delete(`/collections/${collectionId}`))
    assert.equal([await types(bob), await unread(bob)], [[], 0])
    succeeded(await mine.post('/undelete', { kind: 'collection', id: collectionId }))
    assert.equal(await types(bob), all)
  })

  test('who was not there when it happened is not told', async () => {
    const { collectionId, id, ada } = await team()
    await save(ada, id, collectionId)
    const late = await world.user({ collectionAccess: [collectionId] })
    assert.equal(await types(late), [])
  })

  test('of a run those are told who have its collection, or all where it names none', async () => {
    const { collectionId, ada, bob, eve } = await team()
    const collection = { uuid: collectionId, name: 'Secret' }
    const failed = await world.make('run-results', outcome('failed', { collection }), ada)
    const passed = await world.make('run-results', outcome('passed', { request: { name: 'Ping' } }), ada)
    assert.equal(await types(bob), [
      ['runResult.created', passed],
      ['runResult.failed', failed]
    ])
    assert.equal(await types(eve), [['runResult.created', passed]])
    const [notice] = await told(eve)
    const { runLabel, requestName } = notice?.displayMetadata ?? {}
    assert.equal([notice?.runResultId, notice?.collectionId, requestName], [passed, null, 'Ping'])
    assert.is(runLabel, notice?.displayMetadata.targetLabel)
    succeeded(await world.by(ada).delete(`/run-results/${passed}`))
    assert.equal(await types(eve), [])
  })

  test('a comment tells whom it mentions, an answer who is in the thread, and a new thread who was in another', async () => {
    const { id, ada, bob, eve } = await team()
    const on = `requests/${id}`
    const first = await comment(ada, on, `@${bob.name} and @${eve.name}, see`)
    assert.equal(await types(bob), [['discussion.mention', id]])
    assert.equal([await types(ada), await types(eve)], [[], []])
    const [mention] = await told(bob)
    assert.equal([mention?.id, mention?.discussionThreadId, mention?.discussionCommentId], [first, first, first])
    assert.is(mention?.displayMetadata.previewText, `@${bob.name} and @${eve.name}, see`)
    const second = await answer(world.owner, first, 'x'.repeat(121))
    assert.equal([(await types(ada)).length, (await types(bob)).length], [1, 2])
    assert.is((await told(ada))[0]?.displayMetadata.previewText, `${'x'.repeat(117)}...`)
    await comment(world.owner, on, 'Another thing')
    assert.equal(
      (await told(ada)).map(({ eventType }) => eventType),
      ['discussion.comment', 'discussion.reply']
    )
    succeeded(await world.by(world.owner).delete(`/discussion-comments/${second}`))
    assert.is((await told(ada)).length, 1)
  })

  test('who is mentioned without access is told nothing of it, nor of the answers, when access comes later', async () => {
    const { collectionId, id, ada, eve } = await team()
    const root = await comment(ada, `requests/${id}`, `@${eve.name}, see`)
    succeeded(await world.by(world.admin).put(`/admin/users/${eve.id}`, { collectionAccess: [collectionId] }))
    await answer(world.owner, root)
    assert.equal(await types(eve), [])
    assert.is(fields((await world.by(eve).get(`/discussion-threads/${root}/subscription`)).body).subscribed, false)
    await answer(ada, root, `@${eve.name}`)
    assert.equal(await types(eve), [['discussion.mention', id]])
  })

  test('who unsubscribes is told of no more answers, but of mentions; who subscribes is told of all from then on', async () => {
    const { id, ada, bob } = await team()
    const root = await comment(ada, `requests/${id}`)
    await answer(world.owner, root, 'Early')
    const thread = `/discussion-threads/${root}`
    succeeded(await world.by(ada).post(`${thread}/unsubscribe`))
    succeeded(await world.by(bob).post(`${thread}/subscribe`))
    await answer(world.owner, root)
    await answer(world.owner, root, `@${ada.name}`)
    assert.equal(
      (await told(ada)).map(({ eventType }) => eventType),
      ['discussion.mention', 'discussion.reply']
    )
    assert.equal(
      (await told(bob)).map(({ eventType }) => eventType),
      ['discussion.reply', 'discussion.reply']
    )
  })

  test('the level that an account chooses counts for all that it is shown', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    await comment(ada, `requests/${id}`, `@${bob.name}`)
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
    const seen: Fields[] = []
    for (let cursor = ''; ; ) {
      const page = await noticesOf(bob, `limit=2&cursor=${cursor}`)
      seen.push(...page.notices)
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    assert.equal(seen.map((one) => text(one, 'id')).toSorted(), ids.toSorted())
    const newest = text(seen[0], 'createdAt')
    const older = (await noticesOf(bob, `cursor=${newest}`)).notices
    assert.ok(older.every(({ createdAt }) => createdAt < newest))
  })

  test('an account that is gone is told of as unknown, and takes its marks with it', async () => {
    const { collectionId, id, ada, bob } = await team()
    await save(ada, id, collectionId)
    succeeded(await world.by(bob).post('/notices/read-all'))
    for (const one of [ada, bob]) succeeded(await world.by(world.admin).delete(`/admin/users/${one.id}`))
    const [notice] = records(succeeded(await world.by(world.owner).get('/notices')), 'notices')
    assert.equal(notice?.actor, { id: '', name: 'Unknown user' })
    assert.is(await world.hub.hub.ledger.storage.state.get(`notices-${bob.id}`), null)
  })

  test.run()
}

const times = suite('notices and time')

times('what happened more than 30 days ago is told to nobody', async () => {
  let ahead_ms = 0
  const hub = await startHub(sqlite, { now: () => Date.now() + ahead_ms })
  try {
    const world = await World.of(hub)
    const collectionId = await world.collection()
    const id = await world.request(collectionId)
    const save = async (name: string) =>
      void succeeded(await world.by(world.colleague).put(`/requests/${id}`, { ...requestContent, collectionId, name }))
    await save('Old')
    const { get } = world.by(world.owner)
    const told = async () => [
      records(await get('/notices'), 'notices').length,
      fields((await get('/notices/unread-count')).body).count
    ]
    ahead_ms = 29 * DAY_MS
    assert.equal(await told(), [1, 1])
    ahead_ms = 31 * DAY_MS
    assert.equal(await told(), [0, 0])
    await save('New')
    assert.equal(await told(), [1, 1])
  } finally {
    await hub.close()
  }
})

times.run()
