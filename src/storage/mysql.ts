import { createHash } from 'node:crypto'
import type { MysqlConfig } from '../config/types.js'
import { connect, type MysqlConnection, type Role, textOf } from './mysql/connection.js'
import { mysqlDialect, Refusal, translated } from './mysql/dialect.js'
import { mysqlWriter } from './mysql/writer.js'
import { pulse } from './pulse.js'
import type { SqlDriver } from './sql/dialect.js'
import { sharedReaders } from './sql/readers.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

/** How much longer than reads writes have: a commit may delete everything in a large collection. */
const WRITE_TIMES = 3
const MAKER: Role = { isolation: 'READ COMMITTED', limit_ms: 60_000 }
const LOCK_WAIT_S = 1
/** A process that holds the head and does not go on for so long is taken for gone: others wait for it. */
const IDLE_S = 10
/** Whoever makes tables waits so long for another one at most. */
const TABLES_WAIT_S = 30
const LOCK_NAME_MAX = 64

/**
 * Opens a MySQL or MariaDB database and proves that it answers. Throws `StorageUnavailable` when it does not, or when it is
 * one that cannot tell texts apart by their bytes.
 */
export async function openMysql(server: MysqlConfig, tables: readonly TableSpec[]): Promise<Storage> {
  const link = mysqlLink(server)
  try {
    return sqlStorage(mysqlDriver(server, await collationOf(link.query), link), server.prefix, tables)
  } catch (error) {
    await link.close()
    throw error
  }
}

/** The connections to a server: those that are shared, and those of its own that somebody works on. */
interface Link extends Pick<SqlDriver, 'query' | 'transaction' | 'locked' | 'close' | 'pool'> {
  /** A connection that ends after `work`, and with it what was begun on it: a transaction, a lock. */
  withConnection<T>(work: (query: SqlDriver['query'], run: (text: string) => Promise<void>) => Promise<T>): Promise<T>
}

function mysqlLink(server: MysqlConfig): Link {
  const { poolSize: most, connectTimeoutMs: connect_ms, statementTimeoutMs: limit_ms } = server
  const writes: Role = { isolation: 'READ COMMITTED', limit_ms: WRITE_TIMES * limit_ms, idle_s: IDLE_S }
  const openReader = () => connect(server, { isolation: 'REPEATABLE READ', limit_ms })
  const readersOf = () => sharedReaders(openReader, { most, connect_ms, server: 'MySQL' })
  let readers = readersOf()
  const writer = mysqlWriter(() => connect(server, writes))
  const { during, stop } = pulse(
    (over) => signOfLife(openReader, over),
    () => {
      writer.forget()
      readers.destroy()
      readers = readersOf()
    }
  )
  return {
    query: (statement) => translated(during(() => readers.use((connection) => connection.query(statement)))),
    // Nobody waits for what has no guard, such as the building of read tables: it keeps its own, longer limit.
    transaction: (statements, guard) =>
      guard ? during(() => writer.transaction(statements, guard)) : writer.transaction(statements),
    locked: (lock, work) => writer.locked(lock, work, during),
    async withConnection(work) {
      const connection = await translated(during(openReader, (late) => late.destroy()))
      try {
        return await work(
          (statement) => translated(during(() => connection.query(statement))),
          (text) => translated(during(() => connection.run(text)))
        )
      } catch (error) {
        // A server that does not answer says no goodbye either.
        if (error instanceof StorageUnavailable) connection.destroy()
        throw error
      } finally {
        await connection.close()
      }
    },
    pool: () => ({ backend: 'mysql', ...readers.counts(), max: most }),
    async close() {
      stop()
      await Promise.all([readers.close(), writer.close()])
    }
  }
}

/** Resolves when the server lets a connection in, or says why not. */
async function signOfLife(open: () => Promise<MysqlConnection>, over: AbortSignal): Promise<void> {
  const opening = open()
  over.addEventListener('abort', () => void opening.then((connection) => connection.destroy()).catch(() => {}))
  await opening.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

function mysqlDriver(server: MysqlConfig, collation: string, link: Link): SqlDriver {
  const { query, transaction, locked, withConnection, pool, close } = link
  return {
    dialect: mysqlDialect(collation),
    query,
    transaction,
    locked,
    async makeTables(statements) {
      const connection = await translated(connect(server, MAKER))
      try {
        // The lock is that of the connection: where it is lost, so is the way to make anything.
        const values = [lockName(server.database, `${server.prefix}tables`), TABLES_WAIT_S]
        const [row] = await translated(connection.query({ text: LOCK, values }))
        if (row?.held !== 1) throw new StorageUnavailable('Another process makes tables in this database.')
        for (const statement of statements) await translated(connection.run(textOf(statement)))
      } finally {
        await connection.close()
      }
    },
    session: (consistent, work) =>
      withConnection(async (ask, run) => {
        if (consistent) await run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
        return work(ask)
      }),
    exclusively: (name, work) =>
      withConnection(async (ask) => {
        const values = [lockName(server.database, name), LOCK_WAIT_S]
        while ((await ask({ text: LOCK, values }))[0]?.held !== 1);
        return work()
      }),
    hasTable: async (name) => (await query({ text: TABLES, values: [name] })).length > 0,
    ...(pool && { pool }),
    close
  }
}

const LOCK = 'SELECT GET_LOCK(?, ?) AS held'
const TABLES = 'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?'

// MariaDB's name for it and MySQL's; a server may know both, and then the first is its own.
const COLLATIONS = `SELECT VERSION() AS version, MAX(collation_name) AS name
FROM information_schema.collations WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')`

/** The server's collation that compares texts by code point, and not as if spaces followed them. */
async function collationOf(query: SqlDriver['query']): Promise<string> {
  const [row] = await query({ text: COLLATIONS, values: [] })
  if (typeof row?.name === 'string') return row.name
  throw new StorageUnavailable(
    `The server is ${row?.version}, and the hub needs MySQL 8.0.17 or MariaDB 10.2 or later.`
  )
}

/** The server knows locks by name alone, whatever the database, and names of this length at most. */
function lockName(database: string, name: string): string {
  const full = `${database}.${name}`
  return full.length <= LOCK_NAME_MAX ? full : createHash('sha256').update(full).digest('hex')
}
