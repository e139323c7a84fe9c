import { createHash } from 'node:crypto'
import type { MysqlConfig } from '../config/types.js'
import { mysqlCircumstances } from './mysql/circumstances.js'
import { mysqlPlaces, textOf } from './mysql/connection.js'
import { isReadOnly, mysqlDialect, translate } from './mysql/dialect.js'
import { mysqlGrants } from './mysql/grants.js'
import { mysqlSession } from './mysql/session.js'
import type { SqlDriver } from './sql/dialect.js'
import { type SqlServer, sqlServer } from './sql/server.js'
import { translating } from './sql/session.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

/** How long the making of a table may take. */
const MAKING_MS = 60_000
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
  const { poolSize: most, connectTimeoutMs: connect_ms, statementTimeoutMs: limit_ms, otherHosts = [] } = server
  const places = mysqlPlaces(server)
  const link = sqlServer({
    backend: 'mysql',
    most,
    connect_ms: connect_ms * (1 + otherHosts.length),
    limit_ms,
    open: async (what, limit_ms) =>
      mysqlSession(await places.connect({ limit_ms, ...(what === 'writes' && { idle_s: IDLE_S }) })),
    signOfLife: places.signOfLife,
    translate,
    // It took writes when the connections were made: somebody else does now.
    isMoved: isReadOnly,
    endAll: places.endAll
  })
  try {
    return sqlStorage(mysqlDriver(server, await collationOf(link.query), link, places), server.prefix, tables)
  } catch (error) {
    await link.close()
    throw error
  }
}

function mysqlDriver(
  server: MysqlConfig,
  collation: string,
  link: SqlServer,
  places: ReturnType<typeof mysqlPlaces>
): SqlDriver {
  return {
    ...link,
    dialect: mysqlDialect(collation),
    grants: (granting) => mysqlGrants(server, granting),
    circumstances: () => mysqlCircumstances(link.query),
    async makeTables(statements) {
      const translated = translating(translate)
      const connection = await translated(places.connect({ limit_ms: MAKING_MS }))
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
    exclusively: (name, work, signal) =>
      link.session(false, async (ask) => {
        const values = [lockName(server.database, name), LOCK_WAIT_S]
        while ((await ask({ text: LOCK, values }))[0]?.held !== 1) signal?.throwIfAborted()
        return work()
      }),
    hasTable: async (name) => (await link.query({ text: TABLES, values: [name] })).length > 0
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
