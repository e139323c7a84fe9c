import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { verify } from '../../projections/verify.js'
import { text } from './client.js'
import { requestContent } from './content.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { comment, exactly } from './shapes.js'
import type { Account } from './support.js'
import type { World } from './world.js'

type Comment = Schemas['Comment']

/** What is discussed. */
interface Target {
  readonly kind: 'requests' | 'collections' | 'folders' | 'run-results'
  readonly id: string
}

interface Query {
  readonly limit?: number
  readonly cursor?: string
}

const NO_TARGET = 'Target entity not found'
const NO_COMMENT = 'Discussion comment not found'
const payload = { harborclientExport: 'request-run-results', results: [{ status: 'passed' }] }

for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('discussions', driver, (made) => {
    world = made
  })

  const send = (as: Account) => world.client(as).request
  const writing = ({ kind, id }: Target, body = 'Why?', as: Account = world.owner) =>
    send(as)('POST', `/${kind}/{id}/discussions`, { path: { id }, body: { body } })
  const write = async (on: Target, body?: string, as?: Account) => exactly(comment, (await writing(on, body, as)).body)
  const answering = (id: string, body = 'So', as: Account = world.owner) =>
    send(as)('POST', '/discussion-comments/{id}/replies', { path: { id }, body: { body } })
  const answer = async (id: string, body?: string, as?: Account) =>
    exactly(comment, (await answering(id, body, as)).body)
  const retract = (id: string, as: Account = world.owner) =>
    send(as)('DELETE', '/discussion-comments/{id}', { path: { id } })
  const edit = (id: string, body: string, as: Account = world.owner) =>
    send(as)('PUT', '/discussion-comments/{id}', { path: { id }, body: { body } })
  const page = ({ kind, id }: Target, as: Account = world.owner, query: Query = {}) =>
    send(as)('GET', `/${kind}/{id}/discussions`, { path: { id }, query })
  const listed = async (on: Target, as?: Account) => (await page(on, as)).body.comments
  const setAccess = (as: Account, collectionAccess: readonly string[]) =>
    send(world.admin)('PUT', '/admin/users/{id}', { path: { id: as.id }, body: { collectionAccess } })
  const removed = ({ kind, id }: Target) => send(world.owner)('DELETE', `/${kind}/{id}`, { path: { id } })

  /** A request in a collection of its own. */
  const thing = async () => {
    const collectionId = await world.collection()
    const id = await world.request(collectionId)
    return { collectionId, id, on: { kind: 'requests', id } as const }
  }
  const aRun = async (): Promise<Target> => {
    const { id } = (await send(world.owner)('POST', '/run-results', { body: { payload } })).body
    return { kind: 'run-results', id }
  }

  /** Every page of a discussion, from a cursor on. */
  const pages = async (on: Target, limit: number, from?: string) => {
    const found: (readonly Comment[])[] = []
    for (let cursor = from; found.length < 100; ) {
      const query = { limit, ...(cursor !== undefined && { cursor }) }
      const { comments, nextCursor, ...rest } = (await page(on, world.owner, query)).body
      found.push(comments)
      assert.equal(rest, {})
      if (nextCursor === undefined) return found
      cursor = nextCursor
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
    await retract(second.id)
    assert.is((await answer(third.id)).parentCommentId, second.id)
    await world.denied(400, () => answering(second.id), 'Cannot reply to a deleted comment')
  })

  test('whoever has the collection reads and writes; who has lost it does neither, not even to their own comments', async () => {
    const { collectionId, id, on } = await thing()
    const ada = await world.user({ collectionAccess: [collectionId] })
    const { id: own } = await write(on, 'Mine', ada)
    assert.equal(await listed(on, ada), await listed(on))
    for (const one of [on, { kind: 'collections', id: collectionId } as const]) await write(one, 'Here', ada)
    await setAccess(ada, [])
    for (const ask of [
      () => page(on, ada),
      () => writing(on, 'Why?', ada),
      () => answering(own, 'So', ada),
      () => edit(own, 'New', ada),
      () => retract(own, ada)
    ])
      await world.denied(403, ask, 'Forbidden')
    await setAccess(ada, [collectionId])
    await edit(own, 'Back', ada)
    const elsewhere = await world.collection()
    const body = { ...requestContent, collectionId: elsewhere }
    await send(world.owner)('PUT', '/requests/{id}', { path: { id }, body })
    await world.denied(403, () => page(on, ada), 'Forbidden')
    assert.is((await listed(on)).length, 2)
  })

  test('a run result is discussed by every user, and by no administrator', async () => {
    const on = await aRun()
    const nobody = await world.user()
    const { id } = await write(on, 'Red', nobody)
    await answer(id)
    assert.is((await listed(on, nobody)).length, 2)
    await world.denied(403, () => page(on, world.admin), 'Forbidden')
    await world.denied(403, () => writing(on, 'x', world.admin), 'Forbidden')
    await removed(on)
    await world.denied(404, () => page(on, nobody), NO_TARGET)
    await world.denied(404, () => edit(id, 'New', nobody), NO_COMMENT)
    await world.denied(404, () => answering(id, 'So', nobody), NO_COMMENT)
  })

  test('the author alone edits, the author and administrators retract; retracted again the answer is the same', async () => {
    const { on } = await thing()
    const { id, createdAt } = await write(on, 'First')
    const edited = exactly(comment, (await edit(id, 'Second')).body)
    assert.equal([edited.body, edited.createdAt], ['Second', createdAt])
    await world.denied(403, () => edit(id, 'Third', world.colleague), 'You can only edit your own comments')
    await world.denied(403, () => edit(id, 'Third', world.admin), 'Forbidden')
    await world.denied(403, () => retract(id, world.colleague), 'Forbidden')
    const below = await answer(id, 'So', world.colleague)
    const gone = (await retract(id)).body
    const { body, tombstoned, bodyFormat, encryptedPayload } = exactly(comment, gone)
    assert.equal([body, tombstoned, bodyFormat, encryptedPayload], [null, true, 'plaintext', null])
    const before = world.position()
    for (const as of [world.owner, world.admin]) assert.equal((await retract(id, as)).body, gone)
    assert.is(world.position(), before)
    await world.denied(404, () => edit(id, 'Third'), NO_COMMENT)
    assert.equal((await listed(on)).map((one) => one.id).toSorted(), [id, below.id].toSorted())
    const byAdmin = exactly(comment, (await retract(below.id, world.admin)).body)
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
    const times = all.map(({ createdAt }) => createdAt)
    assert.equal(times, times.toSorted())
  })

  test('a time in place of a cursor shows what was written later', async () => {
    const { on } = await thing()
    const first = await write(on, 'First')
    let next = await write(on, 'Next')
    // Two that were written in one millisecond have one time.
    while (next.createdAt === first.createdAt) next = await write(on, 'Next')
    const all = await listed(on)
    const behind = (at: string) => all.filter(({ createdAt }) => createdAt > at)
    for (const at of [first.createdAt, next.createdAt]) assert.equal((await pages(on, 2, at)).flat(), behind(at))
    assert.equal((await pages(on, 2, first.createdAt.replace('Z', '000Z'))).flat(), behind(first.createdAt))
    assert.equal((await pages(on, 2, '1970-01-01T00:00:00Z')).flat(), all)
    const other = await thing()
    const [{ body }] = await Promise.all([page(on, world.owner, { limit: 1 }), write(other.on)])
    const cursor = text(body, 'nextCursor')
    await world.denied(400, () => send(world.owner)('GET', '/collections', { query: { cursor } }))
  })

  test('comments go out of sight with what they are about, and come back with it', async () => {
    const { collectionId, id, on } = await thing()
    const folder = await world.folder(collectionId)
    const inside = await world.request(collectionId, folder)
    const inFolder: Target = { kind: 'folders', id: folder }
    const all: Target = { kind: 'collections', id: collectionId }
    const places: readonly Target[] = [on, inFolder, { kind: 'requests', id: inside }, all]
    const before = new Map<Target, readonly Comment[]>()
    for (const place of places) {
      await answer((await write(place)).id)
      before.set(place, await listed(place))
    }
    const unseen = async (place: Target) => {
      await world.denied(404, () => page(place), NO_TARGET)
      await world.denied(404, () => writing(place, 'x'), NO_TARGET)
      const own = text(before.get(place)?.[0], 'id')
      await world.denied(404, () => answering(own, 'x'), NO_COMMENT)
      await world.denied(404, () => edit(own, 'x'), NO_COMMENT)
      for (const as of [world.owner, world.admin]) await world.denied(404, () => retract(own, as), NO_COMMENT)
    }
    const back = (kind: 'request' | 'collection', one: string) =>
      send(world.owner)('POST', '/undelete', { body: { kind, id: one } })
    await removed(on)
    await unseen(on)
    assert.equal(await listed(inFolder), before.get(inFolder))
    await back('request', id)
    assert.equal(await listed(on), before.get(on))
    await removed(all)
    for (const place of places) await unseen(place)
    await back('collection', collectionId)
    for (const place of places) assert.equal(await listed(place), before.get(place))
  })

  test('what an account wrote stays when it is gone, without its name, for administrators to retract', async () => {
    const { collectionId, on } = await thing()
    const ada = await world.user({ collectionAccess: [collectionId] })
    const { id, author } = await write(on, 'Mine', ada)
    const { user } = (await send(ada)('GET', '/auth/session')).body
    const { avatarInitials: initials, avatarColor: color } = user
    assert.equal(author, { id: ada.id, name: ada.name, avatar: { initials, color } })
    await send(world.admin)('DELETE', '/admin/users/{id}', { path: { id: ada.id } })
    const [left] = await listed(on)
    assert.equal([left?.author, left?.body], [{ id: '', name: 'Unknown user' }, 'Mine'])
    await world.denied(403, () => edit(id, 'New'), 'You can only edit your own comments')
    await world.denied(403, () => retract(id), 'Forbidden')
    assert.is((await retract(id, world.admin)).body.tombstoned, true)
  })

  test('any text is kept as it came, and a comment holds 65,536 characters', async () => {
    const { on } = await thing()
    const texts = ['a\0b', 'lone \u{d83d} half', '\u{202e}right to left', '"; DROP TABLE x;--', '😀'.repeat(32_768)]
    for (const body of texts) assert.is((await write(on, body)).body, body)
    const kept = new Set((await listed(on)).map(({ body }) => body))
    assert.equal(kept, new Set(texts))
    await world.denied(400, () => writing(on, 'x'.repeat(65_537)))
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
    const run = await aRun()
    const start = world.position()
    const { id } = await write(on, 'A secret')
    await edit(id, 'Another secret')
    await retract(id)
    const shared = await write(run, 'A secret')
    const told = async (as: Account) => {
      const { body } = await send(as)('GET', '/changes', { query: { after: String(start) } })
      assert.not.ok(JSON.stringify(body).includes('secret'))
      return body.changes.map((one) => [one.type, one.kind, one.id, one.collectionId])
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
    // Administrators are told of the keys that the client has drawn, too: one of each comment.
    const keys = Array(2).fill('IdempotencyKeyUsed')
    const toAdmin = await told(world.admin)
    const [ofKeys, others] = [true, false].map((isKey) => toAdmin.filter(([, kind]) => (kind === 'key') === isKey))
    assert.equal([ofKeys?.map(([type]) => type), others], [keys, [...ofRequest, ofRun]])
  })

  test('the audit log tells who wrote, changed and retracted what', async () => {
    const { on } = await thing()
    const { id } = await write(on, 'First')
    await edit(id, 'Second')
    await retract(id)
    const page = await send(world.admin)('GET', '/admin/audit', { query: { kind: 'comment', id } })
    const entries = page.body.entries.map(({ type, actor, changes }) => {
      const body = changes?.find(({ path }) => path === '/body')
      return [type, actor.id, body?.from, body?.to]
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
