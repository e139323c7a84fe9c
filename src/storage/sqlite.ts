import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import type { Dialect, RawRow, SqlDriver, Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

const BUSY_TIMEOUT_MS = 5000
const PREPARED_MAX = 500

/**
 * Opens the embedded database in one file; several processes may share it. Commits are on disk when they return (WAL,
 * synchronous=FULL). Throws `StorageUnavailable` when the file cannot be opened.
 */
export function openSqlite(path: string, prefix: string, tables: readonly TableSpec[]): Storage {
  return sqlStorage(sqliteDriver(path), prefix, tables)
}

const dialect: Dialect = {
  placeholder: () => '?',
  columnType: (kind) => (kind.startsWith('integer') || kind === 'flag' ? 'INTEGER' : 'TEXT'),
  tableOptions: '',
  upsert: (key, columns) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  isIn: (column, values) => ({
    text: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values)]
  }),
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
}

interface Connection {
  run(statement: Statement): void
  query(statement: Statement): readonly RawRow[]
  close(): void
}

function sqliteDriver(path: string): SqlDriver {
  const main = connect(path)
  return {
    dialect,
    query: async (statement) => translated(() => main.query(statement)),
    transaction: async (statements) => transaction(main, statements),
    async session(consistent, work) {
      const connection = connect(path)
      try {
        if (consistent) connection.run(sql('BEGIN'))
        return await work(async (statement) => translated(() => connection.query(statement)))
      } finally {
        connection.close()
      }
    },
    async exclusively(name, work) {
      // A file beside the database whose write lock stands for the named lock, so that other writers go on meanwhile.
      const lock = connect(`${path}.${name}.lock`)
      try {
        await retryBusy(() => lock.run(sql('BEGIN EXCLUSIVE')))
        return await work()
      } finally {
        lock.close()
      }
    },
    hasTable: async (name) =>
      main.query({ text: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, values: [name] }).length > 0,
    close: async () => main.close()
  }
}

const sql = (text: string): Statement => ({ text, values: [] })

function transaction(connection: Connection, statements: readonly Statement[]): 'done' | 'conflict' {
  return translated(() => {
    connection.run(sql('BEGIN IMMEDIATE'))
    try {
      for (const statement of statements) connection.run(statement)
      connection.run(sql('COMMIT'))
      return 'done'
    } catch (error) {
      connection.run(sql('ROLLBACK'))
      if (codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'conflict'
      throw error
    }
  })
}

function connect(path: string): Connection {
  const db = translated(() => {
    mkdirSync(dirname(path), { recursive: true })
    const db = new Database(path)
    // Journal mode first needs the lock that busy_timeout waits for.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    db.exec('PRAGMA journal_mode = WAL')
    db.exec('PRAGMA synchronous = FULL')
    return db
  })
  const prepared = new Map<string, Database.Statement>()
  const prepare = (text: string) => {
    const known = prepared.get(text)
    if (known) return known
    if (prepared.size >= PREPARED_MAX) prepared.clear()
    const fresh = db.prepare(text)
    prepared.set(text, fresh)
    return fresh
  }
  return {
    run: ({ text, values }) => void prepare(text).run(...values),
    query({ text, values }) {
      const statement = prepare(text)
      // A driver's rows are plain objects; each value is checked when it is decoded.
      if (statement.reader) return statement.all(...values) as readonly RawRow[]
      statement.run(...values)
      return []
    },
    close() {
      prepared.clear()
      db.close()
    }
  }
}

const LOCK_RETRY_MS = 50

async function retryBusy(run: () => void): Promise<void> {
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY') throw error
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
    }
  }
}

function translated<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const code = codeOf(error)
    if (/^SQLITE_(BUSY|LOCKED|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)/.test(code)) {
      throw new StorageUnavailable(`The database file cannot be used (${code}).`, { cause: error })
    }
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
