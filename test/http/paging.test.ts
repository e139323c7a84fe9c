import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { z } from 'zod'
import { LIMITS } from '../../src/limits.js'
import { type Fields, fields, records, text } from './client.js'
import { sqlite, usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import * as shapes from './shapes.js'
import type { Requests } from './world.js'
import { succeeded, type World } from './world.js'

/** A list of the interface, and what makes one more record in it. */
interface PagedList {
  readonly name: string
  readonly path: string
  readonly shape: z.ZodObject
  readonly as: 'owner' | 'admin'
  /** True where the order of records of one container alone is that of the whole list. */
  readonly byContainer?: true
  make(world: World): Promise<unknown>
}

const payload = { harborclientExport: 'collection-run-results', results: [{ status: 'passed' }] }
const runResult = (world: World) => world.by(world.owner).post('/run-results', { label: randomUUID(), payload })
const named = (path: string) => (world: World) => world.make(path, { name: `${randomUUID()} é中` })

/** Every list of records, in a world with one collection. */
function listsOf(collectionId: string): readonly PagedList[] {
  const inside = (name: string, shape: z.ZodObject, make: PagedList['make']): readonly PagedList[] =>
    [`/collections/${collectionId}/${name}`, `/admin/collections/${collectionId}/${name}`].map((path) => ({
      ...{ name, path, shape, make },
      as: path.startsWith('/admin') ? 'admin' : 'owner',
      byContainer: true
    }))
  return [
    { name: 'collections', path: '/collections', shape: shapes.collection, as: 'owner', make: named('collections') },
    {
      name: 'environments',
      path: '/environments',
      shape: shapes.environment,
      as: 'owner',
      make: named('environments')
    },
    { name: 'snippets', path: '/snippets', shape: shapes.snippet, as: 'owner', make: named('snippets') },
    { name: 'collections', path: '/admin/collections', shape: shapes.managed, as: 'admin', make: named('collections') },
    {
      name: 'environments',
      path: '/admin/environments',
      shape: shapes.managed,
      as: 'admin',
      make: named('environments')
    },
    { name: 'snippets', path: '/admin/snippets', shape: shapes.snippet, as: 'admin', make: named('snippets') },
    ...inside('folders', shapes.folder, (world) => world.folder(collectionId)),
    ...inside('requests', shapes.savedRequest, (world) => world.request(collectionId)),
    ...inside('documents', shapes.document, (world) => world.document(collectionId)),
    { name: 'users', path: '/admin/users', shape: shapes.listedUser, as: 'admin', make: (world) => world.user() },
    { name: 'tokens', path: '/admin/tokens', shape: shapes.token, as: 'admin', make: (world) => world.user() },
    {
      ...{ name: 'invitations', path: '/admin/invitations', shape: shapes.invitation, as: 'admin' },
      make: (world) => world.by(world.admin).post('/admin/invited-users', { name: randomUUID(), role: 'user' })
    },
    { name: 'runResults', path: '/run-results', shape: shapes.runResult, as: 'owner', make: runResult },
    { name: 'runResults', path: '/admin/run-results', shape: shapes.runResult, as: 'admin', make: runResult }
  ]
}

const idsOf = (all: readonly Fields[]) => all.map((record) => text(record, 'id'))
const cursorOf = (reply: { readonly body: unknown }) => fields(reply.body).nextCursor

/** The records of all pages, each asked for with the cursor of the one before it. */
async function paged({ get }: Requests, { path, name }: PagedList, limit: number) {
  const found: Fields[] = []
  for (let cursor = ''; ; ) {
    const reply = succeeded(await get(`${path}?limit=${limit}${cursor}`))
    const page = records(reply, name)
    assert.ok(page.length <= limit, `${page.length} of ${limit}`)
    found.push(...page)
    const next = cursorOf(reply)
    if (next === null) return found
    assert.is(typeof next, 'string')
    cursor = `&cursor=${next}`
  }
}

for (const driver of usualDrivers) {
  let world: World
  let lists: readonly PagedList[] = []
  const test = hubSuite('paged lists', driver, async (made) => {
    world = made
    lists = listsOf(await world.collection())
    for (const list of lists) for (let i = 0; i < 3; i++) await list.make(world)
  })

  test('the pages of a list are the list, whatever their size', async () => {
    for (const list of lists) {
      const requests = world.by(world[list.as])
      const whole = records(succeeded(await requests.get(list.path)), list.name)
      assert.ok(whole.length >= 3, list.path)
      for (const limit of [2, 1000]) {
        const pages = await paged(requests, list, limit)
        const inOrder = list.byContainer ? pages.toSorted((a, b) => Number(a.sortOrder) - Number(b.sortOrder)) : pages
        assert.equal(inOrder, whole, `${list.path} ${limit}`)
      }
    }
  })

  test('what comes or goes before a page shifts nothing behind it', async () => {
    for (const list of lists) {
      const requests = world.by(world[list.as])
      const before = idsOf(records(await requests.get(list.path), list.name))
      const first = await requests.get(`${list.path}?limit=1`)
      await list.make(world)
      const rest = `${list.path}?limit=1000&cursor=${cursorOf(first)}`
      const behind = idsOf(records(await requests.get(rest), list.name))
      const shown = new Set([...idsOf(records(first, list.name)), ...behind])
      assert.equal(
        before.filter((id) => !shown.has(id)),
        [],
        list.path
      )
      assert.is(shown.size, records(first, list.name).length + behind.length, list.path)
    }
  })

  test.run()
}

let world: World
let lists: readonly PagedList[] = []
const test = hubSuite('asking for a part of a list', sqlite, async (made) => {
  world = made
  lists = listsOf(await world.collection())
  for (const list of lists) for (let i = 0; i < 3; i++) await list.make(world)
})

test('a list that is asked for without a page has no cursor', async () => {
  for (const { path, name, as } of lists) {
    const reply = succeeded(await world.by(world[as]).get(path))
    assert.equal(Object.keys(fields(reply.body)), [name], path)
  }
})

test('every field of a record can be chosen, the id is always there, and no other field is', async () => {
  for (const { path, name, as, shape } of lists) {
    const { get } = world.by(world[as])
    const [whole] = records(succeeded(await get(path)), name)
    const [known, all] = [Object.entries(shape.shape), Object.keys(whole ?? {})]
    // What may be left out is there or not.
    const isThere = ([field, schema]: (typeof known)[number]) =>
      !schema.safeParse(undefined).success || all.includes(field)
    assert.equal(
      all.toSorted(),
      known
        .filter(isThere)
        .map(([field]) => field)
        .toSorted(),
      path
    )
    succeeded(await get(`${path}?fields=${Object.keys(shape.shape).join(',')}`))
    for (const query of ['', '&limit=5']) {
      const [chosen] = records(succeeded(await get(`${path}?fields=${all.join(',')}${query}`)), name)
      assert.equal(chosen, whole, path)
      for (const record of records(succeeded(await get(`${path}?fields=${all.at(-1)}${query}`)), name))
        assert.equal(Object.keys(record), [...new Set(['id', all.at(-1)])], path)
    }
    const ids = records(succeeded(await get(`${path}?fields=id`)), name)
    assert.equal(Object.keys(ids[0] ?? {}), ['id'])
    await world.refused(400, () => get(`${path}?fields=id,colour`), /^fields: there is no colour\. Choose from id, /)
    await world.refused(400, () => get(`${path}?fields=`))
    await world.refused(400, () => get(`${path}?limit=1&fields=__proto__`))
  }
})

test('a limit is a number from 1 to what a page holds', async () => {
  const { get } = world.by(world.owner)
  for (const limit of ['0', '-1', 'x', '1.5', '', `${LIMITS.listPage.max + 1}`, '1&limit=2'])
    await world.refused(400, () => get(`/collections?limit=${limit}`), /^limit: /)
})

test('a cursor that is none of this list is 400', async () => {
  const { get } = world.by(world.owner)
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const own = String(cursorOf(await get('/collections?limit=1')))
  const [name, index, ...values] = JSON.parse(Buffer.from(own, 'base64url').toString())
  const foreign = String(cursorOf(await get('/environments?limit=1')))
  const id = randomUUID()
  for (const wrong of [
    '',
    'x',
    own.slice(1),
    own.slice(0, -6),
    foreign,
    cursor(null),
    cursor([]),
    cursor([name, index]),
    cursor([name, index, ...values, 'more']),
    cursor([name, 'byAge', ...values]),
    cursor([name, index, 1, id]),
    cursor([name, index, null, id]),
    cursor([name, index, 'a\0b', id]),
    cursor([name, index, '\ud800', id]),
    cursor([name, index, 'x'.repeat(501), id]),
    cursor([name, index, 'x', 'two words']),
    cursor([name, index, 'x', { a: 1 }])
  ]) {
    await world.refused(400, () => get(`/collections?cursor=${wrong}`), /^cursor is none of this list/)
  }
  await world.refused(400, () => get(`/collections?cursor=${'x'.repeat(LIMITS.cursor.max + 1)}`), /^cursor: /)
  const snippet = cursor(['snippets', 'byOrder', 1e300, 'x', id])
  await world.refused(400, () => get(`/snippets?cursor=${snippet}`), /^cursor is none/)
  const token = cursor(['tokens', 'byAge', '2026-99-99T00:00:00.000Z', id])
  await world.refused(400, () => world.by(world.admin).get(`/admin/tokens?cursor=${token}`), /^cursor is none/)
})

test('a page has a tag: 304 until something in it changes', async () => {
  for (const list of lists) {
    const { get } = world.by(world[list.as])
    for (const query of ['limit=1000', 'fields=id']) {
      const path = `${list.path}?${query}`
      const { etag } = succeeded(await get(path)).headers
      assert.match(etag ?? '', /^"[^"]+"$/)
      assert.is((await get(path, { 'if-none-match': etag })).status, 304, path)
      await list.make(world)
      assert.is((await get(path, { 'if-none-match': etag })).status, 200, path)
    }
  }
})

test('who may see nothing of a list gets an empty page, and who may not ask none', async () => {
  const nobody = await world.user()
  const { get } = world.by(nobody)
  assert.equal((await get('/collections?limit=5')).body, { collections: [], nextCursor: null })
  const some = await world.user({ collectionAccess: [await world.collection()] })
  assert.is(records(await world.by(some).get('/collections?limit=5'), 'collections').length, 1)
  await world.refused(403, () => get('/admin/users?limit=5'))
  assert.equal((await world.by(world.admin).get('/run-results?limit=5')).body, { runResults: [], nextCursor: null })
  await world.refused(400, () => world.by(world.admin).get('/run-results?fields=colour'), /^fields: /)
})

test('a record of a page has the place among its siblings that it has in the list', async () => {
  const id = await world.collection()
  const path = `/collections/${id}/requests`
  for (let i = 0; i < 4; i++) await world.request(id)
  await world.document(id)
  const { get, put } = world.by(world.owner)
  const [first] = idsOf(records(await get(path), 'requests'))
  await put(`/requests/${first}/move`, { folderId: null, index: 3 })
  const order = async (query: string) =>
    records(await get(`${path}${query}`), 'requests').map((one) => [one.id, one.sortOrder])
  assert.equal(await order('?limit=100'), await order(''))
})

test.run()
