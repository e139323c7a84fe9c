import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import type { SqlDriver, Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import {
  COMMIT_PATIENCE_MS,
  connect,
  connectToRead,
  type Outcome,
  open,
  READ_PATIENCE_MS,
  withRetry
} from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { writeThread } from './sqlite/thread.js'
import type { Storage, TableSpec } from './storage.js'

const LARGE_COUNT = 100
const LARGE_LENGTH = 512 * 1024
/** After an attempt that failed: attempts of the main thread wait for the file with the whole event loop. */
const PAUSE_MS = 20

/**
 * Opens the embedded database in one file; several processes may share it. Commits are on disk when they return (WAL,
 * synchronous=FULL). Throws `StorageUnavailable` when the file cannot be used.
 */
export async function openSqlite(path: string, prefix: string, tables: readonly TableSpec[]): Promise<Storage> {
  return sqlStorage(await sqliteDriver(path), prefix, tables)
}

/**
 * The same of a file that is there, for questions only: nothing is made, no mode is changed, and the database refuses every
 * change. Throws `StorageUnavailable` where there is no file.
 */
export async function openSqliteToRead(path: string, prefix: string, tables: readonly TableSpec[]): Promise<Storage> {
  return sqlStorage(await sqliteDriver(path, connectToRead), prefix, tables)
}

async function sqliteDriver(path: string, connectTo = connect): Promise<SqlDriver> {
  const main = await connectTo(path)
  const thread = writeThread(path)
  let last: Promise<unknown> = Promise.resolve()
  /** One transaction at a time: the file takes no second one, and would not say when it does. */
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => sleep(PAUSE_MS))
    return done
  }
  const underWay = new Set<Promise<unknown>>()
  /** The turn is for one attempt: whoever waits for a busy file lets others try meanwhile. */
  const transaction = async (attempt: () => Outcome | Promise<Outcome>, limit_ms?: number): Promise<Outcome> => {
    const outcome = withRetry(() => inTurn(attempt), limit_ms)
    underWay.add(outcome)
    try {
      return await outcome
    } finally {
      underWay.delete(outcome)
    }
  }
  const query = (statement: Statement) => withRetry(() => main.query(statement), READ_PATIENCE_MS)
  const make = async (statements: readonly Statement[]) => {
    await transaction(() => main.transaction(statements, undefined))
  }
  return {
    dialect: sqliteDialect,
    query,
    transaction: (statements, guard) => {
      // What is another thread already, as that of a rebuild, holds up nobody.
      const attempt =
        isMainThread && isLarge(statements)
          ? () => thread.transaction(statements, guard)
          : () => main.transaction(statements, guard)
      return transaction(attempt, guard && COMMIT_PATIENCE_MS)
    },
    transactionAside: (statements, guard) => {
      const attempt = isMainThread
        ? () => thread.transaction(statements, guard)
        : () => main.transaction(statements, guard)
      return transaction(attempt)
    },
    makeTables: make,
    makeIndexes: make,
    async session(consistent, work) {
      const connection = await connectTo(path)
      try {
        if (consistent) connection.query({ text: 'BEGIN', values: [] })
        return await work((statement) => withRetry(() => connection.query(statement)))
      } finally {
        connection.close()
      }
    },
    async exclusively(name, work) {
      // A file beside the database whose lock stands for the named one, so that other writers go on meanwhile.
      const lock = await open(`${path}.${name}.lock`)
      try {
        await withRetry(() => lock.exec('BEGIN EXCLUSIVE'), Number.POSITIVE_INFINITY)
        return await work()
      } finally {
        lock.close()
      }
    },
    hasTable: async (name) =>
      (await query({ text: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, values: [name] })).length >
      0,
    async close() {
      await Promise.allSettled(underWay)
      await thread.close()
      main.close()
    }
  }
}

/** True where the event loop should not wait for these: they carry much, or nobody knows how much they change. */
function isLarge(statements: readonly Statement[]): boolean {
  if (statements.length > LARGE_COUNT || statements.some(({ isBulk }) => isBulk)) return true
  let length = 0
  for (const { values } of statements)
    for (const value of values) length += typeof value === 'string' ? value.length : 0
  return length > LARGE_LENGTH
}
