import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import type { FirestoreConfig, MysqlConfig, PostgresConfig } from '../../src/config/types.js'
import { afterwards, onceAfterwards } from './afterwards.js'
import { connectMysql, mysqlServerAt } from './mysql-service.js'
import { findService, type ServiceName, servicesDemanded } from './services.js'

// What is made here is gone after the test, or the suite, that asked for it, where nobody has removed it before.

export interface PostgresDatabase {
  readonly config: PostgresConfig
  /** Removes the database, connections to it included. */
  drop(): Promise<void>
}

export interface MysqlDatabase {
  readonly config: MysqlConfig
  /** Ends every session in the database. */
  terminate(): Promise<void>
  /** Removes the database, connections to it included. */
  drop(): Promise<void>
}

export interface FirestoreDatabase {
  readonly config: FirestoreConfig
  /** Removes everything in it. */
  clear(): Promise<void>
}

export interface RedisSpace {
  readonly host: string
  readonly port: number
  readonly password?: string
  readonly db: number
  /** Nobody else's, without a trailing colon. */
  readonly keyPrefix: string
  /** Deletes every key that starts with the prefix. */
  clear(): Promise<void>
}

export interface TemporaryDirectory {
  readonly path: string
  remove(): Promise<void>
}

/** What a configuration says of a database server where the file says nothing. */
export const USUAL = { prefix: 'hub_', poolSize: 6, connectTimeoutMs: 3000, statementTimeoutMs: 4000 } as const

/**
 * A new, empty database on the Postgres of the tests. Null when there is none; with CI=true that is an error instead.
 * `name` shows in the database's name, to tell whose it was if it is left behind.
 */
export async function postgresDatabase(name: string): Promise<PostgresDatabase | null> {
  const address = await addressOf('postgres')
  if (address === null) return null
  const database = databaseName(name)
  const config: PostgresConfig = {
    driver: 'postgres',
    host: decodeURIComponent(address.hostname),
    port: Number(address.port || 5432),
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    database,
    targetSessionAttrs: 'any',
    ...USUAL
  }
  // template0 is never in use, so that several files can create databases at once.
  await administer(address, `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8'`)
  const drop = onceAfterwards(() => administer(address, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`))
  return { config, drop }
}

/**
 * A new, empty database on the MySQL or MariaDB of the tests. Null when there is none; with CI=true that is an error instead.
 */
export async function mysqlDatabase(name: string): Promise<MysqlDatabase | null> {
  const address = await addressOf('mysql')
  if (address === null) return null
  const database = databaseName(name)
  const config: MysqlConfig = { driver: 'mysql', ...mysqlServerAt(address), database, ...USUAL }
  const administered = async (work: (connection: Connection) => Promise<unknown>) => {
    const connection = await connectMysql(address)
    await work(connection).finally(() => connection.end())
  }
  // A character set that cannot hold what tests store: a driver says which one it wants.
  await administered((connection) => connection.query(`CREATE DATABASE ${database} CHARACTER SET latin1`))
  return {
    config,
    terminate: () => administered((connection) => endSessions(connection, database)),
    drop: onceAfterwards(() =>
      administered(async (connection) => {
        // The server would wait for the transactions of those who are connected.
        await endSessions(connection, database)
        await connection.query(`DROP DATABASE IF EXISTS ${database}`)
      })
    )
  }
}

/**
 * A project of one's own on the Firestore emulator of the tests, which this process and those that it starts then use. Null
 * when there is none, whatever CI says.
 */
export async function firestoreDatabase(name: string): Promise<FirestoreDatabase | null> {
  const service = await findService('firestore')
  if ('missing' in service) return null
  const { host } = new URL(service.url)
  process.env.FIRESTORE_EMULATOR_HOST = host
  const projectId = databaseName(name).replaceAll('_', '-')
  const documents = `http://${host}/emulator/v1/projects/${projectId}/databases/(default)/documents`
  const clear = async () => void (await fetch(documents, { method: 'DELETE' }))
  afterwards(clear)
  return { config: { driver: 'firestore', projectId, prefix: 'hub_' }, clear }
}

/** A key prefix of one's own on the Redis of the tests. Null when there is none; with CI=true that is an error instead. */
export async function redisSpace(): Promise<RedisSpace | null> {
  const address = await addressOf('redis')
  if (address === null) return null
  const server = {
    host: address.hostname,
    port: Number(address.port || 6379),
    ...(address.password !== '' && { password: decodeURIComponent(address.password) }),
    db: Number(address.pathname.slice(1))
  }
  const keyPrefix = `hub_test_${unique()}`
  const clear = async () => {
    const redis = new Redis({ ...server, lazyConnect: true })
    // The commands below fail with the same error; without a listener it would be printed as well.
    redis.on('error', () => undefined)
    try {
      for await (const keys of redis.scanStream({ match: `${keyPrefix}*`, count: 1000 })) {
        if (keys.length > 0) await redis.del(keys)
      }
    } finally {
      redis.disconnect()
    }
  }
  afterwards(clear)
  return { ...server, keyPrefix, clear }
}

/** A new, empty directory. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'hub-test-'))
  // A hub that is still open may write there meanwhile: then it is not empty at first.
  return { path, remove: onceAfterwards(() => rm(path, { recursive: true, force: true, maxRetries: 10 })) }
}

async function addressOf(name: ServiceName): Promise<URL | null> {
  const service = await findService(name)
  if ('url' in service) return new URL(service.url)
  if (servicesDemanded) throw new Error(`CI=true demands every service: ${service.missing}`)
  return null
}

async function administer(address: URL, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function endSessions(connection: Connection, database: string): Promise<void> {
  const text = 'SELECT id AS id FROM information_schema.processlist WHERE db = ?'
  const [sessions] = await connection.query<RowDataPacket[]>(text, [database])
  for (const { id } of sessions) {
    // One that has ended meanwhile cannot be ended.
    await connection.query(`KILL ${Number(id)}`).catch(() => undefined)
  }
}

function databaseName(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 20)
  return `hub_test_${label}_${unique()}`
}

function unique(): string {
  return `${process.pid}_${randomBytes(4).toString('hex')}`
}
