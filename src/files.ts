import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const OTHERS = 0o077

/**
 * Makes a folder with all above it that are missing, for their owner alone. Throws the file system's error. Node's own way
 * of doing so never comes to an end below a folder that takes none, such as /proc.
 */
export function makeFolder(path: string): void {
  let obstacle = made(path)
  const above = dirname(path)
  if (isCode(obstacle, 'ENOENT') && above !== path) {
    makeFolder(above)
    obstacle = made(path)
  }
  if (obstacle !== null) throw obstacle
}

/** Null when the folder is there now, or why it is not. */
function made(path: string): unknown {
  try {
    mkdirSync(path, { mode: FOLDER_MODE })
    return null
  } catch (error) {
    return isCode(error, 'EEXIST') && statSync(path).isDirectory() ? null : error
  }
}

/**
 * Sees to it that a file which holds what users wrote is there, with its folder, and that only its owner can use it,
 * whatever the umask: one that is more open is closed to others. Throws the file system's error where it cannot be made.
 */
export function makePrivate(path: string): void {
  makeFolder(dirname(path))
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    closeToOthers(path)
  }
}

/** Takes a file's access away from everybody but its owner. What is no file, or not ours to close, is left as it is. */
export function closeToOthers(path: string): void {
  if (!isOpenToOthers(path)) return
  try {
    chmodSync(path, FILE_MODE)
  } catch (error) {
    // Somebody else's file.
    if (!isCode(error, 'EPERM')) throw error
  }
}

/** True for a file that others than its owner may read or write. */
export function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && (found.mode & OTHERS) !== 0
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
