import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { z } from 'zod'
import { closeToOthers, codeOf, makePrivate } from '../../lib/files.js'
import { temporaryFolder } from '../../lib/temporary.js'
import { EMPTY_INDEX, IndexFile, textIn } from './file.js'
import { type Progress, progressOf } from './progress.js'

/** Raised when the same record gets other terms, or the file keeps them otherwise: every index is then made anew. */
const INDEX_VERSION = 6
const BUSY_TIMEOUT_MS = 1000
const BESIDE = ['-wal', '-shm']

/** A file that is not what it should be: only a new one helps. */
class OtherVersion extends Error {
  override readonly name = 'OtherVersion'
}

/** Where an index is. Every method throws what the database or the file system throws. */
export interface IndexPlace {
  /** Opens what is there, or begins with nothing. */
  open(): IndexFile
  /** Takes away what is there. */
  empty(): void
  /** Lets others have it. */
  leave(): void
}

/**
 * The place of the index in a file, which is this process's alone until it leaves. Where another process has it, or `path` is
 * null, the index is in a file without a name, which goes with the process; it begins with what the other process has.
 */
export function indexPlace(path: string | null): IndexPlace {
  const unlock = path === null ? null : locked(`${path}.lock`)
  if (path === null || unlock === null) return withoutName(path)
  return {
    open() {
      makePrivate(path)
      for (const end of BESIDE) closeToOthers(path + end)
      return opened(new Database(path), 'WAL')
    },
    empty() {
      for (const end of ['', ...BESIDE]) rmSync(path + end, { force: true })
    },
    leave: unlock
  }
}

/** True for a failure that says that a file is damaged. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error) ?? '')
}

/** True for a failure to open a file that says that there is no index of this version in it. */
export function isUnusable(error: unknown): boolean {
  // Who reads an index holds up nobody: where one is locked, it is none.
  return error instanceof OtherVersion || isDamage(error) || /^SQLITE_(ERROR|BUSY)/.test(codeOf(error) ?? '')
}

/** How far the index in a file is, whichever process has it; null where it is empty, or none that can be read. Changes nothing. */
export function progressIn(path: string): Progress | null {
  const db = new Database(path)
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA query_only = ON`)
    return progressOf(textIn(db.prepare('SELECT text FROM progress').get()))
  } catch (error) {
    if (isUnusable(error)) return null
    throw error
  } finally {
    db.close()
  }
}

function withoutName(others: string | null): IndexPlace {
  let origin = others
  return {
    open() {
      const from = origin
      origin = null
      return (from === null ? null : copyOf(from)) ?? opened(new Database(''), 'MEMORY')
    },
    empty() {},
    leave() {}
  }
}

/** A copy without a name; null where there is nothing to copy. */
function copyOf(path: string): IndexFile | null {
  // The other process may not have made it yet, and the database would make it for everybody.
  makePrivate(path)
  const folder = temporaryFolder('search')
  try {
    const copy = join(folder, 'copy')
    const db = new Database(path)
    try {
      db.prepare('VACUUM INTO ?').run([copy])
    } finally {
      db.close()
    }
    return opened(new Database(copy), 'MEMORY')
  } catch (error) {
    if (isUnusable(error)) return null
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function opened(db: Database.Database, journal: 'WAL' | 'MEMORY'): IndexFile {
  try {
    // What is deleted or written over is gone from the file too.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA secure_delete = ON`)
    // A machine that fails may take the last changes along: then the index is behind.
    db.exec(`PRAGMA journal_mode = ${journal}; PRAGMA synchronous = NORMAL`)
    const version = z.object({ user_version: z.number() }).parse(db.prepare('PRAGMA user_version').get()).user_version
    if (version !== INDEX_VERSION && version !== 0) throw new OtherVersion(`Version ${version}`)
    if (version === 0) db.exec(`BEGIN; ${EMPTY_INDEX} PRAGMA user_version = ${INDEX_VERSION}; COMMIT`)
    return new IndexFile(db)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Takes the lock of a file, which goes with the process; null where another process has it. */
function locked(path: string): (() => void) | null {
  makePrivate(path)
  const db = new Database(path)
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return () => void db.close()
  } catch (error) {
    db.close()
    if (codeOf(error)?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
