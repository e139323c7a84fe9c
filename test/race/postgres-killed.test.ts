import * as assert from 'uvu/assert'
import { puts } from '../contract/commits.js'
import { postgresTestDatabase } from '../contract/databases.js'
import { contractTables, thing, things } from '../contract/tables.js'
import { suite } from '../support/suite.js'

const test = suite('what a killed process has sent to Postgres', { needs: ['postgres'] })

test('is done before the next process looks how far a generation has come', async () => {
  const database = await postgresTestDatabase()
  try {
    const [killed, next] = [await database.open(contractTables), await database.open(contractTables)]
    await killed.schema.createTables()
    await killed.createGeneration(2)
    const rows = Array.from({ length: 3000 }, (_, i) => thing(`t${i}`))
    const applied = killed.apply(2, puts(things, rows), { position: 7, label: 'v1' })
    const seen = await next.schema.exclusively(() => next.buildOf(2), 'rebuild')
    await applied
    assert.equal(seen, { position: 7, label: 'v1' })
  } finally {
    await database.remove()
  }
})

test.run()
