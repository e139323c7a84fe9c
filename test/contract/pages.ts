import * as assert from 'uvu/assert'
import { LIMITS, slices } from '../../src/limits.js'
import type { Storage } from '../../src/storage/storage.js'
import { change, puts } from './commits.js'
import type { Contract } from './storage.js'
import { type Thing, thing, things } from './tables.js'

const MB = 1024 * 1024

/** Text that no compression makes small, so that it is as large as it is long wherever it is kept. */
function noise(bytes: number): string {
  let text = ''
  for (let seed = 1; text.length < bytes; ) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    text += seed.toString(36)
  }
  return text.slice(0, bytes)
}

const large = (id: string, bytes: number) => thing(id, { body: JSON.stringify({ text: noise(bytes) }), revision: 3 })

/** Rows in pages: no answer is larger than one, however large rows are. */
export function pageContract({ test, fresh }: Contract): void {
  const put = async (storage: Storage, rows: readonly Thing[]) => {
    // Databases differ in how much one transaction may hold.
    for (const row of rows) await change(storage, ...puts(things, [row]))
  }
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  test('a list that is no larger than one piece comes whole, in its order', async () => {
    const storage = await fresh()
    const rows = storage.rows(1)
    assert.equal(await rows.wholeList(things, 'byParent', ['p1']), [])
    await change(storage, ...puts(things, [thing('b'), thing('a'), thing('c', { parent: 'p2' })]))
    assert.equal(await rows.wholeList(things, 'byParent', ['p1']), [thing('a'), thing('b')])
    assert.equal(await rows.wholeList(things, 'byParent', ['p1'], { reverse: true }), [thing('b'), thing('a')])
    assert.equal(await rows.wholeList(things, 'byName', [], { ids: ['c', 'a', 'none'] }), [
      thing('a'),
      thing('c', { parent: 'p2' })
    ])
    assert.equal(await rows.wholeList(things, 'byName', [], { ids: [] }), [])
  })

  test('a list comes whole up to so many rows as one piece may have, and with one more it does not', async () => {
    const storage = await fresh()
    const { max } = LIMITS.wholeListRows
    const all = Array.from({ length: max }, (_, i) => thing(`t${String(i).padStart(5, '0')}`))
    for (const some of slices(all, 500)) await change(storage, ...puts(things, some))
    const rows = storage.rows(1)
    const lists = (ids: readonly string[]) => [
      rows.wholeList(things, 'byParent', ['p1']),
      rows.wholeList(things, 'byParent', ['p1'], { ids: [...ids, 'elsewhere'] })
    ]
    await change(storage, ...puts(things, [thing('elsewhere', { parent: 'p2' })]))
    for (const list of await Promise.all(lists(idsOf(all)))) assert.equal(list && idsOf(list), idsOf(all))
    await change(storage, ...puts(things, [thing('more')]))
    assert.equal(await Promise.all(lists([...idsOf(all), 'more'])), [null, null])
  })

  test('an outline has every row of a list, in its order', async () => {
    const storage = await fresh()
    const rows = storage.rows(1)
    assert.equal(await rows.outline(things, 'byParent', ['p1']), [])
    await change(storage, ...puts(things, [thing('b', { revision: 7 }), thing('a'), thing('c', { parent: 'p2' })]))
    const outlined = async (...list: Parameters<typeof rows.outline>) =>
      (await rows.outline(...list)).map(({ id, revision }) => ({ id, revision }))
    const [a, b] = [
      { id: 'a', revision: 1 },
      { id: 'b', revision: 7 }
    ]
    assert.equal(await outlined(things, 'byParent', ['p1']), [a, b])
    assert.equal(await outlined(things, 'byParent', ['p1'], { reverse: true }), [b, a])
    assert.equal(await outlined(things, 'byName', [], { ids: ['c', 'b'] }), [b, { id: 'c', revision: 1 }])
  })

  test('an outline says how large each body is, in parts or not, and after it has changed', async () => {
    const storage = await fresh()
    const bodies = ['{"text":"\u00e4"}', large('b', 1.5 * MB).body]
    await change(
      storage,
      ...puts(things, [thing('a', { body: bodies[0] ?? '' }), thing('b', { body: bodies[1] ?? '' })])
    )
    const sizes = async (...list: Parameters<ReturnType<typeof storage.rows>['outline']>) =>
      (await storage.rows(1).outline(...list)).map(({ bytes }) => bytes)
    const expected = bodies.map((body) => Buffer.byteLength(body))
    assert.equal(await sizes(things, 'byParent', ['p1']), expected)
    assert.equal(await sizes(things, 'byName', [], { ids: ['a', 'b'] }), expected)
    await change(storage, { op: 'patch', table: things, id: 'b', set: { body: '{}' } })
    assert.equal(await sizes(things, 'byParent', ['p1']), [expected[0], 2])
  })

  test('rows come page by page in the order of the ids that were given', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('a'), thing('b'), thing('c')]))
    const rows = storage.rows(1)
    assert.equal(await rows.getPage(things, ['c', 'none', 'a', 'x\0']), [thing('c'), thing('a')])
    assert.equal(await rows.getPage(things, ['none']), [])
    assert.equal(await rows.getPage(things, []), [])
  })

  test('a list, a page of rows and a scan hold no more than a page, however large the rows are', async () => {
    const storage = await fresh()
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => large(id, 1.5 * MB))
    await put(storage, all)
    const rows = storage.rows(1)
    assert.is(await rows.wholeList(things, 'byParent', ['p1']), null)
    assert.is(await rows.wholeList(things, 'byName', [], { ids: idsOf(all) }), null)
    assert.equal(idsOf(await rows.outline(things, 'byParent', ['p1'])), idsOf(all))
    const bounded = async (page: (after: string) => Promise<readonly Thing[]>) => {
      const found: Thing[] = []
      for (let after = ''; ; ) {
        const some = await page(after)
        if (some.length === 0) break
        const bytes = some.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
        assert.ok(some.length === 1 || bytes <= LIMITS.page.max, `a page of ${bytes} bytes`)
        found.push(...some)
        after = some.at(-1)?.id ?? ''
      }
      assert.equal(found, all)
    }
    await bounded((after) =>
      rows.getPage(
        things,
        idsOf(all).filter((id) => id > after)
      )
    )
    await bounded((after) => storage.scan(1, things, after, 100) as Promise<readonly Thing[]>)
    await storage.snapshot((at) => bounded((after) => at.scan(things, after, 100) as Promise<readonly Thing[]>))
  })

  test('a row that is larger than a page is a page of its own', async () => {
    const storage = await fresh()
    const all = [large('a', 5 * MB), thing('b')]
    await put(storage, all)
    assert.equal(idsOf(await storage.scan(1, things, '', 10)), ['a'])
    assert.equal(idsOf(await storage.rows(1).getPage(things, ['a', 'b'])), ['a'])
    assert.is(await storage.rows(1).wholeList(things, 'byParent', ['p1']), null)
  })

  test('columns are read without the bodies, by id too', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('a'), thing('b')]))
    assert.equal(await storage.rows(1).getAll(things, ['a', 'none'], { body: false }), [thing('a', { body: '' })])
  })
}
