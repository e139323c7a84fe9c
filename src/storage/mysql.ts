import { createHash } from 'node:crypto'
import { type Connection, connect, type MysqlServer, type Role } from './mysql/connection.js'
import { mysqlDialect } from './mysql/dialect.js'
import { translated } from './mysql/errors.js'
import { mysqlReaders } from './mysql/readers.js'
import { textOf } from './mysql/text.js'
import { mysqlWriter } from './mysql/writer.js'
import type { SqlDriver, Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

export interface MysqlOptions extends MysqlServer {
  readonly prefix: string
}

const READERS_MAX = 6
const READER: Role = { isolation: 'REPEATABLE READ', isMultiple: false, limit_ms: 4000 }
/** Has longer than reads have: a commit may delete everything in a large collection. */
const WRITER: Role = { isolation: 'READ COMMITTED', isMultiple: true, limit_ms: 12_000 }
/** Indexes of tens of millions of rows take minutes. */
const INDEXER: Role = { isolation: 'READ COMMITTED', isMultiple: false, limit_ms: 3_600_000 }
const LOCK_WAIT_S = 1
const LOCK_NAME_MAX = 64

/**
 * Opens a MySQL or MariaDB database and proves that it answers. Throws `StorageUnavailable` when it does not, or when it is
 * one that cannot tell texts apart by their bytes.
 */
export async function openMysql(options: MysqlOptions, tables: readonly TableSpec[]): Promise<Storage> {
  const readers = mysqlReaders(() => connect(options, READER), READERS_MAX)
  const query = (statement: Statement) => translated(readers.use((connection) => connection.query(statement)))
  try {
    const collation = await collationOf(query)
    return sqlStorage(mysqlDriver(options, collation, query, readers.close), options.prefix, tables)
  } catch (error) {
    await readers.close()
    throw error
  }
}

function mysqlDriver(
  server: MysqlServer,
  collation: string,
  query: SqlDriver['query'],
  closeReaders: () => Promise<void>
): SqlDriver {
  const writer = mysqlWriter(() => connect(server, WRITER))

  /** A connection that ends after `work`, and with it what was begun on it: a transaction, a lock. */
  const withConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await translated(connect(server, READER))
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }

  return {
    dialect: mysqlDialect(collation),
    query,
    transaction: writer.transaction,
    async makeIndexes(statements) {
      const connection = await translated(connect(server, INDEXER))
      try {
        for (const statement of statements) await translated(connection.run(textOf(statement)))
      } finally {
        await connection.close()
      }
    },
    session: (consistent, work) =>
      withConnection(async (connection) => {
        if (consistent) await translated(connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'))
        return work((statement) => translated(connection.query(statement)))
      }),
    exclusively: (name, work) =>
      withConnection(async (connection) => {
        const values = [lockName(server.database, name), LOCK_WAIT_S]
        const lock = { text: 'SELECT GET_LOCK(?, ?) AS held', values }
        while ((await translated(connection.query(lock)))[0]?.held !== 1);
        return work()
      }),
    hasTable: async (name) => (await query({ text: TABLES, values: [name] })).length > 0,
    async close() {
      await Promise.all([closeReaders(), writer.close()])
    }
  }
}

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
