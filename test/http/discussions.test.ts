import * as assert from 'uvu/assert'
import type { Schemas } from '../../clients/typescript/src/index.js'
import { eachOf, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import type { Account } from './support.js'

/** What is discussed. */
interface Target {
  readonly kind: 'requests' | 'collections' | 'folders'
  readonly id: string
}

interface Query {
  readonly limit?: number
  readonly cursor?: string
}

const NO_TARGET = 'Target entity not found'
const NO_COMMENT = 'Discussion comment not found'

// Who may say what where, and what becomes of it, is in test/decide/comment.test.ts; whom the feed tells in test/feed/.
for (const driver of usualDrivers) {
  const { test, world } = hubSuite('discussions', driver)

  const send = (as: Account) => world.client(as).request
  const write = async ({ kind, id }: Target, body = 'Why?', as: Account = world.owner) =>
    (await send(as)('POST', `/${kind}/{id}/discussions`, { path: { id }, body: { body } })).body
  const answer = async (id: string, body = 'So', as: Account = world.owner) =>
    (await send(as)('POST', '/discussion-comments/{id}/replies', { path: { id }, body: { body } })).body
  const retract = async (id: string, as: Account = world.owner) =>
    (await send(as)('DELETE', '/discussion-comments/{id}', { path: { id } })).body
  const edit = async (id: string, body: string, as: Account = world.owner) =>
    (await send(as)('PUT', '/discussion-comments/{id}', { path: { id }, body: { body } })).body
  const page = async ({ kind, id }: Target, query: Query = {}, as: Account = world.owner) =>
    (await send(as)('GET', `/${kind}/{id}/discussions`, { path: { id }, query })).body
  const listed = async (on: Target, as?: Account) => (await page(on, {}, as)).comments
  const removed = ({ kind, id }: Target) => send(world.owner)('DELETE', `/${kind}/{id}`, { path: { id } })

  /** A request in a collection of its own. */
  const thing = async (): Promise<Target> => ({ kind: 'requests', id: await world.request(await world.collection()) })

  /** Every page of a discussion, from a cursor on. */
  const pages = async (on: Target, limit: number, from?: string) => {
    const found: (readonly Schemas['Comment'][])[] = []
    for (let cursor = from; found.length < 100; ) {
      const { comments, nextCursor } = await page(on, { limit, ...(cursor !== undefined && { cursor }) })
      found.push(comments)
      if (nextCursor === undefined) return found
      cursor = nextCursor
    }
    throw new Error('The pages have no end.')
  }

  test('24 comments written at once are read page by page, each once and in one order', async () => {
    const on = await thing()
    const made = await Promise.all(Array.from({ length: 24 }, (_, i) => write(on, `No. ${i}`)))
    const all = await listed(on)
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
    const on = await thing()
    const first = await write(on, 'First')
    let next = await write(on, 'Next')
    // Two that were written in one millisecond have one time.
    while (next.createdAt === first.createdAt) next = await write(on, 'Next')
    const all = await listed(on)
    const behind = (at: string) => all.filter(({ createdAt }) => createdAt > at)
    for (const at of [first.createdAt, next.createdAt]) assert.equal((await pages(on, 2, at)).flat(), behind(at))
    assert.equal((await pages(on, 2, first.createdAt.replace('Z', '000Z'))).flat(), behind(first.createdAt))
    assert.equal((await pages(on, 2, '1970-01-01T00:00:00Z')).flat(), all)
    const cursor = text(await page(on, { limit: 1 }), 'nextCursor')
    await world.denied(400, () => send(world.owner)('GET', '/collections', { query: { cursor } }))
  })

  test('comments go out of sight with what they are about, and come back with it', async () => {
    const collectionId = await world.collection()
    const folder: Target = { kind: 'folders', id: await world.folder(collectionId) }
    const inside: Target = { kind: 'requests', id: await world.request(collectionId, folder.id) }
    const all: Target = { kind: 'collections', id: collectionId }
    const places = [folder, inside, all]
    for (const place of places) await answer((await write(place)).id)
    const seen = () => Promise.all(places.map((place) => listed(place)))
    const before = await seen()
    await removed(all)
    for (const [i, place] of places.entries()) {
      await world.denied(404, () => page(place), NO_TARGET)
      await world.denied(404, () => write(place, 'x'), NO_TARGET)
      await world.denied(404, () => answer(text(before[i]?.[0], 'id'), 'x'), NO_COMMENT)
    }
    await send(world.owner)('POST', '/undelete', { body: { kind: 'collection', id: collectionId } })
    assert.equal(await seen(), before)
  })

  test('what an account wrote stays when it is gone, without its name', async () => {
    const on = await thing()
    const ada = await world.user({ collectionAccess: ['*'] })
    const { author } = await write(on, 'Mine', ada)
    const { avatarInitials: initials, avatarColor: color } = (await send(ada)('GET', '/auth/session')).body.user
    assert.equal(author, { id: ada.id, name: ada.name, avatar: { initials, color } })
    await send(world.admin)('DELETE', '/admin/users/{id}', { path: { id: ada.id } })
    const [left] = await listed(on)
    assert.equal([left?.author, left?.body], [{ id: '', name: 'Unknown user' }, 'Mine'])
  })

  test('any text is kept as it came, and forty of the largest comments come in pages no larger than a page may be', async () => {
    const on = await thing()
    const texts = ['a\0b', 'lone \u{d83d} half', '\u{202e}right to left', '"; DROP TABLE x;--']
    for (const body of texts) assert.is((await write(on, body)).body, body)
    const largest = '😀'.repeat(32_768)
    for (let i = 0; i < 2; i++) await Promise.all(Array.from({ length: 20 }, () => write(on, largest)))
    const found = await pages(on, 100)
    assert.ok(found.length > 1)
    assert.is(new Set(found.flat().map(({ id }) => id)).size, 44)
    assert.equal(new Set(found.flat().map(({ body }) => body)), new Set([...texts, largest]))
  })

  test('the audit log tells who wrote, changed and retracted what', async () => {
    const { id } = await write(await thing(), 'First')
    await edit(id, 'Second')
    await retract(id)
    const { entries } = (await send(world.admin)('GET', '/admin/audit', { query: { kind: 'comment', id } })).body
    const told = entries.map(({ type, actor, changes }) => {
      const body = changes?.find(({ path }) => path === '/body')
      return [type, actor.id, body?.from, body?.to]
    })
    assert.equal(told, [
      ['CommentRetracted', world.owner.id, 'Second', null],
      ['CommentEdited', world.owner.id, 'First', 'Second'],
      ['CommentWritten', world.owner.id, undefined, undefined]
    ])
  })

  test('who resolved a thread is told by the name of now, and a thread stays resolved when they are gone', async () => {
    const on = await thing()
    const { id } = await write(on)
    const ada = await world.user({ collectionAccess: ['*'] })
    const { resolvedAt } = (await send(ada)('POST', '/discussion-threads/{id}/resolve', { path: { id } })).body
    const below = await answer(id)
    assert.equal(
      (await listed(on)).map((one) => [one.id, one.resolvedAt, one.resolvedBy?.name]),
      [
        [id, resolvedAt, ada.name],
        [below.id, undefined, undefined]
      ]
    )
    await send(world.admin)('DELETE', '/admin/users/{id}', { path: { id: ada.id } })
    const [first] = await listed(on)
    assert.equal([first?.resolvedAt, first?.resolvedBy], [resolvedAt, { id: '', name: 'Unknown user' }])
    const { entries } = (await send(world.admin)('GET', '/admin/audit', { query: { kind: 'comment', id } })).body
    assert.equal(eachOf(entries, 'type'), ['ThreadResolved', 'CommentWritten'])
  })

  test('a replay of the log comes to the same comments', async () => {
    assert.ok(((await replayedRows(world)).comments ?? 0) > 60)
  })

  test.run()
}
