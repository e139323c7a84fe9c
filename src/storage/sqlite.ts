import type { SqlDriver, Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { COMMIT_PATIENCE_MS, connect, open, patiently, READ_PATIENCE_MS } from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import type { Storage, TableSpec } from './storage.js'

/**
 * Opens the embedded database in one file; several processes may share it. Commits are on disk when they return (WAL,
 * synchronous=FULL). Throws `StorageUnavailable` when the file cannot be used.
 */
export async function openSqlite(path: string, prefix: string, tables: readonly TableSpec[]): Promise<Storage> {
  return sqlStorage(await sqliteDriver(path), prefix, tables)
}

async function sqliteDriver(path: string): Promise<SqlDriver> {
  const main = await connect(path)
  const query = (statement: Statement) => patiently(() => main.query(statement), READ_PATIENCE_MS)
  return {
    dialect: sqliteDialect,
    query,
    transaction: (statements, guard) =>
      patiently(() => main.transaction(statements, guard), guard && COMMIT_PATIENCE_MS),
    async makeIndexes(statements) {
      await patiently(() => main.transaction(statements, undefined))
    },
    async session(consistent, work) {
      const connection = await connect(path)
      try {
        if (consistent) connection.query({ text: 'BEGIN', values: [] })
        return await work((statement) => patiently(() => connection.query(statement)))
      } finally {
        connection.close()
      }
    },
    async exclusively(name, work) {
      // A file beside the database whose lock stands for the named one, so that other writers go on meanwhile.
      const lock = await open(`${path}.${name}.lock`)
      try {
        await patiently(() => lock.exec('BEGIN EXCLUSIVE'), Number.POSITIVE_INFINITY)
        return await work()
      } finally {
        lock.close()
      }
    },
    hasTable: async (name) =>
      (await query({ text: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, values: [name] })).length >
      0,
    close: async () => main.close()
  }
}
