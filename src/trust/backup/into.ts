import { migrate } from '../../../migrations/migrate.js'
import {
  openHeads,
  openScratch,
  openStorage,
  requireCurrentTables,
  requireKnownSchema,
  withImagePlaces
} from '../../app/databases.js'
import type { HubConfig } from '../../config/types.js'
import { acceptHead } from '../../log/knownHeads.js'
import { keysAtHand } from '../audit/sealKey.js'
import { type ReadBackup, type Restored, restoreBackup } from './restore.js'

/** How it is gone about, and who is told what is waited for and how far it has come. */
export interface RestoreManner {
  /** False where read tables of which the backup has no digests are held against nothing; against a replay by default. */
  readonly replays?: boolean
  readonly notice?: ((text: string) => void) | undefined
  readonly progress?: ((position: number) => void) | undefined
}

/** Takes a backup that was read over into the database of a configuration, which is set up. Throws as `restoreBackup` does. */
export async function restoreInto(
  config: HubConfig,
  backup: ReadBackup,
  { replays = true, notice, progress }: RestoreManner = {}
): Promise<Restored> {
  const { db, storage: images, audit } = config
  const told = await openHeads(config, notice ?? (() => {}))
  const storage = await withImagePlaces(await openStorage(db, notice), images)
  try {
    await requireKnownSchema(storage)
    await migrate(storage)
    await requireCurrentTables(storage)
    const open = replays ? () => openScratch(db, storage) : null
    const restored = await restoreBackup(storage, backup, keysAtHand(audit), Date.now(), open, progress)
    // What was lost with the database before is what somebody restores a backup for.
    await acceptHead(storage, told.heads)
    return restored
  } finally {
    await Promise.all([storage.close(), told.close()])
  }
}
