import pg from 'pg'
import * as assert from 'uvu/assert'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { filling } from './filled.js'
import { proveWholeTakeover } from './whole.js'

const test = suite('an older hub in Postgres', { needs: ['postgres'] })

const types = { time: 'timestamp', flag: 'boolean', text: 'text', yes: 'TRUE', no: 'FALSE', bytes: 'bytea' }

for (const release of ['0.5.4', '0.9.4'] as const) {
  test(`of release ${release}, with every table and column filled, comes over whole, record by record`, async () => {
    const database = await postgresDatabase('legacy')
    assert.ok(database)
    const client = new pg.Client(database.config)
    await client.connect()
    await client.query(`SET TIME ZONE 'UTC'`)
    for (const { text, values } of filling(release, types, (i) => `$${i}`)) await client.query(text, values)
    await client.end()
    await proveWholeTakeover(release, JSON.stringify(database.config))
  })
}

test.run()
