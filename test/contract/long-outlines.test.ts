import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { change, puts } from './commits.js'
import { databaseDrivers, type TestDatabase } from './databases.js'
import { contractTables, thing, things } from './tables.js'

const ROWS = 6000
const PUT_AT_ONCE = 500

for (const { name, needs, open } of databaseDrivers.filter(({ name }) => name !== 'firestore')) {
  const test = suite(`long outlines: ${name}`, { needs })
  let database: TestDatabase
  test.before(async () => {
    database = await open()
  })

  test('an outline of thousands of rows is that of one moment, in order, and gives way while it is read', async () => {
    const storage = await database.open(contractTables)
    await storage.schema.createTables()
    const rows = Array.from({ length: ROWS }, (_, i) =>
      thing(`m${String(i).padStart(5, '0')}`, { sortOrder: ROWS - i })
    )
    for (let i = 0; i < ROWS; i += PUT_AT_ONCE) await change(storage, ...puts(things, rows.slice(i, i + PUT_AT_ONCE)))
    let turns = 0
    let isRead = false
    const counting = (async () => {
      for (; !isRead; turns++) await setImmediate()
    })()
    const outline = storage.rows(1).outline(things, 'byParent', ['p1'])
    const [first] = rows
    // Behind the first part, and so none of its business.
    await setImmediate()
    await change(storage, { op: 'patch', table: things, id: first?.id ?? '', set: { sortOrder: 0 } })
    const found = (await outline).map(({ id }) => id)
    isRead = true
    await counting
    assert.is(found.length, ROWS)
    assert.is(new Set(found).size, ROWS)
    const inOrder = rows.map(({ id }) => id).toReversed()
    const moved = [inOrder.at(-1) ?? '', ...inOrder.slice(0, -1)]
    assert.ok([inOrder, moved].some((one) => one.join() === found.join()))
    assert.ok(turns > 2, `${turns} turns`)
  })

  test.run()
}
