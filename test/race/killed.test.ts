import * as assert from 'uvu/assert'
import { BuildLost } from '../../src/storage/storage.js'
import { filling } from '../contract/builds.js'
import { puts } from '../contract/commits.js'
import { mysqlTestDatabase, postgresTestDatabase } from '../contract/databases.js'
import { contractTables, thing, things } from '../contract/tables.js'
import { everyRow } from '../support/rows.js'
import { suite } from '../support/suite.js'

const ROWS = 3000

/** What a server must do with a window of a replay that a process has sent it before it was killed. */
for (const [name, create] of [
  ['postgres', postgresTestDatabase],
  ['mysql', mysqlTestDatabase]
] as const) {
  const test = suite(`what a killed process has sent to ${name}`, { needs: [name] })

  test('is done, or never will be, once the next process has taken the generation over', async () => {
    const database = await create()
    const [killed, next] = [await database.open(contractTables), await database.open(contractTables)]
    await killed.schema.createTables()
    const second = await filling(killed, 2)
    const rows = Array.from({ length: ROWS }, (_, i) => thing(`t${i}`))
    const over = second.fence().builder
    const applied = second.apply(puts(things, rows), 7).catch((error: unknown) => error)
    const { position } = await next.takeOver(2, over)
    const refusal = await applied
    const count = (await everyRow((after, limit) => next.scan(2, things, after, limit))).length
    if (position === 7) assert.equal([refusal, count], [undefined, ROWS])
    else {
      assert.instance(refusal, BuildLost)
      assert.equal([position, count], [0, 0])
    }
  })

  test.run()
}
