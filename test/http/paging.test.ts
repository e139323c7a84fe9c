import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { eachOf, type Fields, fields, idsOf, records } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { lockables } from './kinds.js'
import { type Requests, succeeded, type World } from './world.js'

/** A list of the interface, and what makes one more record in it. */
interface PagedList {
  readonly name: string
  readonly path: string
  /** True where the order of records of one container alone is that of the whole list. */
  readonly byContainer?: true
  make(world: World): Promise<unknown>
}

const payload = { harborclientExport: 'collection-run-results', results: [{ status: 'passed' }] }
const runResult = (world: World) => world.make('run-results', { label: randomUUID(), payload })
const aUser = (world: World) => world.user()

/** Every list of records, in a world with one collection. */
function listsOf(collectionId: string): readonly PagedList[] {
  const inside = (name: string, make: PagedList['make']): readonly PagedList[] =>
    ['', '/admin'].map((of) => ({ name, path: `${of}/collections/${collectionId}/${name}`, make, byContainer: true }))
  return [
    ...lockables.flatMap(({ path, list }) =>
      ['', '/admin'].map((of) => ({
        ...{ name: list, path: `${of}/${path}` },
        make: (world: World) => world.make(path, { name: `${randomUUID()} é中` })
      }))
    ),
    ...inside('folders', (world) => world.folder(collectionId)),
    ...inside('requests', (world) => world.request(collectionId)),
    ...inside('documents', (world) => world.document(collectionId)),
    { name: 'users', path: '/admin/users', make: aUser },
    { name: 'tokens', path: '/admin/tokens', make: aUser },
    {
      ...{ name: 'invitations', path: '/admin/invitations' },
      make: (world) => world.by(world.admin).post('/admin/invited-users', { name: randomUUID(), role: 'user' })
    },
    { name: 'runResults', path: '/run-results', make: runResult },
    { name: 'runResults', path: '/admin/run-results', make: runResult }
  ]
}

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
    cursor = `&cursor=${next}`
  }
}

