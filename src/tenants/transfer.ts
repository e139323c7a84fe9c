import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openStorage, requireCurrentTables, withImagePlaces } from '../app/databases.js'
import type { HubConfig } from '../config/types.js'
import { CLOSED_HERE, WRITTEN_HERE } from '../ledger/release.js'
import { temporaryFolder } from '../lib/temporary.js'
import type { Storage } from '../storage/storage.js'
import { keysAtHand, readKeyring } from '../trust/audit/sealKey.js'
import { BackupError } from '../trust/backup/format.js'
import { restoreInto } from '../trust/backup/into.js'
import { type ReadBackup, type Restored, readBackup } from '../trust/backup/restore.js'
import { writeBackup } from '../trust/backup/write.js'
import { isRefusal, makeLog } from './setup.js'

/**
 * Takes a backup that was read over into the database of a tenant, which is made. Throws as `restoreBackup` does, and `BackupError`
 * where the read tables are not what they should be then.
 */
export async function restoreTenant(
  config: HubConfig,
  backup: ReadBackup,
  notice?: (text: string) => void,
  progress?: (position: number) => void
): Promise<Restored> {
  await makeLog(config, notice)
  const restored = await restoreInto(config, backup, { notice, progress })
  const { different } = restored
  if (different.length > 0)
    throw new BackupError(`These read tables are not as they were when it was backed up: ${different.join(', ')}.`)
  return restored
}

/** The steps of a move that are about where tenants are, and not about the log itself. */
export interface Move {
  /** Before anything is copied; throws where the log is elsewhere by now. */
  readonly begin: () => Promise<void>
  /** Says that it is at the new place from now on. Where it rejects with what is no refusal, it may be. */
  readonly settle: () => Promise<void>
  /** Takes away what was copied, where that failed. */
  readonly takeBack: () => Promise<void>
}

/**
 * Copies the log of a tenant, with all that is beside it, from the database of one configuration to that of another, which is
 * empty, and settles it there; where several do so with the same log, one after another. Before the first event is read the old log
 * is closed: it can be read by everybody, and whoever writes is refused, so that nothing can be missing in the copy. Where anything
 * goes wrong before it is settled the old log is opened again; where the process is killed, or nobody knows whether it is settled, it
 * stays closed, until this is run again. Rejects with the reason of `signal` where that has stopped the copying. `notice` is told what is
 * waited for.
 */
export async function copyClosed(
  from: HubConfig,
  to: HubConfig,
  move: Move,
  signal?: AbortSignal,
  notice?: (text: string) => void
): Promise<Restored> {
  const storage = await withImagePlaces(await openStorage(from.db, notice), from.storage)
  const work = async () => {
    await move.begin()
    await requireCurrentTables(storage)
    return moved({ storage, from, to, signal }, move)
  }
  try {
    return await storage.schema.exclusively(work, 'move', signal)
  } finally {
    await storage.close()
  }
}

/** What is copied, and where to. */
interface Copied {
  readonly storage: Storage
  readonly from: HubConfig
  readonly to: HubConfig
  readonly signal: AbortSignal | undefined
}

async function moved(copy: Copied, { settle, takeBack }: Move): Promise<Restored> {
  const { schema } = copy.storage
  const folder = temporaryFolder('move')
  let isSettling = false
  try {
    await schema.writeUnder(CLOSED_HERE)
    const restored = await copied(copy, join(folder, 'log.backup')).catch(async (error: unknown) => {
      await takeBack().catch(() => {})
      throw copy.signal?.aborted ? copy.signal.reason : error
    })
    isSettling = true
    await settle()
    return restored
  } catch (error) {
    // What is written here once the tenant is at its new place is lost.
    if (!isSettling || isRefusal(error)) await schema.writeUnder(WRITTEN_HERE)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copied({ storage, from, to, signal }: Copied, file: string): Promise<Restored> {
  const goOn = () => signal?.throwIfAborted()
  await writeBackup(storage, { file, keys: readKeyring(from.audit), now: Date.now(), signal })
  const backup = await readBackup([file], keysAtHand(from.audit), undefined, goOn)
  const restored = await restoreTenant(to, backup, undefined, goOn)
  await copyStates(storage, to)
  goOn()
  return restored
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
