import * as assert from 'uvu/assert'
import { puts } from '../contract/commits.js'
import type { TestDatabase } from '../contract/databases.js'
import { contractTables, thing, things } from '../contract/tables.js'
import type { Suite } from '../support/suite.js'

const ROWS = 3000

/** What a server must do with a window of a replay that a process has sent it before it was killed. */
export function killedContract(test: Suite, create: () => Promise<TestDatabase>): void {
  test('is done before the next process looks how far a generation has come', async () => {
    const database = await create()
    try {
      const [killed, next] = [await database.open(contractTables), await database.open(contractTables)]
      await killed.schema.createTables()
      await killed.createGeneration(2)
      const rows = Array.from({ length: ROWS }, (_, i) => thing(`t${i}`))
      const applied = killed.apply(2, puts(things, rows), { position: 7, label: 'v1' })
      const seen = await next.schema.exclusively(() => next.buildOf(2), 'rebuild')
      await applied
      assert.equal(seen, { position: 7, label: 'v1' })
    } finally {
      await database.remove()
    }
  })
}
