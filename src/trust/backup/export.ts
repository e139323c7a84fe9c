import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { isCode } from '../../lib/files.js'
import { holds } from '../../log/logEnd.js'
import { contentStream } from './content.js'
import { BackupError } from './format.js'
import { requireFile } from './sets.js'
import { type BackupReport, startBehind, verifyBackup } from './verify.js'
import { type BackupPlan, writeBackup } from './write.js'

/** How a log is exported. */
export type ExportManner = Pick<BackupPlan, 'keys' | 'now' | 'signal' | 'progress'>

/**
 * Writes the whole log to a file, or to the end of one that holds its beginning what came since, and records that in the log. The
 * file is that of a backup. Throws as `writeBackup` does, and `BackupError` where the file is damaged or has another log.
 */
export async function exportLog(ledger: Ledger, file: string, manner: ExportManner): Promise<BackupReport> {
  const { storage } = ledger
  const isThere = existsSync(file)
  if (isThere) requireFile(file)
  const before = isThere ? await verifyBackup([file], { keys: manner.keys }) : null
  const start = before ? startBehind(before) : undefined
  if (start && !(await holds(storage, start.head)))
    throw new BackupError(`${file} holds another log. Name another file.`)
  await recordExport(ledger)
  return writeBackup(storage, { ...manner, file, start, lengthens: start !== undefined })
}

/** Writes the whole log to a stream, which stays open, and records that in the log. Throws as `writeBackup` does. */
export async function exportTo(ledger: Ledger, output: Writable, manner: ExportManner): Promise<void> {
  await recordExport(ledger)
  const { signal } = manner
  await pipeline(contentStream(ledger.storage, manner), output, { signal, end: false }).catch((error: unknown) => {
    throw signal?.aborted || isCode(error, 'EPIPE')
      ? new BackupError('The export was stopped: what was written of it is no backup.')
      : error
  })
}

/** Writes to the log that it is taken away as a whole: before the first line, so that what is written tells of it too. */
export async function recordExport({ storage, run }: Pick<Ledger, 'storage' | 'run'>): Promise<void> {
  const { position: to } = await storage.head()
  await run({ type: 'RecordLogExported', id: randomUUID(), data: { what: 'log', from: 1, to } }, systemOrigin)
}
