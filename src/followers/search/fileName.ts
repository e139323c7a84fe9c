import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DbConfig } from '../../config/types.js'

/** So many hexadecimal digits tell the databases of a configuration apart. */
const DIGITS = 16

/**
 * The file of the search index of a log: beside the database where that is a file, else in `searchDirectory`, under a name that
 * stands for the database and the prefix. Null where it has no name: the index is then made anew by each process.
 */
export function searchFileOf(db: DbConfig): string | null {
  if (db.driver === 'sqlite') return `${db.path}.${db.prefix}search`
  if (db.searchDirectory === undefined) return null
  const place = db.driver === 'firestore' ? [db.projectId] : [db.host, db.port, db.database]
  const name = createHash('sha256')
    .update(JSON.stringify([db.driver, ...place, db.prefix]))
    .digest('hex')
  return join(db.searchDirectory, `${name.slice(0, DIGITS)}.search`)
}

/** What the names of files end with that may stand beside the one of an index. */
const ENDS = ['', '-wal', '-shm', '.lock']

/** Takes the index of a log away from this machine, with what stands beside it. */
export async function removeSearchFile(db: DbConfig): Promise<void> {
  const path = searchFileOf(db)
  if (path !== null) await Promise.all(ENDS.map((end) => rm(path + end, { force: true })))
}