for (const driver of usualDrivers) {
  let lists: readonly PagedList[] = []
  const { test, world } = hubSuite('paged lists', driver)
  test.before(async () => {
    lists = listsOf(await world.collection())
    for (const list of lists) for (let i = 0; i < 3; i++) await list.make(world)
  })
  const requestsFor = ({ path }: PagedList) => world.by(path.startsWith('/admin') ? world.admin : world.owner)

  test('the pages of a list are the list, whatever their size; without a page it has no cursor', async () => {
    for (const list of lists) {
      const requests = requestsFor(list)
      const reply = succeeded(await requests.get(list.path))
      const whole = records(reply, list.name)
      assert.equal(Object.keys(fields(reply.body)), [list.name], list.path)
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
      const { get } = requestsFor(list)
      const idsAt = async (query: string) => idsOf(succeeded(await get(`${list.path}${query}`)), list.name)
      const before = await idsAt('')
      const first = await get(`${list.path}?limit=1`)
      await list.make(world)
      const behind = await idsAt(`?limit=1000&cursor=${cursorOf(first)}`)
      const all = [...idsOf(first, list.name), ...behind]
      assert.is(new Set(all).size, all.length, list.path)
      assert.equal(
        before.filter((id) => !all.includes(id)),
        [],
        list.path
      )
    }
  })

  test('every field of a record can be chosen, the id is always there, and no other field is', async () => {
    for (const list of lists) {
      const { path, name } = list
      const { get } = requestsFor(list)
      const read = async (query: string) => records(succeeded(await get(`${path}?fields=${query}`)), name)
      const [whole] = records(succeeded(await get(path)), name)
      const all = Object.keys(whole ?? {})
      const last = all.at(-1)
      for (const query of ['', '&limit=5']) {
        assert.equal((await read(`${all.join(',')}${query}`))[0], whole, path)
        for (const record of await read(`${last}${query}`))
          assert.equal(Object.keys(record), [...new Set(['id', last])], path)
      }
      assert.equal(Object.keys((await read('id'))[0] ?? {}), ['id'])
      await world.refused(400, () => get(`${path}?fields=id,colour`), /^fields: there is no colour\. Choose from id, /)
    }
  })

  test('a list, a page of it and some of its fields have a tag: 304 until something in it changes', async () => {
    for (const list of lists) {
      const { get } = requestsFor(list)
      for (const query of ['', '?limit=1000', '?fields=id']) {
        const path = `${list.path}${query}`
        const { etag } = succeeded(await get(path)).headers
        assert.is((await get(path, { 'if-none-match': etag })).status, 304, path)
        await list.make(world)
        const changed = await get(path, { 'if-none-match': etag })
        assert.is(changed.status, 200, path)
        assert.is.not(changed.headers.etag, etag, path)
      }
    }
  })

  test('pages go on behind a name of the longest that there are, whatever its letters', async () => {
    const { get, post } = world.by(world.owner)
    const collectionId = await world.collection()
    const path = `/collections/${collectionId}/folders`
    for (const name of ['\u{1F389}'.repeat(500), 'zz']) succeeded(await post(path, { name }))
    const first = await get(`${path}?limit=1`)
    const second = succeeded(await get(`${path}?limit=1&cursor=${cursorOf(first)}`))
    assert.equal(eachOf(records(second, 'folders'), 'name'), ['zz'])
  })

  test('a cursor that is none of this list is 400', async () => {
    const { get } = world.by(world.owner)
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const own = String(cursorOf(await get('/collections?limit=1')))
    const [name, index, ...values] = JSON.parse(Buffer.from(own, 'base64url').toString())
    const id = randomUUID()
    for (const wrong of [
      ...['', 'x', own.slice(1), own.slice(0, -6), String(cursorOf(await get('/environments?limit=1')))],
      ...[null, [], [name, index], [name, index, ...values, 'more'], [name, 'byAge', ...values]].map(cursor),
      ...[1, null, 'a\0b', '\ud800', 'x'.repeat(1001)].map((value) => cursor([name, index, value, id])),
      ...['two words', { a: 1 }].map((id) => cursor([name, index, 'x', id]))
    ])
      await world.refused(400, () => get(`/collections?cursor=${wrong}`), /^cursor is none of this list/)
    await world.refused(400, () => get(`/collections?cursor=${'x'.repeat(LIMITS.cursor.max + 1)}`), /^cursor: /)
    const snippet = cursor(['snippets', 'byOrder', 1e300, 'x', id])
    await world.refused(400, () => get(`/snippets?cursor=${snippet}`), /^cursor is none/)
    const token = cursor(['tokens', 'byAge', '2026-99-99T00:00:00.000Z', id])
    await world.refused(400, () => world.by(world.admin).get(`/admin/tokens?cursor=${token}`), /^cursor is none/)
  })

  test('a cursor of the list of another collection, or of what is said about another thing, is 400', async () => {
    const { get, post } = world.by(world.owner)
    const [one, other] = [await world.collection(), await world.collection()]
    for (const id of [one, other])
      for (const body of ['first', 'second']) {
        await world.folder(id)
        succeeded(await post(`/collections/${id}/discussions`, { body }))
      }
    for (const list of ['folders', 'discussions']) {
      const cursor = cursorOf(await get(`/collections/${one}/${list}?limit=1`))
      succeeded(await get(`/collections/${one}/${list}?cursor=${cursor}`))
      const elsewhere = () => get(`/collections/${other}/${list}?cursor=${cursor}`)
      await world.refused(400, elsewhere, /^cursor is none of this list/)
    }
  })

  test('a number in a query that is none is refused in words, and one beyond its bounds with the bound', async () => {
    const { get } = world.by(world.owner)
    await world.refused(400, () => get('/collections?limit=many'), /^limit: must be a number$/)
    await world.refused(400, () => get('/collections?limit=1.5'), /^limit: .*expected int/)
    await world.refused(400, () => get('/collections?limit=1001'), /^limit: .*1000$/)
  })

  test('who may see nothing of a list gets an empty page, and who may see some of it that', async () => {
    const { get } = world.by(await world.user())
    assert.equal((await get('/collections?limit=5')).body, { collections: [], nextCursor: null })
    const id = await world.collection()
    const some = await world.user({ collectionAccess: [id] })
    assert.equal(idsOf(await world.by(some).get('/collections?limit=5'), 'collections'), [id])
    const admin = world.by(world.admin)
    assert.equal((await admin.get('/run-results?limit=5')).body, { runResults: [], nextCursor: null })
    await world.refused(400, () => admin.get('/run-results?fields=colour'), /^fields: /)
  })

  test.run()
}
