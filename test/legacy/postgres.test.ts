import pg from 'pg'
import * as assert from 'uvu/assert'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { statements } from './fixture.js'
import { proveTakeover } from './takeover.js'

const test = suite('an older hub in Postgres', { needs: ['postgres'] })

test('is taken over by migrate: old tokens authenticate and every record reads as before', async () => {
  const database = await postgresDatabase('legacy')
  assert.ok(database)
  try {
    const client = new pg.Client(database.config)
    await client.connect()
    const types = { time: 'timestamp', flag: 'boolean', text: 'text', yes: 'TRUE', no: 'FALSE' }
    for (const statement of statements(types)) await client.query(statement)
    await client.end()
    await proveTakeover({ db: JSON.stringify(database.config) })
  } finally {
    await database.drop()
  }
})

test.run()
