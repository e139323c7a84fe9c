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
import { sqliteTurnLock } from './sqlite/turnLock.js'
import type { Storage, TableSpec } from './storage.js'
import { turnsBy } from './turns.js'

const LARGE_COUNT = 100
const LARGE_LENGTH = 512 * 1024
/** So far the write-ahead log grows before a checkpoint: about as far as the database would let it by itself, 4 MB. */
const CHECKPOINT_BYTES = 4 * 1024 * 1024
/** What a transaction writes beside its values, about: the pages of the indexes that it touches. */
const PAGES_BYTES = 40 * 1024
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
  // A checkpoint takes as long as the disk does: the event loop does not wait for it, only whoever writes next.
  const leavesCheckpoints = isMainThread && connectTo === connect
  if (leavesCheckpoints) main.query({ text: 'PRAGMA wal_autocheckpoint = 0', values: [] })
  let logged_bytes = 0
  let last: Promise<unknown> = Promise.resolve()
  /** One transaction at a time: the file takes no second one, and would not say when it does. */
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => sleep(PAUSE_MS))
    return done
  }
  const underWay = new Set<Promise<unknown>>()
  const writeHere = (statements: readonly Statement[], guard: Statement | undefined): Outcome => {
    const outcome = main.transaction(statements, guard)
    logged_bytes += PAGES_BYTES + lengthOf(statements)
    if (leavesCheckpoints && logged_bytes >= CHECKPOINT_BYTES) checkpoint()
    return outcome
  }
  const checkpoint = (): void => {
    logged_bytes = 0
    // One that fails leaves everything in the log, for the next one.
    const done = inTurn(() => thread.checkpoint()).catch(() => {})
    underWay.add(done)
    void done.then(() => underWay.delete(done))
  }
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
    await transaction(() => writeHere(statements, undefined))
  }
  return {
    dialect: sqliteDialect,
    query,
    transaction: (statements, guard) => {
      // What is another thread already, as that of a rebuild, holds up nobody.
      const attempt =
        isMainThread && isLarge(statements)
          ? () => thread.transaction(statements, guard)
          : () => writeHere(statements, guard)
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
    turns: (name) => turnsBy(() => sqliteTurnLock(`${path}.${name}`)),
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
  return lengthOf(statements) > LARGE_LENGTH
}

/** How long the texts of these are together. */
function lengthOf(statements: readonly Statement[]): number {
  let length = 0
  for (const { values } of statements)
    for (const value of values) length += typeof value === 'string' ? value.length : 0
  return length
}
