import { rm } from 'node:fs/promises'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { mysqlTestDatabase, postgresTestDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { suite } from '../support/suite.js'
import { overtakenSuite } from './overtaken.js'

const LOCK = 'hub_rebuild'

const onSqlite = suite('builders overtaken: sqlite')
overtakenSuite(onSqlite, sqliteDatabase, async ({ config }) => {
  if (config?.driver === 'sqlite') await rm(`${config.path}.${LOCK}.lock`)
})
onSqlite.run()

const onPostgres = suite('builders overtaken: postgres', { needs: ['postgres'] })
overtakenSuite(onPostgres, postgresTestDatabase, async ({ config }: TestDatabase) => {
  if (config?.driver !== 'postgres') return
  const client = new pg.Client(config)
  await client.connect()
  const held = `locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${held}`)
  await client.end()
})
onPostgres.run()

const onMysql = suite('builders overtaken: mysql', { needs: ['mysql'] })
overtakenSuite(onMysql, mysqlTestDatabase, async ({ config }) => {
  if (config?.driver !== 'mysql') return
  const { host, port, user, password, database } = config
  const where = host.startsWith('/') ? { socketPath: host } : { host, port }
  const connection = await mysql.createConnection({ ...where, user, password, database })
  const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT IS_USED_LOCK(?) AS id', [`${database}.${LOCK}`])
  await connection.query(`KILL ${Number(rows[0]?.id)}`)
  await connection.end()
})
onMysql.run()
