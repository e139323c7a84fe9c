import { access, constants, stat } from 'node:fs/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import Database from 'libsql'
import { closeToOthers, makePrivate } from '../../lib/files.js'
import type { Outcome, RawRow, Statement } from '../sql/dialect.js'
import { StorageUnavailable } from '../storage.js'

const PREPARED_MAX = 500
/** The driver waits in one go, with the whole process: so it waits shortly, and `withRetry` asks again. */
const BUSY_TIMEOUT_MS = 20
/** How long a file may be busy: for work that nobody waits for, for a question, and for a commit, which is sent again. */
const WORK_PATIENCE_MS = 5000
export const READ_PATIENCE_MS = 1000
export const COMMIT_PATIENCE_MS = 250
const RETRY_MAX_MS = 20

/** One connection to a database file. */
export interface SqliteConnection {
  query(statement: Statement): readonly RawRow[]
  /** All or nothing. Throws what the first failure threw. */
  transaction(statements: readonly Statement[], guard: Statement | undefined): Outcome
  /** Begins a transaction that keeps every other writer out; until it ends, nothing is written over this connection. */
  begin(): void
  /** Ends it with these, all or nothing, as `transaction` would. */
  end(statements: readonly Statement[], guard: Statement): Outcome
  /** Ends it with nothing. */
  rollBack(): void
  /**
   * A number that is another one once anything was committed, over this connection or any other of whatever process. It costs a
   * fraction of a question.
   */
  mark(): number
  close(): void
}

/**
 * Opens a database file, which is made where it is not there. Where the file is busy, statements wait for it for so long, with
 * the whole thread. Throws `StorageUnavailable` when it cannot be used.
 */
export async function connect(path: string, busyTimeout_ms = BUSY_TIMEOUT_MS): Promise<SqliteConnection> {
  return connected(await open(path), async (db) => {
    db.exec(`PRAGMA busy_timeout = ${busyTimeout_ms}`)
    // Another process may be opening the same new file: only one of them can change its mode at a time.
    await withRetry(() => db.exec('PRAGMA journal_mode = WAL'))
    db.exec('PRAGMA synchronous = FULL')
    // What is deleted or written over is gone from the file too: erased names would stand in its free cells.
    db.exec('PRAGMA secure_delete = ON')
  })
}

/**
 * Opens a database file that is there, for questions only: it is left as it is, with its mode. Throws `StorageUnavailable` when
 * it cannot be used.
 */
export async function connectToRead(path: string): Promise<SqliteConnection> {
  return connected(await opened(path, () => stat(path)), (db) => {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    db.exec('PRAGMA query_only = ON')
  })
}

/** Opens a file for its owner alone, and for its lock if for nothing else. */
export function open(path: string): Promise<Database.Database> {
  return opened(path, () => {
    // Made here with its mode: the driver would make it for everybody. Its log and index get the same mode.
    makePrivate(path)
    for (const beside of ['-wal', '-shm']) closeToOthers(path + beside)
  })
}

/**
 * Takes the lock of a file, which is made where it is not there, and returns how to let go of it; null where another process
 * has it. It goes with the process, however that ends. Throws `StorageUnavailable` where there can be no such file.
 */
export async function tryLock(path: string): Promise<(() => void) | null> {
  const db = await open(path)
  try {
    db.exec('PRAGMA busy_timeout = 0')
    db.exec('BEGIN EXCLUSIVE')
    return () => void db.close()
  } catch (error) {
    db.close()
    if (codeOf(error).startsWith('SQLITE_BUSY')) return null
    throw error
  }
}

async function opened(path: string, before: () => unknown): Promise<Database.Database> {
  try {
    await answers(path)
    await before()
    // The driver tells of neither what it is.
    if ((await stat(path)).isDirectory()) throw new Error(`${path} is a directory`)
    await access(path, constants.R_OK)
    return new Database(path)
  } catch (error) {
    throw new StorageUnavailable('The database file cannot be opened.', { cause: error })
  }
}

async function connected(
  db: Database.Database,
  prepare: (db: Database.Database) => void | Promise<void>
): Promise<SqliteConnection> {
  try {
    await prepare(db)
  } catch (error) {
    db.close()
    throw error
  }
  return connectionOn(db)
}

