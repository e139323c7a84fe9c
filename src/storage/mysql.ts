import { createHash } from 'node:crypto'
import { connect, type MysqlServer, type Role, textOf } from './mysql/connection.js'
import { mysqlDialect } from './mysql/dialect.js'
import { Refusal, translated } from './mysql/errors.js'
import { mysqlReaders } from './mysql/readers.js'
import { mysqlWriter } from './mysql/writer.js'
import { pulse } from './pulse.js'
import type { SqlDriver } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

export interface MysqlOptions extends MysqlServer {
  readonly prefix: string
}

const READERS_MAX = 6
const READER: Role = { isolation: 'REPEATABLE READ', isMultiple: false, limit_ms: 4000 }
/** Has longer than reads have: a commit may delete everything in a large collection. */
const WRITER: Role = { isolation: 'READ COMMITTED', isMultiple: true, limit_ms: 12_000 }
const MAKER: Role = { isolation: 'READ COMMITTED', isMultiple: false, limit_ms: 60_000 }
/** Indexes of tens of millions of rows take minutes. */
const INDEXER: Role = { isolation: 'READ COMMITTED', isMultiple: false, limit_ms: 3_600_000 }
const LOCK_WAIT_S = 1
/** Whoever makes tables waits so long for another one at most. */
const TABLES_WAIT_S = 30
const LOCK_NAME_MAX = 64

/**
 * Opens a MySQL or MariaDB database and proves that it answers. Throws `StorageUnavailable` when it does not, or when it is
 * one that cannot tell texts apart by their bytes.
 */
export async function openMysql(options: MysqlOptions, tables: readonly TableSpec[]): Promise<Storage> {
  const link = mysqlLink(options)
  try {
    return sqlStorage(mysqlDriver(options, await collationOf(link.query), link), options.prefix, tables)
  } catch (error) {
    await link.close()
    throw error
  }
}

/** The connections to a server: those that are shared, and those of its own that somebody works on. */
interface Link extends Pick<SqlDriver, 'query' | 'transaction' | 'close'> {
  /** A connection that ends after `work`, and with it what was begun on it: a transaction, a lock. */
  withConnection<T>(work: (query: SqlDriver['query'], run: (text: string) => Promise<void>) => Promise<T>): Promise<T>
}

function mysqlLink(server: MysqlServer): Link {
  const openReader = () => connect(server, READER)
  let readers = mysqlReaders(openReader, READERS_MAX)
  const writer = mysqlWriter(() => connect(server, WRITER))
  const { during, stop } = pulse(
    (over) => signOfLife(server, over),
    () => {
      writer.forget()
      readers.destroy()
      readers = mysqlReaders(openReader, READERS_MAX)
    }
  )
  return {
    query: (statement) => translated(during(() => readers.use((connection) => connection.query(statement)))),
    // Nobody waits for what has no guard, such as the building of read tables: it keeps its own, longer limit.
    transaction: (statements, guard) =>
      guard ? during(() => writer.transaction(statements, guard)) : writer.transaction(statements),
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
    async close() {
      stop()
      await Promise.all([readers.close(), writer.close()])
    }
  }
}

/** Resolves when the server lets a connection in, or says why not. */
async function signOfLife(server: MysqlServer, over: AbortSignal): Promise<void> {
  const opening = connect(server, READER)
  over.addEventListener('abort', () => void opening.then((connection) => connection.destroy()).catch(() => {}))
  await opening.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

function mysqlDriver(server: MysqlOptions, collation: string, link: Link): SqlDriver {
  const { query, transaction, withConnection, close } = link
  return {
    dialect: mysqlDialect(collation),
    query,
    transaction,
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
    async makeIndexes(statements) {
      const connection = await translated(connect(server, INDEXER))
      try {
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
