import mysql from 'mysql2/promise'
import * as assert from 'uvu/assert'
import { mysqlDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { statements } from './fixture.js'
import { hardStatements, proveHardTakeover, repairs } from './hard.js'
import { proveTakeover } from './takeover.js'

const test = suite('an older hub in MySQL', { needs: ['mysql'] })

const types = { time: 'datetime NULL', flag: 'tinyint(1)', text: 'longtext', yes: '1', no: '0' }

test('with a bootstrap, names that are taken and a table that cannot be read is taken over once it is mended', async () => {
  const database = await mysqlDatabase('legacy')
  assert.ok(database)
  const { host, port, user, password, database: name } = database.config
  const connection = await mysql.createConnection({ host, port, user, password, database: name, timezone: 'Z' })
  await connection.query('ALTER DATABASE CHARACTER SET utf8mb4')
  for (const statement of hardStatements(types)) await connection.query(statement)
  await proveHardTakeover(JSON.stringify(database.config), async () => {
    for (const statement of repairs(types)) await connection.query(statement)
  })
  await connection.end()
})

test('is taken over by migrate: old tokens authenticate and every record reads as before', async () => {
  const database = await mysqlDatabase('legacy')
  assert.ok(database)
  const { host, port, user, password, database: name } = database.config
  const connection = await mysql.createConnection({ host, port, user, password, database: name, timezone: 'Z' })
  for (const statement of statements(types)) await connection.query(statement)
  await connection.end()
  await proveTakeover({ db: JSON.stringify(database.config) })
})

test.run()
