import { codeOf, open } from './connection.js'

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
