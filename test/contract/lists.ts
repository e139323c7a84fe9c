import * as assert from 'uvu/assert'
import { columnOf } from '../../src/storage/order.js'
import type { ListOptions, Storage, Value } from '../../src/storage/storage.js'
import { change, puts } from './commits.js'
import type { Contract } from './storage.js'
import { named, names, thing, things } from './tables.js'

/** Names in the order of their code points, whatever a database's own collation makes of them. */
const ORDERED = [
  '',
  '\u0001',
  ' ',
  '!',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'a\u0001b',
  'aa',
  'a\u0308',
  'b',
  'z',
  '~',
  'Ä',
  'ß',
  'ä',
  'é',
  'ı',
  'Ω',
  'я',
  '中',
  // Longer than some databases care to compare.
  `${'中'.repeat(450)}a`,
  `${'中'.repeat(450)}b`,
  '\ue000',
  '\uffee',
  '\u{1f600}',
  '\u{10fffd}'
]

/** Questions about rows: which come, and in which order. */
export function listContract({ test, fresh }: Contract): void {
  const ids = async (storage: Storage, index: string, key: readonly Value[], options?: ListOptions) =>
    (await storage.rows(1).list(things, index, key, options)).map(({ id }) => id)

  test('a list has the order of code points, from either end', async () => {
    const storage = await fresh()
    const rows = ORDERED.map((sortKey, i) => thing(`i${99 - i}`, { sortKey }))
    await change(
      storage,
      ...puts(
        things,
        rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      )
    )
    const keys = async (reverse: boolean) =>
      (await storage.rows(1).list(things, 'byName', [], { reverse })).map(({ sortKey }) => sortKey)
    assert.equal(await keys(false), ORDERED)
    assert.equal(await keys(true), ORDERED.toReversed())
  })

  test('ties are broken by the next column and then by id', async () => {
    const storage = await fresh()
    await change(
      storage,
      ...puts(things, [
        thing('c', { sortOrder: 1, sortKey: 'x' }),
        thing('a', { sortOrder: 2, sortKey: 'x' }),
        thing('B', { sortOrder: 1, sortKey: 'x' }),
        thing('b', { sortOrder: 1, sortKey: 'x' }),
        thing('d', { sortOrder: 1, sortKey: 'w' }),
        thing('e', { sortOrder: -1, sortKey: 'z' })
      ])
    )
    assert.equal(await ids(storage, 'byParent', ['p1']), ['e', 'd', 'B', 'b', 'c', 'a'])
    assert.equal(await ids(storage, 'byParent', ['p1'], { reverse: true }), ['a', 'c', 'b', 'B', 'd', 'e'])
  })

  test('a list holds the rows under its key alone', async () => {
    const storage = await fresh()
    const rows = [thing('a'), thing('b', { parent: 'P1' }), thing('c', { parent: 'p1 ' }), thing('d', { parent: null })]
    await change(storage, ...puts(things, rows))
    assert.equal(await ids(storage, 'byParent', ['p1']), ['a'])
    assert.equal(await ids(storage, 'byParent', ['none']), [])
    assert.equal(await ids(storage, 'byParent', [null]), [], 'null equals nothing')
  })

  test('a key of several columns, one of them a flag', async () => {
    const storage = await fresh()
    await change(
      storage,
      ...puts(things, [thing('a'), thing('b', { isLocked: true }), thing('c', { isLocked: true, parent: 'p2' })])
    )
    assert.equal(await ids(storage, 'byLock', ['p1', true]), ['b'])
    assert.equal(await ids(storage, 'byLock', ['p1', false]), ['a'])
    assert.is(await storage.rows(1).count(things, 'byLock', ['p1', true]), 1)
  })

  test('a list of given ids holds those that are there and under the key', async () => {
    const storage = await fresh()
    const rows = ['a', 'b', 'c', 'd\'\\"{},'].map((id) => thing(id))
    await change(storage, ...puts(things, [...rows, thing('e', { parent: 'p2' })]))
    const among = (ids_: readonly string[], more: ListOptions = {}) =>
      ids(storage, 'byParent', ['p1'], { ids: ids_, ...more })
    assert.equal(await among(['c', 'a', 'none', 'e', 'a', 'd\'\\"{},']), ['a', 'c', 'd\'\\"{},'])
    assert.equal(await among(['c', 'a', 'b'], { limit: 2, reverse: true }), ['c', 'b'])
    assert.equal(await among([]), [])
    assert.equal(await among(Array.from({ length: 5000 }, (_, i) => `x${i}`).concat('b')), ['b'])
  })

  test('a limit takes from the start, or with reverse from the end', async () => {
    const storage = await fresh()
    await change(
      storage,
      ...puts(
        things,
        ['a', 'b', 'c'].map((id) => thing(id))
      )
    )
    assert.equal(await ids(storage, 'byParent', ['p1'], { limit: 2 }), ['a', 'b'])
    assert.equal(await ids(storage, 'byParent', ['p1'], { limit: 2, reverse: true }), ['c', 'b'])
    assert.equal(await ids(storage, 'byParent', ['p1'], { limit: 0 }), [])
    assert.equal(await ids(storage, 'byParent', ['p1'], { limit: 9 }), ['a', 'b', 'c'])
  })

  test('a list without bodies has every other column', async () => {
    const storage = await fresh()
    const row = thing('a', { size: 4 })
    await change(storage, ...puts(things, [row]))
    assert.equal(await storage.rows(1).list(things, 'byParent', ['p1'], { body: false }), [{ ...row, body: '' }])
    assert.equal(await storage.rows(1).list(things, 'byParent', ['p1'], { body: true }), [row])
  })

  test('a unique name is found exactly', async () => {
    const storage = await fresh()
    const all = ['ada', 'Ada', 'adä', 'ada ', ' ada', 'ada\u0001', 'ada\u0308']
    await change(
      storage,
      ...puts(
        names,
        all.map((name, i) => named(`${i}`, name))
      )
    )
    for (const [i, name] of all.entries()) {
      const found = await storage.rows(1).list(names, 'byUniqueName', [name], { limit: 1 })
      assert.equal(
        found.map(({ id }) => id),
        [`${i}`],
        JSON.stringify(name)
      )
    }
  })

  test('rows are counted by key', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('a'), thing('b'), thing('c', { parent: 'p2' })]))
    const count = (key: readonly Value[]) => storage.rows(1).count(things, 'byParent', key)
    assert.equal([await count(['p1']), await count(['p2']), await count(['p3'])], [2, 1, 0])
    assert.is(await storage.rows(1).count(things, 'byName', []), 3)
  })

  test('rows are counted up to a place in the order of an index', async () => {
    const storage = await fresh()
    const at = { sortOrder: 2, sortKey: 'é' }
    const rows = [thing('a'), thing('b', at), thing('c', at), thing('d', { ...at, sortKey: 'f' }), thing('e', at)]
    await change(storage, ...puts(things, [...rows, thing('z', { parent: 'p2' })]))
    const count = (...before: Value[]) => storage.rows(1).count(things, 'byParent', ['p1'], before)
    assert.equal([await count(0), await count(1), await count(2), await count(3)], [0, 1, 1, 5])
    assert.equal([await count(2, 'f'), await count(2, 'é'), await count(2, '中')], [1, 2, 5])
    assert.equal([await count(2, 'é', 'b'), await count(2, 'é', 'c'), await count(2, 'é', 'f')], [2, 3, 5])
    assert.is(await storage.rows(1).count(things, 'byName', [], ['f']), 1)
  })

  test('a list is read part by part from either end, whatever comes or goes before it', async () => {
    const storage = await fresh()
    const rows = ORDERED.map((sortKey, i) => thing(`i${99 - i}`, { sortKey, sortOrder: i % 3 }))
    await change(storage, ...puts(things, [...rows, thing('other', { parent: 'p2' })]))
    for (const [index, key] of [
      ['byParent', ['p1']],
      ['byName', []]
    ] as const) {
      for (const reverse of [false, true]) {
        const whole = await storage.rows(1).list(things, index, key, { reverse, body: false })
        const { order } = things.indexes[index]
        for (const limit of [1, 7, whole.length + 1]) {
          const found: (typeof whole)[number][] = []
          for (let after: readonly Value[] | undefined; ; ) {
            const part = await storage.rows(1).listPart(things, index, key, { reverse, limit, after })
            assert.ok(part.length <= limit)
            found.push(...part)
            const last = part.at(-1)
            if (!last || part.length < limit) break
            after = [...order.map((column) => columnOf(last, column)), last.id]
          }
          assert.equal(found, whole, `${index} ${reverse} ${limit}`)
        }
      }
    }
  })

  test('a part of a list of given ids holds those of them that stand behind', async () => {
    const storage = await fresh()
    await change(
      storage,
      ...puts(
        things,
        ['a', 'b', 'c', 'd'].map((id) => thing(id))
      )
    )
    const [row] = await storage.rows(1).list(things, 'byParent', ['p1'], { ids: ['b'] })
    const after = row && [row.sortOrder, row.sortKey, 'b']
    const part = async (more: { reverse?: boolean; ids?: readonly string[]; limit?: number }) =>
      (await storage.rows(1).listPart(things, 'byParent', ['p1'], { after, limit: 9, ...more })).map(({ id }) => id)
    assert.equal(await part({}), ['c', 'd'])
    assert.equal(await part({ ids: ['a', 'd', 'none'] }), ['d'])
    assert.equal(await part({ reverse: true }), ['a'])
    assert.equal(await part({ ids: [] }), [])
    assert.equal(await part({ limit: 0 }), [])
  })

  test('getAll returns the rows that exist, each once', async () => {
    const storage = await fresh()
    await change(
      storage,
      ...puts(
        things,
        ['a', 'b', 'c'].map((id) => thing(id))
      )
    )
    const rows = await storage.rows(1).getAll(things, ['c', 'none', 'a', 'c'])
    assert.equal(
      rows.toSorted((x, y) => (x.id < y.id ? -1 : 1)),
      [thing('a'), thing('c')]
    )
    assert.equal(await storage.rows(1).getAll(things, []), [])
  })

  test('what no row can hold finds nothing', async () => {
    const storage = await fresh()
    await change(storage, ...puts(things, [thing('a'), thing('b', { parent: '?' })]))
    const rows = storage.rows(1)
    for (const odd of ['a\0', 'a\0b', '\0', 'a\ud800', '\udc00', '\ufffd', '中'.repeat(100), "' OR 1=1 --"]) {
      assert.is(await rows.get(things, odd), null)
      assert.equal(await rows.getAll(things, [odd, 'a']), [thing('a')])
      assert.equal(await ids(storage, 'byParent', [odd]), [])
      assert.equal(await ids(storage, 'byParent', ['p1'], { ids: [odd, 'a'] }), ['a'])
      assert.is(await rows.count(things, 'byParent', [odd]), 0)
    }
  })
}
