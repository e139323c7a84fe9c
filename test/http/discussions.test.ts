import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { type Fields, fields, type Reply, records, text } from './client.js'
import { requestContent } from './content.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { comment, exactly } from './shapes.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

const NO_TARGET = 'Target entity not found'
const NO_COMMENT = 'Discussion comment not found'
const payload = { harborclientExport: 'request-run-results', results: [{ status: 'passed' }] }

for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('discussions', driver, (made) => {
    world = made
  })

  const write = async (on: string, body = 'Why?', as: Account = world.owner) =>
    exactly(comment, succeeded(await world.by(as).post(`/${on}/discussions`, { body })).body)
  const answer = async (id: string, body = 'So', as: Account = world.owner) =>
    exactly(comment, succeeded(await world.by(as).post(`/discussion-comments/${id}/replies`, { body })).body)
  const retract = (id: string, as: Account = world.owner) => world.by(as).delete(`/discussion-comments/${id}`)
  const edit = (id: string, body: string, as: Account = world.owner) =>
    world.by(as).put(`/discussion-comments/${id}`, { body })
  const listed = async (on: string, as: Account = world.owner) =>
    records(succeeded(await world.by(as).get(`/${on}/discussions`)), 'comments')
  const setAccess = async (as: Account, collectionAccess: readonly string[]) =>
    void succeeded(await world.by(world.admin).put(`/admin/users/${as.id}`, { collectionAccess }))

  /** A request in a collection of its own. */
  const thing = async () => {
    const collectionId = await world.collection()
    const id = await world.request(collectionId)
    return { collectionId, id, on: `requests/${id}` }
  }

  /** Every page of a discussion, from a cursor on. */
  const pages = async (on: string, limit: number, from?: string) => {
    const found: Fields[][] = []
    for (let cursor = from; found.length < 100; ) {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const reply: Reply = succeeded(await world.by(world.owner).get(`/${on}/discussions?limit=${limit}${query}`))
      found.push([...records(reply, 'comments')])
      const { nextCursor, ...rest } = fields(reply.body)
      assert.equal(Object.keys(rest), ['comments'])
      if (nextCursor === undefined) return found
      cursor = text({ nextCursor }, 'nextCursor')
    }
    throw new Error('The pages have no end.')
  }

  test('a thread is three levels deep, and an answer to the last one stands beside it', async () => {
    const { on } = await thing()
    const root = await write(on)
    const second = await answer(root.id)
    const third = await answer(second.id)
    const beside = await answer(third.id)
    assert.equal(
      [root, second, third, beside].map(({ depth, parentCommentId, rootCommentId }) => [
        depth,
        parentCommentId,
        rootCommentId
      ]),
      [
        [1, null, root.id],
        [2, root.id, root.id],
        [3, second.id, root.id],
        [3, second.id, root.id]
      ]
    )
    succeeded(await retract(second.id))
    assert.is((await answer(third.id)).parentCommentId, second.id)
    await world.refused(
      400,
      () => world.by(world.owner).post(`/discussion-comments/${second.id}/replies`, { body: 'So' }),
      'Cannot reply to a deleted comment'
    )
  })

  test('whoever has the collection reads and writes; who has lost it does neither, not even to their own comments', async () => {
    const { collectionId, id, on } = await thing()
    const ada = await world.user({ collectionAccess: [collectionId] })
    const { id: own } = await write(on, 'Mine', ada)
    assert.equal(await listed(on, ada), await listed(on))
    for (const path of [on, `collections/${collectionId}`]) await write(path, 'Here', ada)
    await setAccess(ada, [])
    const { get, post, put, delete: remove } = world.by(ada)
    for (const send of [
      () => get(`/${on}/discussions`),
      () => post(`/${on}/discussions`, { body: 'Why?' }),
      () => post(`/discussion-comments/${own}/replies`, { body: 'So' }),
      () => put(`/discussion-comments/${own}`, { body: 'New' }),
      () => remove(`/discussion-comments/${own}`)
    ])
      await world.refused(403, send, 'Forbidden')
    await setAccess(ada, [collectionId])
    succeeded(await edit(own, 'Back', ada))
    const elsewhere = await world.collection()
    succeeded(await world.by(world.owner).put(`/requests/${id}`, { ...requestContent, collectionId: elsewhere }))
    await world.refused(403, () => get(`/${on}/discussions`), 'Forbidden')
    assert.is((await listed(on)).length, 2)
  })

  test('a run result is discussed by every user, and by no administrator', async () => {
    const on = `run-results/${await world.make('run-results', { payload })}`
    const nobody = await world.user()
    const { id } = await write(on, 'Red', nobody)
    await answer(id)
    assert.is((await listed(on, nobody)).length, 2)
    await world.refused(403, () => world.by(world.admin).get(`/${on}/discussions`), 'Forbidden')
    await world.refused(403, () => world.by(world.admin).post(`/${on}/discussions`, { body: 'x' }), 'Forbidden')
    succeeded(await world.by(world.owner).delete(`/${on}`))
    await world.refused(404, () => world.by(nobody).get(`/${on}/discussions`), NO_TARGET)
    await world.refused(404, () => edit(id, 'New', nobody), NO_COMMENT)
    await world.refused(
      404,
      () => world.by(nobody).post(`/discussion-comments/${id}/replies`, { body: 'So' }),
      NO_COMMENT
    )
  })

  test('the author alone edits, the author and administrators retract; retracted again the answer is the same', async () => {
    const { on } = await thing()
    const { id, createdAt } = await write(on, 'First')
    const edited = exactly(comment, succeeded(await edit(id, 'Second')).body)
    assert.equal([edited.body, edited.createdAt], ['Second', createdAt])
    await world.refused(403, () => edit(id, 'Third', world.colleague), 'You can only edit your own comments')
    await world.refused(403, () => edit(id, 'Third', world.admin), 'Forbidden')
    await world.refused(403, () => retract(id, world.colleague), 'Forbidden')
    const below = await answer(id, 'So', world.colleague)
    const gone = succeeded(await retract(id))
    const { body, tombstoned, bodyFormat, encryptedPayload } = exactly(comment, gone.body)
    assert.equal([body, tombstoned, bodyFormat, encryptedPayload], [null, true, 'plaintext', null])
    const before = world.position()
    for (const as of [world.owner, world.admin]) assert.equal((await retract(id, as)).text, gone.text)
    assert.is(world.position(), before)
    await world.refused(404, () => edit(id, 'Third'), NO_COMMENT)
    assert.equal((await listed(on)).map((one) => one.id).toSorted(), [id, below.id].toSorted())
    const byAdmin = exactly(comment, succeeded(await retract(below.id, world.admin)).body)
    assert.equal([byAdmin.tombstoned, byAdmin.author.id], [true, world.colleague.id])
  })

  test('24 comments written at once are read page by page, each once and in one order', async () => {
    const { on } = await thing()
    const made = await Promise.all(Array.from({ length: 24 }, (_, i) => write(on, `No. ${i}`)))
    const all = await listed(on)
    assert.is(all.length, 24)
    assert.equal(all.map(({ id }) => id).toSorted(), made.map(({ id }) => id).toSorted())
    for (const limit of [1, 5, 24]) {
      const found = await pages(on, limit)
      assert.is(found.length, Math.ceil(24 / limit))
      assert.equal(found.flat(), all)
    }
    const times = all.map(({ createdAt }) => String(createdAt))
    assert.equal(times, times.toSorted())
  })

  test('a time in place of a cursor shows what was written later', async () => {
    const { on } = await thing()
    const first = await write(on, 'First')
    let next = await write(on, 'Next')
    // Two that were written in one millisecond have one time.
    while (next.createdAt === first.createdAt) next = await write(on, 'Next')
    const all = await listed(on)
    const behind = (at: string) => all.filter(({ createdAt }) => String(createdAt) > at)
    for (const at of [first.createdAt, next.createdAt]) assert.equal((await pages(on, 2, at)).flat(), behind(at))
    assert.equal((await pages(on, 2, first.createdAt.replace('Z', '000Z'))).flat(), behind(first.createdAt))
    assert.equal((await pages(on, 2, '1970-01-01T00:00:00Z')).flat(), all)
    const other = await thing()
    const [page] = await Promise.all([world.by(world.owner).get(`/${on}/discussions?limit=1`), write(other.on)])
    await world.refused(400, () =>
      world.by(world.owner).get(`/collections?cursor=${text(fields(page.body), 'nextCursor')}`)
    )
  })

  test('comments go out of sight with what they are about, and come back with it', async () => {
    const { collectionId, id, on } = await thing()
    const folder = await world.folder(collectionId)
    const inside = await world.request(collectionId, folder)
    const places = [on, `folders/${folder}`, `requests/${inside}`, `collections/${collectionId}`]
    const before = new Map<string, readonly Fields[]>()
    for (const place of places) {
      await answer((await write(place)).id)
      before.set(place, await listed(place))
    }
    const unseen = async (place: string) => {
      await world.refused(404, () => world.by(world.owner).get(`/${place}/discussions`), NO_TARGET)
      await world.refused(404, () => world.by(world.owner).post(`/${place}/discussions`, { body: 'x' }), NO_TARGET)
      const own = text(before.get(place)?.[0], 'id')
      const { post } = world.by(world.owner)
      await world.refused(404, () => post(`/discussion-comments/${own}/replies`, { body: 'x' }), NO_COMMENT)
      await world.refused(404, () => edit(own, 'x'), NO_COMMENT)
      for (const as of [world.owner, world.admin]) await world.refused(404, () => retract(own, as), NO_COMMENT)
    }
    const back = async (kind: string, one: string) =>
      succeeded(await world.by(world.owner).post('/undelete', { kind, id: one }))
    succeeded(await world.by(world.owner).delete(`/requests/${id}`))
    await unseen(on)
    assert.equal(await listed(`folders/${folder}`), before.get(`folders/${folder}`))
    await back('request', id)
    assert.equal(await listed(on), before.get(on))
    succeeded(await world.by(world.owner).delete(`/collections/${collectionId}`))
    for (const place of places) await unseen(place)
    await back('collection', collectionId)
    for (const place of places) assert.equal(await listed(place), before.get(place))
  })

  test('what an account wrote stays when it is gone, without its name, for administrators to retract', async () => {
    const { collectionId, on } = await thing()
    const ada = await world.user({ collectionAccess: [collectionId] })
    const { id, author } = await write(on, 'Mine', ada)
    const { user } = fields(succeeded(await world.by(ada).get('/auth/session')).body)
    const { avatarInitials: initials, avatarColor: color } = fields(user)
    assert.equal(author, { id: ada.id, name: ada.name, avatar: { initials, color } })
    succeeded(await world.by(world.admin).delete(`/admin/users/${ada.id}`))
    const [left] = await listed(on)
    assert.equal([left?.author, left?.body], [{ id: '', name: 'Unknown user' }, 'Mine'])
    await world.refused(403, () => edit(id, 'New'), 'You can only edit your own comments')
    await world.refused(403, () => retract(id), 'Forbidden')
    assert.is(fields(succeeded(await retract(id, world.admin)).body).tombstoned, true)
  })

  test('any text is kept as it came, and a comment holds 65,536 characters', async () => {
    const { on } = await thing()
    const texts = ['a\0b', 'lone \u{d83d} half', '\u{202e}right to left', '"; DROP TABLE x;--', '😀'.repeat(32_768)]
    for (const body of texts) assert.is((await write(on, body)).body, body)
    const kept = new Set((await listed(on)).map(({ body }) => body))
    assert.equal(kept, new Set(texts))
    await world.refused(400, () => world.by(world.owner).post(`/${on}/discussions`, { body: 'x'.repeat(65_537) }))
  })

  test('a hundred of the largest comments come in pages, each no larger than a page may be', async () => {
    const { on } = await thing()
    for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 20 }, () => write(on, '😀'.repeat(32_768))))
    const found = await pages(on, 100)
    assert.ok(found.length > 1)
    assert.is(new Set(found.flat().map(({ id }) => id)).size, 100)
  })

  test('the feed tells of comments whoever may see what they are about, and nothing of what they say', async () => {
    const { collectionId, on } = await thing()
    const [insider, outsider] = [await world.user({ collectionAccess: [collectionId] }), await world.user()]
    const run = `run-results/${await world.make('run-results', { payload })}`
    const start = world.position()
    const { id } = await write(on, 'A secret')
    succeeded(await edit(id, 'Another secret'))
    succeeded(await retract(id))
    const shared = await write(run, 'A secret')
    const told = async (as: Account) => {
      const reply = succeeded(await world.by(as).get(`/changes?after=${start}`))
      assert.not.ok(reply.text.includes('secret'))
      return records(reply, 'changes').map((one) => [one.type, one.kind, one.id, one.collectionId])
    }
    const ofRequest = ['CommentWritten', 'CommentEdited', 'CommentRetracted'].map((type) => [
      type,
      'comment',
      id,
      collectionId
    ])
    const ofRun = ['CommentWritten', 'comment', shared.id, null]
    assert.equal(await told(insider), [...ofRequest, ofRun])
    assert.equal(await told(outsider), [ofRun])
    assert.equal(await told(world.admin), [...ofRequest, ofRun])
  })

  test('the audit log tells who wrote, changed and retracted what', async () => {
    const { on } = await thing()
    const { id } = await write(on, 'First')
    succeeded(await edit(id, 'Second'))
    succeeded(await retract(id))
    const reply = succeeded(await world.by(world.admin).get(`/admin/audit?kind=comment&id=${id}`))
    const entries = records(reply, 'entries').map(({ type, actor, changes }) => {
      const body = (Array.isArray(changes) ? changes : []).map(fields).find(({ path }) => path === '/body')
      return [type, fields(actor).id, body?.from, body?.to]
    })
    assert.equal(entries, [
      ['CommentRetracted', world.owner.id, 'Second', null],
      ['CommentEdited', world.owner.id, 'First', 'Second'],
      ['CommentWritten', world.owner.id, undefined, undefined]
    ])
  })

  test('a replay of the log comes to the same comments', async () => {
    const { storage, readEvents } = world.hub.hub.ledger
    const { equal, tables } = await verify(storage, readEvents, () => createHash('sha256'))
    assert.ok(equal)
    assert.ok((tables.find(({ table }) => table === 'comments')?.rows ?? 0) > 100)
  })

  test.run()
}
