import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { closeToOthers, codeOf, isCode, writePrivate } from './files.js'

const KEY_BYTES = 32

/** A key cannot be used; the message names its file and says why. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** Writes a fresh key into a new file, for its owner alone. Throws the file system's error: `EEXIST` where there is a file. */
export function makeKey(file: string): void {
  writePrivate(file, randomBytes(KEY_BYTES))
}

/** The key in a file, by what messages call it. Throws `UnusableKey` where it cannot be read or does not hold 32 bytes. */
export function keyIn(file: string, what: string): Buffer {
  return usable(file, what, 'read', readFileSync)
}

/** The same, which is made where there is none, for its owner alone; one that is open to others is closed to them. */
export function keyMadeIn(file: string, what: string): Buffer {
  return usable(file, what, 'read or made', (path) => closedKey(path) ?? madeKey(path, randomBytes(KEY_BYTES)))
}

/** Why what is in a file cannot be used as a key, by what messages call it; null where it can, or where no file is there yet. */
export function faultOfKey(file: string, what: string): UnusableKey | null {
  try {
    usable(file, what, 'read', (path) => bytesIn(path) ?? Buffer.alloc(KEY_BYTES))
    return null
  } catch (error) {
    if (error instanceof UnusableKey) return error
    throw error
  }
}

/**
 * A key in another form in a file, by what messages call it, which `make` gives where there is none, for its owner alone. Throws
 * `UnusableKey` where it can be neither read nor made.
 */
export function keyTextMadeIn(file: string, what: string, make: () => string): Buffer {
  return bytesOrRefusal(file, what, 'read or made', (path) => bytesIn(path) ?? madeKey(path, make()))
}

function usable(file: string, what: string, how: string, bytesIn: (file: string) => Buffer): Buffer {
  const key = bytesOrRefusal(file, what, how, bytesIn)
  if (key.length === KEY_BYTES) return key
  throw new UnusableKey(`${what} ${file} must hold ${KEY_BYTES} bytes, and it holds ${key.length}.`)
}

function bytesOrRefusal(file: string, what: string, how: string, bytesIn: (file: string) => Buffer): Buffer {
  try {
    return bytesIn(file)
  } catch (cause) {
    throw new UnusableKey(`${what} cannot be ${how}: ${file} (${codeOf(cause) ?? 'unknown error'})`, { cause })
  }
}

/** What is in a file; null where there is none. */
function bytesIn(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/** The same, closed to others. */
function closedKey(file: string): Buffer | null {
  const bytes = bytesIn(file)
  if (bytes) closeToOthers(file)
  return bytes
}

/** The key that is in the file now: of several processes that make one, the first has made it, and whole. */
function madeKey(file: string, key: string | Uint8Array): Buffer {
  const draft = `${file}.${randomUUID()}`
  writePrivate(draft, key)
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file)
}
