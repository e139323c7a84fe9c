import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writePrivate } from '../../lib/files.js'
import type { Storage } from '../../storage/storage.js'
import { type BackupContent, contentStream } from './content.js'
import { BackupError } from './format.js'
import { type BackupReport, verifyBackup } from './verify.js'

/** What is written, and where. */
export interface BackupPlan extends BackupContent {
  readonly file: string
  readonly signal?: AbortSignal | undefined
  /** True where a file of that name is replaced. */
  readonly force?: boolean
  /** True where the file is the backup that this one continues: it is lengthened. */
  readonly lengthens?: boolean
}

/**
 * Writes a backup to a file. The file gets its name when it is on disk, was read back and holds: an interruption leaves nothing
 * under that name, or what was there. It is its owner's alone. Returns what the file holds. Throws `BackupError` where there
 * is such a file, or the log is not as it was written; `StorageUnavailable`; the file system's error.
 */
export async function writeBackup(storage: Storage, plan: BackupPlan): Promise<BackupReport> {
  const { file, start, keys, signal, lengthens = false } = plan
  if (!lengthens) requireFree(plan)
  const partial = `${file}.${randomUUID().slice(0, 8)}.partial`
  try {
    writePrivate(partial, '')
    if (lengthens) await pipeline(createReadStream(file), createWriteStream(partial), { signal })
    await pipeline(contentStream(storage, plan), createWriteStream(partial, { flags: 'a' }), { signal })
    await sync(partial)
    const report = await verifyBackup([partial], { keys, start: lengthens ? undefined : start })
    if (!lengthens) requireFree(plan)
    await rename(partial, file)
    // Only then is a name there that a file was given.
    await sync(dirname(file))
    return report
  } catch (error) {
    throw signal?.aborted ? new BackupError('The backup was stopped; nothing is left of it.') : error
  } finally {
    await rm(partial, { force: true })
  }
}

/** Throws `BackupError` where a file of that name would have to be replaced and may not be. */
export function requireFree({ file, force = false }: Pick<BackupPlan, 'file' | 'force'>): void {
  if (!force && existsSync(file)) throw new BackupError(`${file} exists already. Name another file, or add --force.`)
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
