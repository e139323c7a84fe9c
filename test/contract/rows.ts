import * as assert from 'uvu/assert'
import type { RowOp } from '../../src/storage/storage.js'
import { filling } from './builds.js'
import { change, puts } from './commits.js'
import type { Contract } from './storage.js'
import { type Thing, thing, things, words } from './tables.js'

/** What each change of rows means, in a commit and in `apply`. */
export function rowContract({ test, fresh }: Contract): void {
  const table = things

  const changes = (name: string, before: readonly Thing[], ops: readonly RowOp[], after: readonly Thing[]) =>
    test(name, async () => {
      const storage = await fresh()
      await change(storage, ...puts(table, before))
      await change(storage, ...ops)
      assert.equal(await storage.scan(1, table, '', 100), after, 'in a commit')
      const second = await filling(storage, 2)
      await second.apply(puts(table, before))
      await second.apply(ops)
      assert.equal(await storage.scan(2, table, '', 100), after, 'applied to a generation')
    })

  const full = thing('full', {
    parent: 'p2',
    sortOrder: Number.MAX_SAFE_INTEGER,
    owner: 'o',
    editor: 'e',
    isLocked: true,
    size: -5,
    note: 'n',
    endedAt: '2026-05-06T07:08:09.010Z'
  })

  test('columns may have names that are words of SQL', async () => {
    const storage = await fresh()
    const row = {
      id: 'a',
      version: 1,
      revision: 1,
      group: 'g',
      order: 2,
      groups: 'h',
      user: 'u',
      database: 'd',
      body: '{}'
    }
    await change(storage, ...puts(words, [row, { ...row, id: 'b', order: 1 }, { ...row, id: 'c', group: 'gone' }]))
    await change(
      storage,
      { op: 'patch', table: words, id: 'a', set: { user: 'v' } },
      { op: 'nullify', table: words, columns: ['group', 'groups'], value: 'h', revision: 2 },
      { op: 'deleteWhere', table: words, column: 'group', value: 'gone' }
    )
    const changed = { ...row, groups: null, revision: 2 }
    const list = [
      { ...changed, id: 'b', order: 1 },
      { ...changed, user: 'v' }
    ]
    const rows = storage.rows(1)
    assert.equal(await rows.list(words, 'byGroup', ['g']), list)
    assert.equal(await rows.listPart(words, 'byGroup', ['g'], { limit: 1, after: [1, 'u', 'b'] }), [
      { ...list[1], body: '' }
    ])
    assert.is(await rows.count(words, 'byGroup', ['g'], [2]), 1)
    assert.equal(await rows.get(words, 'b'), list[0])
  })

  changes('every column comes back as it was put', [thing('bare', { parent: null })], puts(table, [full]), [
    thing('bare', { parent: null }),
    full
  ])
  changes('a put replaces the whole row', [full], puts(table, [thing('full')]), [thing('full')])
  changes(
    'many puts of one row leave the last',
    [],
    puts(
      table,
      [1, 2, 3].map((size) => thing('a', { size }))
    ),
    [thing('a', { size: 3 })]
  )
  changes(
    'a patch sets its columns and leaves the rest',
    [full, thing('other')],
    [{ op: 'patch', table, id: 'full', set: { isLocked: false, owner: null, revision: 9, body: '{"b":1}' } }],
    [{ ...full, isLocked: false, owner: null, revision: 9, body: '{"b":1}' }, thing('other')]
  )
  changes('a patch of no row makes none', [], [{ op: 'patch', table, id: 'none', set: { revision: 9 } }], [])
  changes(
    'a delete removes its row alone',
    [thing('a'), thing('b')],
    [
      { op: 'delete', table, id: 'a' },
      { op: 'delete', table, id: 'none' }
    ],
    [thing('b')]
  )
  changes(
    'deleteWhere removes every row that holds the value, whole and exactly',
    [
      thing('a', { owner: 'x' }),
      thing('b', { owner: 'X' }),
      thing('c', { owner: 'x ' }),
      thing('d', { owner: 'x' }),
      thing('e')
    ],
    [{ op: 'deleteWhere', table, column: 'owner', value: 'x' }],
    [thing('b', { owner: 'X' }), thing('c', { owner: 'x ' }), thing('e')]
  )
  changes(
    'deleteWhere of null removes nothing',
    [thing('a')],
    [{ op: 'deleteWhere', table, column: 'owner', value: null }],
    [thing('a')]
  )
  changes(
    'clear empties the columns that hold the value and raises the revision of their rows',
    [
      thing('a', { owner: 'x', editor: 'x' }),
      thing('b', { owner: 'x', editor: 'y' }),
      thing('c', { owner: 'y', editor: 'x' }),
      thing('d', { owner: 'y' }),
      thing('e')
    ],
    [{ op: 'nullify', table, columns: ['owner', 'editor'], value: 'x', revision: 7 }],
    [
      thing('a', { revision: 7 }),
      thing('b', { editor: 'y', revision: 7 }),
      thing('c', { owner: 'y', revision: 7 }),
      thing('d', { owner: 'y' }),
      thing('e')
    ]
  )
  changes(
    'changes take effect one after another',
    [thing('a', { owner: 'x' })],
    [
      { op: 'patch', table, id: 'a', set: { owner: 'y' } },
      { op: 'deleteWhere', table, column: 'owner', value: 'x' },
      ...puts(table, [thing('b', { owner: 'x' })]),
      { op: 'nullify', table, columns: ['owner'], value: 'y', revision: 3 },
      { op: 'delete', table, id: 'b' },
      ...puts(table, [thing('b', { size: 1 })]),
      { op: 'patch', table, id: 'b', set: { size: 2 } }
    ],
    [thing('a', { revision: 3 }), thing('b', { size: 2 })]
  )
  const many = Array.from({ length: 137 }, (_, i) => thing(`m${String(i).padStart(3, '0')}`, { sortOrder: i }))
  changes('hundreds of rows go in at once', [], puts(table, many.slice(0, 100)), many.slice(0, 100))

  test('rows are scanned page by page in order of id', async () => {
    const storage = await fresh()
    await change(storage, ...puts(table, many.toReversed()))
    const pages: string[][] = []
    for (let after = ''; ; ) {
      const page = (await storage.scan(1, table, after, 50)).map(({ id }) => id)
      if (page.length === 0) break
      pages.push(page)
      after = page.at(-1) ?? ''
    }
    assert.equal(
      pages.map(({ length }) => length),
      [50, 50, 37]
    )
    assert.equal(
      pages.flat(),
      many.map(({ id }) => id)
    )
  })
}
