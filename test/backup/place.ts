import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrate } from '../../migrations/migrate.js'
import { verify } from '../../projections/verify.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { NO_KEYS } from '../../src/log/chain.js'
import type { Moment } from '../../src/log/logQuery.js'
import type { Storage } from '../../src/storage/storage.js'
import { verifyChain } from '../../src/trust/audit/verify.js'
import { type Restored, readBackup, restoreBackup } from '../../src/trust/backup/restore.js'
import { filesOf } from '../../src/trust/backup/sets.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { newFolders, settleUser } from '../race/world.js'
import { temporaryDirectory } from '../support/databases.js'
import { openMemory } from '../support/memoryStorage.js'

export const NOW = Date.parse('2026-01-31T12:00:00Z')

/** A hub in memory with some past, and a directory. */
export interface Place {
  readonly ledger: OpenLedger
  readonly path: (name: string) => string
  readonly folder: (count?: number) => Promise<void>
  remove(): Promise<void>
}

/** `now` is the clock that its events go by. */
export async function newPlace(now: () => number = () => NOW): Promise<Place> {
  const { path, remove } = await temporaryDirectory()
  const storage = openMemory()
  await migrate(storage)
  const ledger = await openLedger(storage, () => null, undefined, now)
  const agent = await settleUser(ledger, 'Ada')
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Payments' }, agent)
  await storage.touchTokens(new Map([[agent.tokenId ?? '', new Date(NOW).toISOString()]]))
  return {
    ledger,
    path: (name) => join(path, name),
    async folder(count = 1) {
      for (const command of newFolders(count, 'c')) await ledger.run(command, agent)
    },
    remove
  }
}

/** A full backup of a log. */
export function backup(storage: Storage, file: string) {
  return writeBackup(storage, { file, keys: NO_KEYS, now: NOW })
}

/** A backup in an empty database, which has to hold then. */
export async function restored(path: string, until?: Moment): Promise<Restored & { readonly storage: Storage }> {
  const storage = openMemory()
  await migrate(storage)
  const read = await readBackup(await filesOf(path), NO_KEYS, until)
  const open = async () => ({ storage, close: async () => {} })
  const result = await restoreBackup(storage, read, NO_KEYS, NOW, open)
  const { bad } = await verifyChain(storage)
  if (bad) throw new Error(`Position ${bad.position}: ${bad.reason}`)
  const { readEvents } = await openLedger(storage, () => null)
  const { equal } = await verify(storage, readEvents, () => createHash('sha256'))
  if (!equal) throw new Error('The read tables differ from a replay.')
  return { ...result, storage }
}

/** The lines of a backup file. */
export function linesIn(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
}

/** Writes other lines in their place, with the sum that they have. */
export function writeLines(file: string, lines: readonly string[]): void {
  const content = lines.slice(0, -1).map((line) => `${line}\n`)
  const sha256 = createHash('sha256').update(content.join('')).digest('hex')
  writeFileSync(file, gzipSync(`${content.join('')}${JSON.stringify({ sha256 })}\n`))
}

/** What something is refused with. */
export function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )
}
