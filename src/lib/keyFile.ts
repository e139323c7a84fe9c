import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { closeToOthers, isCode, writePrivate } from './files.js'

export const KEY_BYTES = 32

/**
 * What a key file holds. It is made where there is none, with 32 random bytes, for its owner alone; one that is open to others is closed
 * to them. Throws what the file system says.
 */
export function keyFileBytes(file: string): Buffer {
  return read(file) ?? made(file)
}

/** The bytes of a file; null where there is none. */
function read(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file)
    closeToOthers(file)
    return bytes
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/** The key that is in the file now: of several processes that make one, the first has made it, and whole. */
function made(file: string): Buffer {
  const draft = `${file}.${randomUUID()}`
  writePrivate(draft, randomBytes(KEY_BYTES))
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file)
}
