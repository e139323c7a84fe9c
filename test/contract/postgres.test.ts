import pg from 'pg'
import * as assert from 'uvu/assert'
import { openPostgres } from '../../src/storage/postgres.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { filling } from './builds.js'
import { puts } from './commits.js'
import { postgresTestDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { contractTables, thing, things } from './tables.js'
import { lockContract } from './writes.js'

const test = suite('storage: postgres', { needs: ['postgres'] })
storageContract(test, postgresTestDatabase, lockContract)

test('a generation that was filled and completed has the indexes of one that was live from the first', async () => {
  const database = await postgresDatabase('indexes')
  if (database === null) throw new Error('A suite on Postgres must say that it needs it')
  const { config } = database
  const storage = await openPostgres(config, contractTables)
  const client = new pg.Client(config)
  const indexesOf = async (generation: number) => {
    const { rows } = await client.query<{ definition: string }>(
      'SELECT indexdef AS definition FROM pg_indexes WHERE tablename LIKE $1 ORDER BY 1',
      [`%_g${generation}`]
    )
    return rows.map(({ definition }) => definition.replaceAll(`_g${generation}`, '_g'))
  }
  try {
    await client.connect()
    await storage.schema.createTables()
    const second = await filling(storage, 2)
    assert.not.equal(await indexesOf(2), await indexesOf(1))
    await storage.completeGeneration(second.fence())
    assert.equal(await indexesOf(2), await indexesOf(1))
  } finally {
    await storage.close()
    await client.end()
    await database.drop()
  }
})

test('while a generation gets its indexes another one is built', async () => {
  const database = await postgresDatabase('indexing')
  if (database === null) throw new Error('A suite on Postgres must say that it needs it')
  const storage = await openPostgres(database.config, contractTables)
  const client = new pg.Client(database.config)
  try {
    await client.connect()
    await storage.schema.createTables()
    const second = await filling(storage, 2)
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE tablename LIKE '%things_g2'"
    )
    // An index waits for whoever may write to its table.
    await client.query(`BEGIN; LOCK TABLE ${rows[0]?.name} IN ROW EXCLUSIVE MODE`)
    let isComplete = false
    const completed = storage.completeGeneration(second.fence()).then(() => {
      isComplete = true
    })
    await (await filling(storage, 3)).apply(puts(things, [thing('a')]))
    assert.is(isComplete, false)
    await client.query('COMMIT')
    await completed
  } finally {
    await client.end()
    await storage.close()
    await database.drop()
  }
})

test.run()
