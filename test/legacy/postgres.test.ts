import pg from 'pg'
import * as assert from 'uvu/assert'
import { PATIENT } from '../cli/support.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { statements } from './fixture.js'
import { hardStatements, proveHardTakeover, proveHardTakeoverFrom, repairs } from './hard.js'
import { proveTakeover } from './takeover.js'

const test = suite('an older hub in Postgres', { needs: ['postgres'] })

const types = { time: 'timestamp', flag: 'boolean', text: 'text', yes: 'TRUE', no: 'FALSE' }

for (const [where, prove] of [
  ['in its own database', proveHardTakeover],
  ['from another database', proveHardTakeoverFrom]
] as const) {
  test(
    `with a bootstrap, names that are taken and a table that cannot be read is taken over once it is mended, ${where}`,
    async () => {
      const database = await postgresDatabase('legacy')
      assert.ok(database)
      try {
        const client = new pg.Client(database.config)
        await client.connect()
        client.on('error', () => {})
        for (const statement of hardStatements(types)) await client.query(statement)
        await prove(JSON.stringify(database.config), async () => {
          for (const statement of repairs(types)) await client.query(statement)
        })
        await client.end()
      } finally {
        await database.drop()
      }
    },
    PATIENT
  )
}

test('is taken over by migrate: old tokens authenticate and every record reads as before', async () => {
  const database = await postgresDatabase('legacy')
  assert.ok(database)
  try {
    const client = new pg.Client(database.config)
    await client.connect()
    for (const statement of statements(types)) await client.query(statement)
    await client.end()
    await proveTakeover({ db: JSON.stringify(database.config) })
  } finally {
    await database.drop()
  }
})

test.run()
