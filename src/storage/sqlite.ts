import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { type Ending, lengthOf, type Outcome, type RawRow, type SqlDriver, type Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { COMMIT_PATIENCE_MS, connect, connectToRead, open, READ_PATIENCE_MS, withRetry } from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { fileAt } from './sqlite/file.js'
import { writeThread } from './sqlite/thread.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

const LARGE_COUNT = 100
const LARGE_LENGTH = 512 * 1024
/** So far the write-ahead log grows before a checkpoint: about as far as the database would let it by itself, 4 MB. */
const CHECKPOINT_BYTES = 4 * 1024 * 1024
/** What a transaction writes beside its values, about: the pages of the indexes that it touches. */
const PAGES_BYTES = 40 * 1024
/**
 * How long the file may be another writer's before a write is given up: as long as a statement of the other databases may take.
 * A file has no queue of those who wait, so that several commands beside a server on a slow disk need more than their share of it.
 */
const LOCK_PATIENCE_MS = 4000
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
  const file = fileAt(path)
  const thread = writeThread(path)
  // A checkpoint takes as long as the disk does: the event loop does not wait for it, only whoever writes next.
  const leavesCheckpoints = isMainThread && connectTo === connect
  if (leavesCheckpoints) main.query({ text: 'PRAGMA wal_autocheckpoint = 0', values: [] })
  let logged_bytes = 0
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  /** A thread, and a connection for a session, would be opened again. */
  const requireOpen = () => {
    if (isClosed) throw new StorageUnavailable('The database is closed.')
    file.requireSame()
  }
  /** One transaction at a time: the file takes no second one, and would not say when it does. */
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(() => {
      requireOpen()
      return work()
    })
    last = done.catch(() => sleep(PAUSE_MS))
    return done
  }
  const underWay = new Set<Promise<unknown>>()
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const done = () => void underWay.delete(work)
    underWay.add(work)
    work.then(done, done)
    return work
  }
  const written = (statements: readonly Statement[], outcome: Outcome): Outcome => {
    logged_bytes += PAGES_BYTES + charactersOf(statements)
    if (leavesCheckpoints && logged_bytes >= CHECKPOINT_BYTES) checkpoint()
    return outcome
  }
  const writeHere = (statements: readonly Statement[], guard: Statement | undefined): Outcome =>
    written(statements, main.transaction(statements, guard))
  const checkpoint = (): void => {
    logged_bytes = 0
    // One that fails leaves everything in the log, for the next one.
    void tracked(inTurn(() => thread.checkpoint('PASSIVE')).catch(() => {}))
  }
  /** The turn is for one attempt: whoever waits for a busy file lets others try meanwhile. */
  const transaction = (attempt: () => Outcome | Promise<Outcome>, limit_ms?: number): Promise<Outcome> =>
    tracked(withRetry(() => inTurn(attempt), limit_ms))
  /** Nothing is written before the end, so whoever reads over the same connection meanwhile sees what is committed. */
  const lockedHere = async (
    lock: string,
    work: (rows: readonly RawRow[]) => Promise<Ending | null>
  ): Promise<Outcome> => {
    await withRetry(main.begin, LOCK_PATIENCE_MS)
    let ending: Ending | null
    try {
      ending = await work(main.query({ text: lock, values: [] }))
    } catch (error) {
      main.rollBack()
      throw error
    }
    if (ending && !(isMainThread && isLarge(ending.statements)))
      return withRetry(() => written(ending.statements, main.end(ending.statements, ending.guard)), 0)
    main.rollBack()
    // The guard tells whether somebody has come between.
    return ending ? withRetry(() => thread.transaction(ending.statements, ending.guard), COMMIT_PATIENCE_MS) : 'done'
  }
  const query = (statement: Statement) => withRetry(() => main.query(statement), READ_PATIENCE_MS)
  return {
    dialect: sqliteDialect,
    query,
    mark: () => withRetry(main.mark, READ_PATIENCE_MS),
    transaction: (statements, guard) => {
      // What is another thread already, as that of a rebuild, holds up nobody.
      const attempt =
        isMainThread && isLarge(statements)
          ? () => thread.transaction(statements, guard)
          : () => writeHere(statements, guard)
      return transaction(attempt, guard && COMMIT_PATIENCE_MS)
    },
    locked: (lock, work) => tracked(inTurn(() => lockedHere(lock, work))),
    // Its former pages are in the log of the file, too.
    forget: async () => inTurn(() => thread.checkpoint('TRUNCATE')),
    async makeTables(statements) {
      await transaction(() => writeHere(statements, undefined))
    },
    async session(consistent, work) {
      requireOpen()
      const connection = await connectTo(path)
      try {
        if (consistent) connection.query({ text: 'BEGIN', values: [] })
        return await work((statement) => withRetry(() => connection.query(statement)))
      } finally {
        connection.close()
      }
    },
    async exclusively(name, work, signal) {
      // A file beside the database whose lock stands for the named one, so that other writers go on meanwhile.
      const lock = await open(`${path}.${name}.lock`)
      try {
        await withRetry(() => lock.exec('BEGIN EXCLUSIVE'), Number.POSITIVE_INFINITY, signal)
        return await work()
      } finally {
        lock.close()
      }
    },
    async hasTable(name) {
      requireOpen()
      const asked = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`
      return (await query({ text: asked, values: [name] })).length > 0
    },
    async close() {
      await Promise.allSettled(underWay)
      isClosed = true
      await thread.close()
      main.close()
    }
  }
}

/** True where the event loop should not wait for these: they carry much, or nobody knows how much they change. */
function isLarge(statements: readonly Statement[]): boolean {
  if (statements.length > LARGE_COUNT) return true
  for (const { isBulk } of statements) if (isBulk) return true
  return charactersOf(statements) > LARGE_LENGTH
}

function charactersOf(statements: readonly Statement[]): number {
  let sum = 0
  for (const one of statements) sum += lengthOf(one)
  return sum
}
