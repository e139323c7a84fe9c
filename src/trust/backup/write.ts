import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { writeWhole } from '../../lib/files.js'
import type { Storage } from '../../storage/storage.js'
import { type BackupContent, contentStream } from './content.js'
import { BackupError } from './format.js'
import { requireFile } from './sets.js'
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
 * Writes a backup to a file. The file gets its name when it was read back, holds and is on disk: an interruption leaves nothing
 * under that name, or what was there. It is its owner's alone. Returns what the file holds. Throws `BackupError` where there
 * is such a file, or the log is not as it was written; `StorageUnavailable`; the file system's error.
 */
export async function writeBackup(storage: Storage, plan: BackupPlan): Promise<BackupReport> {
  const { file, start, keys, signal, lengthens = false } = plan
  if (!lengthens) requireFree(plan)
  const write = async (partial: string) => {
    if (lengthens) await pipeline(createReadStream(file), createWriteStream(partial), { signal })
    await pipeline(contentStream(storage, plan), createWriteStream(partial, { flags: 'a' }), { signal })
    const report = await verifyBackup([partial], { keys, start: lengthens ? undefined : start })
    if (!lengthens) requireFree(plan)
    return report
  }
  return writeWhole(file, write).catch((error: unknown) => {
    throw signal?.aborted ? stopped() : error
  })
}

/** What a backup that was stopped rejects with. */
export function stopped(): BackupError {
  return new BackupError('The backup was stopped; nothing is left of it.')
}

/** Throws `BackupError` where what has that name would have to be replaced and may not be. */
export function requireFree({ file, force = false }: Pick<BackupPlan, 'file' | 'force'>): void {
  if (!existsSync(file)) return
  requireFile(file)
  if (!force) throw new BackupError(`${file} exists already. Name another file, or add --force.`)
}
