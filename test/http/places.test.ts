import * as assert from 'uvu/assert'
import { fields, type Reply, records, text } from './client.js'
import { documentContent, requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { type Ordered, ways } from './ordered.js'
import { startBeside } from './support.js'
import { listed, succeeded } from './world.js'

const KINDS = ['requests', 'documents'] as const
/** Those in upper case are documents. */
const kindOf = (name: string) => (name === name.toUpperCase() ? 'documents' : 'requests')

// The order as the storage of a desktop client has it, and expects it of a hub. Where a command puts something is in test/decide/,
// and that places are those of the rows whatever happens in test/property/.
for (const driver of usualDrivers) {
  const { test, world } = hubSuite('places among siblings', driver)

  const of = (kind: Ordered) => ways(world, kind)
  const get = (path: string, headers?: Record<string, string>) => world.by(world.owner).get(path, headers)
  const tagOf = async (path: string) => text(succeeded(await get(path)).headers, 'etag')

  /** The items of a container as the client shows them, each with its number: `a0 b1`. */
  async function shown(collectionId: string, folderId: string | null = null): Promise<string> {
    const lists = await Promise.all(KINDS.map((kind) => of(kind).list(collectionId)))
    const items = lists.flat().filter(({ parent }) => parent === folderId)
    return items
      .toSorted((a, b) => a.sortOrder - b.sortOrder)
      .map(({ name, sortOrder }) => `${name}${sortOrder}`)
      .join(' ')
  }

  /** A collection with items at its root, and their ids by their names. */
  async function filled(names: string): Promise<{ id: string; ids: Readonly<Record<string, string>> }> {
    const id = await world.collection()
    const ids: Record<string, string> = {}
    for (const name of names) ids[name] = (await of(kindOf(name)).make(id, name)).id
    return { id, ids }
  }

  test('one move for each item of the wanted order ends at that order, and what goes leaves no gap in its container', async () => {
    const { id, ids } = await filled('abCDe')
    const move = (name: string, index: number, to?: string) => of(kindOf(name)).move(ids[name], index, to)
    for (const [index, name] of [...'aCbDe', ...'DaCeb'].entries()) await move(name, index % 5)
    assert.is(await shown(id), 'D0 a1 C2 e3 b4')
    const folder = await world.folder(id)
    await move('a', 0, folder)
    await move('C', 0, folder)
    await of('documents').remove(ids.D)
    assert.equal([await shown(id), await shown(id, folder)], ['e0 b1', 'C0 a1'])
    await of('requests').make(id, 'f')
    assert.is(await shown(id), 'e0 b1 f2')
  })

  test('every answer is the record as it is then: the same text and tag as asked for alone', async () => {
    const { id, ids } = await filled('abCd')
    const { post, put, patch } = world.by(world.owner)
    await of('requests').move(ids.d, 0)
    const folder = await world.folder(id)
    const request = { ...requestContent, folderId: null, collectionId: id }
    const changes: readonly [string, () => Promise<Reply>][] = [
      ['requests', () => post(`/collections/${id}/requests`, request)],
      ['requests', () => put(`/requests/${ids.a}`, { ...request, name: 'A' })],
      ['documents', () => put(`/documents/${ids.C}`, { ...documentContent, folderId: folder, collectionId: id })],
      ['requests', () => post(`/requests/${ids.a}/restore`, { version: 1 })],
      ['folders', () => patch(`/folders/${folder}`, { name: 'Renamed' })],
      ['folders', () => put(`/folders/${folder}/move`, { parentFolderId: null, sortOrder: 0 })]
    ]
    for (const [kind, change] of changes) {
      const reply = succeeded(await change())
      const alone = succeeded(await get(`/${kind}/${text(reply.body, 'id')}`))
      assert.equal([alone.text, alone.headers.etag], [reply.text, reply.headers.etag])
    }
    for (const kind of ['requests', 'documents', 'folders']) {
      const path = `/collections/${id}/${kind}`
      const asAdmin = succeeded(await world.by(world.admin).get(`/admin${path}`))
      assert.is(asAdmin.text, succeeded(await get(path)).text)
      for (const one of await listed(world, path)) assert.equal((await get(`/${kind}/${one.id}`)).body, one)
    }
  })

  test('a new place is no new revision, but a new tag: If-Match with the old one holds', async () => {
    const { id, ids } = await filled('ab')
    const path = `/requests/${ids.b}`
    const tag = await tagOf(path)
    assert.match(tag, /^"\d+-1"$/)
    await of('requests').remove(ids.a)
    const reply = await get(path, { 'if-none-match': tag })
    assert.equal([reply.status, fields(reply.body).sortOrder], [200, 0])
    assert.is(reply.headers.etag, tag.replace('-1"', '-0"'))
    const body = { ...requestContent, folderId: null, collectionId: id }
    const put = (name: string, match: string) =>
      world.by(world.owner).put(path, { ...body, name }, { 'if-match': match })
    const next = text(succeeded(await put('B', tag)).headers, 'etag')
    assert.is((await put('C', tag)).status, 412)
    // The form that a tag had before it told the place.
    succeeded(await put('C', next.replace(/-\d+"$/, '"')))
  })

  test('the tag of a list of requests changes with a document that comes, goes or moves before them', async () => {
    const { id, ids } = await filled('Ab')
    const tag = () => tagOf(`/collections/${id}/requests`)
    const seen = [await tag()]
    await of('documents').move(ids.A, 1)
    seen.push(await tag())
    await of('documents').move(ids.A, 0, await world.folder(id))
    assert.is(await tag(), seen[1])
    await of('documents').move(ids.A, 0)
    assert.is(await tag(), seen[0])
    await of('documents').remove(ids.A)
    assert.is(await tag(), seen[1])
  })

  test('the past has the places of then: of one record, of trees, between versions', async () => {
    const { id, ids } = await filled('abCd')
    const folder = await world.folder(id)
    const kinds = ['folders', 'requests', 'documents']
    const all = () =>
      Promise.all(kinds.map(async (kind) => [kind, await listed(world, `/collections/${id}/${kind}`)] as const))
    const past: { position: number; lists: Awaited<ReturnType<typeof all>>; alone: Reply }[] = []
    for (const change of [
      () => of('requests').move(ids.d, 1),
      () => of('documents').move(ids.C, 0, folder),
      () => of('requests').remove(ids.a),
      async () => of('requests').move(ids.b, 0, await world.folder(id, folder)),
      () => of('folders').remove(folder)
    ]) {
      const alone = succeeded(await get(`/requests/${ids.d}`))
      past.push({ position: world.position(), lists: await all(), alone })
      await change()
    }
    for (const { position, lists, alone } of past) {
      const then = succeeded(await get(`/requests/${ids.d}?at=${position}`))
      assert.equal([then.text, then.headers.etag], [alone.text, alone.headers.etag])
      const tree = succeeded(await get(`/collections/${id}/tree?at=${position}`))
      for (const [kind, list] of lists) assert.equal(records(tree, kind), list, `${kind} at ${position}`)
    }
    const { body } = await get(`/requests/${ids.d}/diff?from=1&to=2`)
    assert.equal(fields(body).changes, [{ path: '/sortOrder', from: 3, to: 1 }])
  })

  test('a repeated request is answered with the place of then', async () => {
    const { id, ids } = await filled('ab')
    const post = async () =>
      succeeded(
        await world
          .by(world.owner)
          .post(`/collections/${id}/requests`, { ...requestContent, name: 'c' }, { 'idempotency-key': `key ${id}` })
      )
    const first = await post()
    assert.is(fields(first.body).sortOrder, 2)
    await of('requests').remove(ids.a)
    await of('requests').move(ids.b, 1)
    const again = await post()
    assert.equal([again.text, again.headers.etag], [first.text, first.headers.etag])
  })

  test('what another hub on the database has done counts', async () => {
    const { id, ids } = await filled('abc')
    const beside = await startBeside(world.hub)
    try {
      const { token } = world.owner
      const body = { folderId: null, index: 0 }
      succeeded(await beside.send({ method: 'PUT', path: `/requests/${ids.c}/move`, token, body }))
      assert.is(await shown(id), 'c0 a1 b2')
      succeeded(await beside.send({ method: 'DELETE', path: `/requests/${ids.a}`, token }))
      assert.is((await of('requests').make(id, 'd')).sortOrder, 2)
    } finally {
      await beside.close()
    }
  })

  test('a move that makes room among very many siblings is answered with what it came to', async () => {
    const id = await world.collection()
    await Promise.all(Array.from({ length: 130 }, (_, i) => world.folder(id, null, `${i}`)))
    // Each move halves the room that is left before the second.
    for (const folder of (await of('folders').list(id)).slice(-12)) {
      const reply = await of('folders').move(folder.id, 1)
      assert.is(fields(reply.body).sortOrder, 1)
      assert.is(reply.text, (await get(`/folders/${folder.id}`)).text)
    }
  })

  test('a list that is sent in parts is in the order of places, under a tag that knows them', async () => {
    const id = await world.collection()
    const folder = await world.folder(id)
    const content = 'x'.repeat(800_000)
    for (const [i, folderId] of [null, folder, null, folder].entries())
      await world.make(`collections/${id}/documents`, { name: `${i}`, content, folderId })
    const path = `/collections/${id}/documents`
    const orderIn = (reply: Reply) =>
      records(reply, 'documents')
        .map(({ name, sortOrder }) => `${name}:${sortOrder}`)
        .join(' ')
    const whole = succeeded(await get(path))
    assert.is(orderIn(whole), '0:0 1:0 2:1 3:1')
    const known = { 'if-none-match': text(whole.headers, 'etag') }
    const request = await of('requests').make(id, 'r')
    assert.is((await get(path, known)).status, 304)
    await of('requests').move(request.id, 0)
    assert.is(orderIn(succeeded(await get(path, known))), '1:0 0:1 3:1 2:2')
  })

  test.run()
}
