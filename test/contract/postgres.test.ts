import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { openPostgres } from '../../src/storage/postgres.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { postgresTestDatabase } from './databases.js'
import { storageContract } from './storage.js'
import { contractTables } from './tables.js'
import { lockContract } from './writes.js'

const test = suite('storage: postgres', { needs: ['postgres'] })
storageContract(test, postgresTestDatabase, lockContract)

test('a database whose encoding cannot hold every text is refused, and the message says so', async () => {
  const database = await postgresDatabase('encoding')
  if (!database) throw new Error('There is no Postgres.')
  const [client, ascii] = [new pg.Client(database.config), `${database.config.database}_ascii`]
  await client.connect()
  try {
    await client.query(`CREATE DATABASE "${ascii}" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
    const refusal = await rejection(openPostgres({ ...database.config, database: ascii }, contractTables))
    assert.instance(refusal, StorageUnavailable)
    assert.match(String(refusal), 'The database has the encoding SQL_ASCII, and the hub needs UTF8.')
  } finally {
    await client.query(`DROP DATABASE IF EXISTS "${ascii}"`)
    await client.end()
  }
})

test('exclusive work keeps its lock for longer than the server lets others be idle', async () => {
  const database = await postgresDatabase('idle')
  if (!database) throw new Error('There is no Postgres.')
  const { config } = database
  const client = new pg.Client(config)
  await client.connect()
  await client.query(`ALTER DATABASE "${config.database}" SET idle_in_transaction_session_timeout = '100ms'`)
  await client.end()
  const storages = [await openPostgres(config, contractTables), await openPostgres(config, contractTables)]
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await sleep(400)
    order.push(`${name} ends`)
  }
  await Promise.all(storages.map(({ schema }) => schema.exclusively(work('it'))))
  assert.equal(order, ['it begins', 'it ends', 'it begins', 'it ends'])
  await Promise.all(storages.map((storage) => storage.close()))
})

test.run()
