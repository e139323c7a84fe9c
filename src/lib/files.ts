import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const OTHERS = 0o077
const DAY_MS = 86_400_000

/** A path as it is without symbolic links; what is not there yet stays as it is named. */
export function linkless(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(linkless(above), basename(path))
  }
}

/**
 * Makes a folder with all above it that are missing, for their owner alone: that of the folder above, where root makes it. Throws the file system's error. Node's own way
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
    if (isRoot()) {
      const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      leaveToOwner(fd, dirname(path))
      closeSync(fd)
    }
    return null
  } catch (error) {
    return isCode(error, 'EEXIST') && statSync(path).isDirectory() ? null : error
  }
}

/**
 * Sees to it that a file which holds what users wrote is there, with its folder, and that only its owner can use it,
 * whatever the umask: one that is more open is closed to others. One that root makes is the folder's owner's. Throws the file
 * system's error where it cannot be made.
 */
export function makePrivate(path: string): void {
  try {
    writePrivate(path, '')
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    closeToOthers(path)
  }
}

/**
 * Writes a new file, with its folder, for its owner alone, which is the folder's where root writes it; it is on disk when this
 * returns. Throws the file system's error, `EEXIST` where there is a file; a new one that cannot be written, as on a full disk, is
 * taken away.
 */
export function writePrivate(path: string, data: string | Uint8Array): void {
  makeFolder(dirname(path))
  const fd = openSync(path, 'wx', FILE_MODE)
  try {
    leaveToOwner(fd, dirname(path))
    writeFileSync(fd, data, { flush: data.length > 0 })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/**
 * Lets `write` fill a file under another name, for its owner alone. It gets its name when it is on disk: an interruption leaves
 * nothing under that, or what was there. What a process that was killed has left is taken away after a day. Resolves with what `write`
 * does, rejects with what it throws or the file system's error.
 */
export async function writeWhole<T>(file: string, write: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${file}.${randomUUID().slice(0, 8)}.partial`
  try {
    writePrivate(partial, '')
    await removeLeft(file)
    const done = await write(partial)
    await sync(partial)
    await rename(partial, file)
    // Only then is a name there that a file was given.
    await sync(dirname(file))
    return done
  } catch (error) {
    throw named(error, file)
  } finally {
    await rm(partial, { force: true })
  }
}

/** As `writeWhole`; but what is written to a device, or along a link, has its name already. */
export async function writeOut<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true) return writeWhole(file, write)
  makePrivate(file)
  return write(file).catch((error: unknown) => {
    throw named(error, file)
  })
}

/** An error of the system that says which file it is of: what fails where that is open already, as on a full disk, does not. */
function named(error: unknown, file: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) error.message += ` '${file}'`
  return error
}

/** Removes what `writeWhole` was filling for this file when its process was killed: nobody has written to it for a day. */
async function removeLeft(file: string): Promise<void> {
  const start = `${basename(file)}.`
  for (const name of await readdir(dirname(file))) {
    const path = join(dirname(file), name)
    if (!name.startsWith(start) || !/^[0-9a-f]{8}\.partial$/.test(name.slice(start.length))) continue
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(path, { force: true })
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Gives what root has just made to the owner of its folder: a command that root runs leaves nothing that the hub, which is another
 * account, could not use. Where that may not be done it stays root's.
 */
export function leaveToOwner(fd: number, folder: string): void {
  if (!isRoot()) return
  const { uid, gid } = statSync(folder)
  try {
    fchownSync(fd, uid, gid)
  } catch (error) {
    if (!isCode(error, 'EPERM')) throw error
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
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
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && (found.mode & OTHERS) !== 0
  } catch (error) {
    // What would lie in a file, as in a folder, is not there either.
    if (isCode(error, 'ENOTDIR')) return false
    throw error
  }
}

/** True for an error of the system with this code. */
export function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}

/** The code of an error of the system or of a database; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
