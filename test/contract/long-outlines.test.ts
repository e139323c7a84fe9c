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
    let isRead = false
    /** One row after another goes from the end of the list to its beginning. */
    const moving = (async () => {
      let moved = 0
      for (; !isRead; moved++) {
        await change(storage, { op: 'patch', table: things, id: rows[moved]?.id ?? '', set: { sortOrder: -moved } })
        await setImmediate()
      }
      return moved
    })()
    const found = (await storage.rows(1).outline(things, 'byParent', ['p1'])).map(({ id }) => id)
    isRead = true
    const moved = await moving
    const inOrder = rows.map(({ id }) => id).toReversed()
    const before = found.indexOf(inOrder[0] ?? '')
    assert.ok(
      before >= 0 && found.join() === [...inOrder.slice(ROWS - before), ...inOrder.slice(0, ROWS - before)].join()
    )
    assert.ok(moved > 2, `${moved} changes while it was read`)
  })

  test.run()
}
