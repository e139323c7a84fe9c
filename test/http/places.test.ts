import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { HubClient } from '../../clients/typescript/src/index.js'
import { fields, type Reply, records, text } from './client.js'
import { documentContent, requestContent } from './content.js'
import { postgres, sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Placed, ways } from './ordered.js'
import { startBeside } from './support.js'
import { listed, succeeded, type World } from './world.js'

const KINDS = ['requests', 'documents'] as const
type Kind = (typeof KINDS)[number]

// The order as the storage of a desktop client has it, and expects it of a hub.
for (const driver of [sqlite, postgres]) {
  let world: World
  const test = hubSuite('places among siblings', driver, (made) => {
    world = made
  })

  const send: HubClient['request'] = (...asked) => world.client(world.owner).request(...asked)
  const make = (collectionId: string, kind: Kind, name: string, folderId: string | null = null) =>
    ways[kind].make(world, collectionId, name, folderId)
  const move = (kind: Kind, id: string, index: number, folderId: string | null = null) =>
    ways[kind].move(world, id, index, folderId)
  const list = (collectionId: string, kind: Kind | 'folders') => ways[kind].list(world, collectionId)
  const remove = (kind: Kind | 'folders', id: string) => send('DELETE', `/${kind}/{id}`, { path: { id } })
  /** The reply itself, of tests that look at its text or send what the typed client does not. */
  const get = (path: string, headers?: Record<string, string>) => world.by(world.owner).get(path, headers)

  /** The items of a container as the client shows them, each with its number: `a0 b1`. */
  async function shown(collectionId: string, folderId: string | null = null): Promise<string> {
    const lists = await Promise.all(KINDS.map((kind) => list(collectionId, kind)))
    const items = lists.flat().filter((one) => one.folderId === folderId)
    return numbered(items.toSorted((a, b) => a.sortOrder - b.sortOrder))
  }
  const numbered = (items: readonly Placed[]) => items.map(({ name, sortOrder }) => `${name}${sortOrder}`).join(' ')

  /** A collection with items at its root, by their names: those in upper case are documents. */
  async function filled(names: string): Promise<{ id: string; of: (name: string) => string }> {
    const id = await world.collection()
    const ids = new Map<string, string>()
    for (const name of names) {
      const made = await make(id, name === name.toUpperCase() ? 'documents' : 'requests', name)
      ids.set(name, made.body.id)
    }
    return { id, of: (name) => ids.get(name) ?? '' }
  }

  test('a new item has the next number of its container, from 0; kinds share the numbers, containers do not', async () => {
    const id = await world.collection()
    const folder = await world.folder(id)
    const made = []
    for (const [kind, into] of [
      ['requests', null],
      ['documents', null],
      ['requests', folder],
      ['requests', null],
      ['documents', folder]
    ] as const)
      made.push((await make(id, kind, 'x', into)).body.sortOrder)
    assert.equal(made, [0, 1, 0, 2, 1])
  })

  test('what is deleted leaves no gap, and the next one has the number behind the last', async () => {
    const { id, of } = await filled('abCd')
    await remove('requests', of('b'))
    assert.is(await shown(id), 'a0 C1 d2')
    await remove('documents', of('C'))
    assert.is((await make(id, 'documents', 'E')).body.sortOrder, 2)
    assert.is(await shown(id), 'a0 d1 E2')
  })

  test('a move numbers both containers from 0 on', async () => {
    const { id, of } = await filled('abCd')
    const folder = await world.folder(id)
    await move('requests', of('b'), 0, folder)
    await move('documents', of('C'), 0, folder)
    assert.is(await shown(id), 'a0 d1')
    assert.is(await shown(id, folder), 'C0 b1')
    await move('requests', of('b'), 0)
    assert.is(await shown(id), 'b0 a1 d2')
    await move('documents', of('C'), 99)
    assert.is(await shown(id), 'b0 a1 d2 C3')
    assert.is(await shown(id, folder), '')
  })

  test('one move for each item of the wanted order, its index the place, ends at that order', async () => {
    const { id, of } = await filled('abCDe')
    for (const [index, name] of [...'aCbDe', ...'DaCeb'].entries()) {
      await move(name === name.toUpperCase() ? 'documents' : 'requests', of(name), index % 5)
    }
    assert.is(await shown(id), 'D0 a1 C2 e3 b4')
  })

  test('a new order of one kind numbers all, and takes in what was elsewhere', async () => {
    const { id, of } = await filled('abCd')
    const folder = await world.folder(id)
    const inner = (await make(id, 'requests', 'i', folder)).body.id
    await ways.requests.reorder(world, id, [of('d'), inner, of('a')], null)
    assert.is((await shown(id)).replace(/[^0-9 ]/g, ''), '0 1 2 3 4')
    assert.is(await shown(id, folder), '')
  })

  test('an update that takes an item elsewhere puts it behind the last there, and closes the gap here', async () => {
    const { id, of } = await filled('abC')
    const other = await filled('xY')
    const body = { ...requestContent, name: 'a', folderId: null, collectionId: other.id }
    const moved = await send('PUT', '/requests/{id}', { path: { id: of('a') }, body })
    assert.is(moved.body.sortOrder, 2)
    assert.is(await shown(id), 'b0 C1')
    assert.is(await shown(other.id), 'x0 Y1 a2')
  })

  test('folders are numbered below each parent, and a move closes the gap in the old one', async () => {
    const id = await world.collection()
    const [f, g, h] = [
      await world.folder(id, null, 'f'),
      await world.folder(id, null, 'g'),
      await world.folder(id, null, 'h')
    ]
    const inner = await world.folder(id, f, 'i')
    const below = async (parent: string | null) =>
      numbered((await list(id, 'folders')).filter((one) => one.parentFolderId === parent))
    assert.is(await below(null), 'f0 g1 h2')
    assert.is(await below(f), 'i0')
    const moved = await send('PUT', '/folders/{id}/move', { path: { id: g }, body: { parentFolderId: f } })
    assert.is(moved.body.sortOrder, 1)
    assert.is(await below(null), 'f0 h1')
    assert.is(await below(f), 'i0 g1')
    await ways.folders.reorder(world, id, [h, inner, f], null)
    assert.is(await below(null), 'h0 i1 f2')
    assert.is(await below(f), 'g0')
    await remove('folders', inner)
    assert.is(await below(null), 'h0 f1')
    const first = { parentFolderId: null, sortOrder: 0 }
    assert.is((await send('PUT', '/folders/{id}/move', { path: { id: f }, body: first })).body.sortOrder, 0)
  })

  test('every answer is the record as it is then: the same text and tag as asked for alone', async () => {
    const { id, of } = await filled('abCd')
    const { put, patch } = world.by(world.owner)
    await move('requests', of('d'), 0)
    const folder = await world.folder(id)
    const changed = { ...requestContent, name: 'A', folderId: null, collectionId: id }
    const changes: readonly [string, () => Promise<Reply>][] = [
      [
        'requests',
        () =>
          world.by(world.owner).post(`/collections/${id}/requests`, { ...requestContent, name: 'e', folderId: null })
      ],
      ['requests', () => put(`/requests/${of('a')}`, changed)],
      ['documents', () => put(`/documents/${of('C')}`, { ...documentContent, folderId: folder, collectionId: id })],
      ['requests', () => world.by(world.owner).post(`/requests/${of('a')}/restore`, { version: 1 })],
      ['folders', () => patch(`/folders/${folder}`, { name: 'Renamed' })],
      ['folders', () => put(`/folders/${folder}/move`, { parentFolderId: null, sortOrder: 0 })]
    ]
    for (const [kind, change] of changes) {
      const reply = succeeded(await change())
      const alone = succeeded(await get(`/${kind}/${text(reply.body, 'id')}`))
      assert.equal([alone.text, alone.headers.etag], [reply.text, reply.headers.etag])
    }
    const admin = world.by(world.admin)
    for (const kind of ['requests', 'documents', 'folders']) {
      const path = `/collections/${id}/${kind}`
      assert.is(succeeded(await admin.get(`/admin${path}`)).text, succeeded(await get(path)).text)
      for (const one of await listed(world, path)) assert.equal((await get(`/${kind}/${one.id}`)).body, one)
    }
  })

  test('a new place is no new revision, but a new tag: If-Match with the old one holds', async () => {
    const { id, of } = await filled('ab')
    const path = `/requests/${of('b')}`
    const tag = text(succeeded(await get(path)).headers, 'etag')
    assert.match(tag, /^"\d+-1"$/)
    await remove('requests', of('a'))
    const reply = await get(path, { 'if-none-match': tag })
    assert.equal([reply.status, fields(reply.body).sortOrder], [200, 0])
    assert.is(reply.headers.etag, tag.replace('-1"', '-0"'))
    const body = { ...requestContent, folderId: null, collectionId: id }
    const put = (name: string, match: string) =>
      world.hub.send({
        method: 'PUT',
        path,
        token: world.owner.token,
        body: { ...body, name },
        headers: { 'if-match': match }
      })
    const next = text(succeeded(await put('B', tag)).headers, 'etag')
    assert.is((await put('C', tag)).status, 412)
    // The form that a tag had before it told the place.
    succeeded(await put('C', next.replace(/-\d+"$/, '"')))
  })

  test('the tag of a list of requests changes with a document that comes, goes or moves before them', async () => {
    const { id, of } = await filled('Ab')
    const path = `/collections/${id}/requests`
    const tag = async () => text(succeeded(await get(path)).headers, 'etag')
    const seen = [await tag()]
    await move('documents', of('A'), 1)
    seen.push(await tag())
    const folder = await world.folder(id)
    await move('documents', of('A'), 0, folder)
    assert.is(await tag(), seen[1])
    await move('documents', of('A'), 0)
    assert.is(await tag(), seen[0])
    await remove('documents', of('A'))
    assert.is(await tag(), seen[1])
  })

  test('the past has the places of then: of one record, of trees, between versions', async () => {
    const { id, of } = await filled('abCd')
    const folder = await world.folder(id)
    const kinds = ['folders', 'requests', 'documents']
    const all = () =>
      Promise.all(kinds.map(async (kind) => [kind, await listed(world, `/collections/${id}/${kind}`)] as const))
    const past: { position: number; lists: Awaited<ReturnType<typeof all>>; alone: Reply }[] = []
    const keep = async () =>
      past.push({ position: world.position(), lists: await all(), alone: succeeded(await get(`/requests/${of('d')}`)) })
    await keep()
    await move('requests', of('d'), 1)
    await keep()
    await move('documents', of('C'), 0, folder)
    await keep()
    await remove('requests', of('a'))
    await keep()
    await move('requests', of('b'), 0, await world.folder(id, folder))
    await remove('folders', folder)
    for (const { position, lists, alone } of past) {
      const then = succeeded(await get(`/requests/${of('d')}?at=${position}`))
      assert.equal([then.text, then.headers.etag], [alone.text, alone.headers.etag])
      const tree = succeeded(await get(`/collections/${id}/tree?at=${position}`))
      for (const [kind, list] of lists) assert.equal(records(tree, kind), list, `${kind} at ${position}`)
    }
    const between = { path: { id: of('d') }, query: { from: 1, to: 2 } }
    const { changes } = (await send('GET', '/requests/{id}/diff', between)).body
    assert.equal(changes, [{ path: '/sortOrder', from: 3, to: 1 }])
  })

  test('a repeated request is answered with the place of then', async () => {
    const { id, of } = await filled('ab')
    const post = () =>
      world.hub.send({
        method: 'POST',
        path: `/collections/${id}/requests`,
        token: world.owner.token,
        body: { ...requestContent, name: 'c', folderId: null },
        headers: { 'idempotency-key': `key ${id}` }
      })
    const first = succeeded(await post())
    assert.is(fields(first.body).sortOrder, 2)
    await remove('requests', of('a'))
    await move('requests', of('b'), 1)
    const again = succeeded(await post())
    assert.equal([again.text, again.headers.etag], [first.text, first.headers.etag])
  })

  test('what comes back has its place again', async () => {
    const { id, of } = await filled('aBc')
    await remove('documents', of('B'))
    assert.is(await shown(id), 'a0 c1')
    await world.client(world.admin).request('POST', '/admin/undelete', { body: { kind: 'document', id: of('B') } })
    assert.is(await shown(id), 'a0 B1 c2')
  })

  test('of items that are made at once each has a number of its own, and its answer says so', async () => {
    const id = await world.collection()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => make(id, i % 3 === 0 ? 'documents' : 'requests', `${i}`))
    )
    const numbers = replies.map(({ body }) => body.sortOrder)
    assert.equal(
      numbers.toSorted((a, b) => a - b),
      numbers.map((_, i) => i)
    )
    const lists = (await Promise.all(KINDS.map((kind) => list(id, kind)))).flat()
    const now = new Map(lists.map((one) => [one.id, one.sortOrder]))
    for (const { body } of replies) assert.is(now.get(body.id), body.sortOrder)
  })

  test('what another hub on the database has done counts', async () => {
    const { id, of } = await filled('abc')
    const beside = await startBeside(world.hub)
    try {
      const { token } = world.owner
      succeeded(
        await beside.send({
          method: 'PUT',
          path: `/requests/${of('c')}/move`,
          token,
          body: { folderId: null, index: 0 }
        })
      )
      assert.is(await shown(id), 'c0 a1 b2')
      succeeded(await beside.send({ method: 'DELETE', path: `/requests/${of('a')}`, token }))
      assert.is((await make(id, 'requests', 'd')).body.sortOrder, 2)
    } finally {
      await beside.close()
    }
  })

  test('a move that makes room among very many siblings is answered with what it came to', async () => {
    const id = await world.collection()
    await Promise.all(Array.from({ length: 130 }, (_, i) => world.folder(id, null, `${i}`)))
    const last = (await list(id, 'folders')).slice(-12)
    const { put } = world.by(world.owner)
    // Each move halves the room that is left before the second.
    for (const folder of last) {
      const path = `/folders/${folder.id}`
      const reply = succeeded(await put(`${path}/move`, { parentFolderId: null, sortOrder: 1 }))
      assert.is(fields(reply.body).sortOrder, 1)
      assert.is(reply.text, (await get(path)).text)
    }
  })

  test('a list that is sent in parts is in the order of places, under a tag that knows them', async () => {
    const id = await world.collection()
    const folder = await world.folder(id)
    const content = 'x'.repeat(800_000)
    for (const [i, folderId] of [null, folder, null, folder].entries()) {
      const body = { name: `${i}`, content, folderId }
      await send('POST', '/collections/{collectionId}/documents', { path: { collectionId: id }, body })
    }
    const path = `/collections/${id}/documents`
    const whole = succeeded(await get(path))
    assert.equal(
      records(whole, 'documents').map(({ name, sortOrder }) => `${name}:${sortOrder}`),
      ['0:0', '1:0', '2:1', '3:1']
    )
    const request = (await make(id, 'requests', randomUUID())).body.id
    assert.is((await get(path, { 'if-none-match': text(whole.headers, 'etag') })).status, 304)
    await move('requests', request, 0)
    const changed = await get(path, { 'if-none-match': text(whole.headers, 'etag') })
    assert.is(changed.status, 200)
    assert.equal(
      records(changed, 'documents').map(({ name, sortOrder }) => `${name}:${sortOrder}`),
      ['1:0', '0:1', '3:1', '2:2']
    )
  })

  test.run()
}
