import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, requireCurrentTables, withImagePlaces } from '../app/hub.js'
import { CLOSED_HERE, WRITTEN_HERE } from '../app/release.js'
import type { HubConfig } from '../config/types.js'
import type { Storage } from '../storage/storage.js'
import { keysAtHand, readKeyring } from '../trust/audit/sealKey.js'
import { BackupError } from '../trust/backup/format.js'
import { restoreInto } from '../trust/backup/into.js'
import { type ReadBackup, type Restored, readBackup } from '../trust/backup/restore.js'
import { writeBackup } from '../trust/backup/write.js'
import { makeLog } from './setup.js'

/**
 * Takes a backup that was read over into the database of a tenant, which is made. Throws as `restoreBackup` does, and `BackupError`
 * where the read tables are not what they should be then.
 */
export async function restoreTenant(
  config: HubConfig,
  backup: ReadBackup,
  notice?: (text: string) => void
): Promise<Restored> {
  await makeLog(config, notice)
  const restored = await restoreInto(config, backup, { notice })
  const { different } = restored
  if (different.length > 0)
    throw new BackupError(`These read tables are not as they were when it was backed up: ${different.join(', ')}.`)
  return restored
}

/**
 * Copies the log of a tenant, with all that is beside it, from the database of one configuration to that of another, which is
 * empty, and runs `settle`, which says that it is there from now on. Before the first event is read the old log is closed: it can be
 * read by everybody, and whoever writes is refused, so that nothing can be missing in the copy. Where anything goes wrong before it
 * is settled the old log is opened again; where the process is killed it stays closed, until this is run again.
 */
export async function copyClosed(from: HubConfig, to: HubConfig, settle: () => Promise<void>): Promise<Restored> {
  const storage = await withImagePlaces(await openStorage(from.db), from.storage)
  const folder = await mkdtemp(join(tmpdir(), 'hub-move-'))
  try {
    await requireCurrentTables(storage)
    await storage.schema.writeUnder(CLOSED_HERE)
    try {
      const file = join(folder, 'log.backup')
      await writeBackup(storage, { file, keys: readKeyring(from.audit), now: Date.now() })
      const backup = await readBackup([file], keysAtHand(from.audit), undefined)
      const restored = await restoreTenant(to, backup)
      await copyStates(storage, to)
      await settle()
      return restored
    } catch (error) {
      await storage.schema.writeUnder(WRITTEN_HERE)
      throw error
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await storage.close()
  }
}

const PAGE = 64

/** What stands beside the log and in no backup: where its followers are, and what people have read. */
async function copyStates({ state }: Storage, to: HubConfig): Promise<void> {
  const target = await openStorage(to.db)
  try {
    for (let after = ''; ; ) {
      const entries = await state.list('', after, PAGE)
      for (const { key, text } of entries) {
        const there = await target.state.get(key)
        if (there?.text !== text) await target.state.put(key, text, there?.mark ?? null)
        after = key
      }
      if (entries.length === 0) return
    }
  } finally {
    await target.close()
  }
}
