import mysql from 'mysql2/promise'
import * as assert from 'uvu/assert'
import { mysqlDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { filling } from './filled.js'
import { proveWholeTakeover } from './whole.js'

const test = suite('an older hub in MySQL', { needs: ['mysql'] })

const types = { time: 'datetime NULL', flag: 'tinyint(1)', text: 'longtext', yes: '1', no: '0', bytes: 'longblob' }

for (const release of ['0.5.4', '0.9.4'] as const) {
  test(`of release ${release}, with every table and column filled, comes over whole, record by record`, async () => {
    const database = await mysqlDatabase('legacy')
    assert.ok(database)
    const { host, port, user, password, database: name } = database.config
    const connection = await mysql.createConnection({ host, port, user, password, database: name, timezone: 'Z' })
    await connection.query('ALTER DATABASE CHARACTER SET utf8mb4')
    for (const { text, values } of filling(release, types, () => '?')) await connection.query(text, [...values])
    await connection.end()
    await proveWholeTakeover(release, JSON.stringify(database.config))
  })
}

test.run()