function connectionOn(db: Database.Database): SqliteConnection {
  const prepared = new Map<string, Database.Statement>()
  let versions: Database.Statement | undefined
  let lastVersion: unknown
  let mark = 0
  const query = ({ text, values }: Statement): readonly RawRow[] => {
    let statement = prepared.get(text)
    if (!statement) {
      if (prepared.size >= PREPARED_MAX) prepared.clear()
      statement = db.prepare(text)
      prepared.set(text, statement)
    }
    // A driver's rows are plain objects; each value is checked when it is decoded.
    if (statement.reader) return statement.all(values) as readonly RawRow[]
    mark++
    statement.run(values)
    return []
  }
  const begin = () => void db.exec('BEGIN IMMEDIATE')
  // Some failures have ended the transaction already.
  const rollBack = () => {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
  const passes = (guard: Statement): boolean => {
    try {
      query(guard)
      return true
    } catch (error) {
      if (codeOf(error).startsWith('SQLITE_CONSTRAINT')) return false
      throw error
    }
  }
  const end = (statements: readonly Statement[], guard: Statement | undefined): Outcome => {
    try {
      if (guard && !passes(guard)) {
        rollBack()
        return 'refused'
      }
      for (const statement of statements) query(statement)
      db.exec('COMMIT')
      return 'done'
    } catch (error) {
      rollBack()
      throw error
    }
  }
  return {
    query,
    transaction(statements, guard) {
      begin()
      return end(statements, guard)
    },
    begin,
    end,
    rollBack,
    mark() {
      versions ??= db.prepare('PRAGMA data_version').raw()
      // It tells of what was committed over every connection but this one, whose own changes are counted where they are made.
      const row: unknown = versions.get()
      const version: unknown = Array.isArray(row) ? row[0] : undefined
      if (version !== lastVersion || version === undefined) mark++
      lastVersion = version
      return mark
    },
    close() {
      prepared.clear()
      versions = undefined
      // What is open would outlive the connection until its statements are collected.
      if (db.inTransaction) db.exec('ROLLBACK')
      db.close()
    }
  }
}

/** Runs until the file is not busy with another process, for so long at most, and translates what goes wrong. */
export async function withRetry<T>(
  run: () => T | Promise<T>,
  limit_ms = WORK_PATIENCE_MS,
  signal?: AbortSignal
): Promise<T> {
  const deadline = performance.now() + limit_ms
  for (let wait_ms = 1; ; wait_ms = Math.min(2 * wait_ms, RETRY_MAX_MS)) {
    try {
      return await run()
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() >= deadline) throw translate(error)
    }
    await setTimeout(wait_ms)
    signal?.throwIfAborted()
  }
}

/** What the driver says of everything that is asked of a connection that has been closed. */
const CLOSED = 'The database connection is not open'

function translate(error: unknown): unknown {
  if (error instanceof TypeError && error.message === CLOSED) return new StorageUnavailable(`${CLOSED}.`)
  const code = codeOf(error)
  const isFile = /^SQLITE_(BUSY|LOCKED|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL|PERM|AUTH)/.test(code)
  return isFile ? new StorageUnavailable(`The database file cannot be used (${code}).`, { cause: error }) : error
}

/** What SQLite calls the failures that are about the file, by their numbers. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 3: 'PERM', 5: 'BUSY', 6: 'LOCKED', 8: 'READONLY', 10: 'IOERR', 11: 'CORRUPT', 13: 'FULL' },
  ...{ 14: 'CANTOPEN', 15: 'PROTOCOL', 23: 'AUTH', 26: 'NOTADB' }
}

/** The code of a failure; empty where it has none. The driver has no names for some: their last byte says of which kind they are. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? []
  const name = NAMES[Number(number) % 256]
  return name === undefined ? code : `SQLITE_${name}`
}

const ANSWER_LIMIT_MS = 2500

/**
 * Resolves when the file system says anything about a path, be it that there is nothing; throws `StorageUnavailable` when it
 * says nothing in time, as where a network's file server is gone. The driver itself would wait for it with the whole process.
 */
export async function answers(path: string): Promise<void> {
  const said = stat(path).then(
    () => true,
    () => true
  )
  const late = setTimeout(ANSWER_LIMIT_MS, false, { ref: false })
  if (await Promise.race([said, late])) return
  // It may have said so while this process had no time to look.
  if (!(await Promise.race([said, setImmediate(false)])))
    throw new StorageUnavailable('The file system does not answer.')
}
