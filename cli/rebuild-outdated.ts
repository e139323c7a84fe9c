import type { Writable } from 'node:stream'
import { schemaState } from '../migrations/migrate.js'
import { clockDoubt } from '../src/clock.js'
import type { HubConfig } from '../src/config/types.js'
import { openStorage, requireNotNewer } from '../src/hub.js'
import { outdated, outdatedByLog } from '../src/rebuild.js'
import { rebuildInThread } from '../src/rebuildThread.js'
import { progressLine } from './progress.js'

/**
 * Builds the read tables anew where another version of the hub built them, and returns what to tell about it; null where
 * there is nothing to do. With `dryRun` it only tells. Throws `NotReady` where they are a newer version's.
 */
export async function rebuildOutdated(
  config: Pick<HubConfig, 'db' | 'audit'>,
  terminal: Writable & { readonly isTTY?: boolean },
  { notice, acceptClock }: { readonly notice: (text: string) => void; readonly acceptClock: boolean },
  dryRun = false
): Promise<string | null> {
  const storage = await openStorage(config.db, notice)
  try {
    if ((await storage.schema.applied()).length === 0) return null
    const isOlder = (await schemaState(storage)) === 'older'
    const tables = isOlder ? await outdatedByLog(storage) : await outdated(storage)
    if (tables.length === 0) return null
    if (!isOlder) requireNotNewer(await storage.head())
    if (dryRun) return `pending: rebuild the read tables, since these have changed: ${tables.join(', ')}`
    const head = await storage.head()
    const doubt = clockDoubt(Date.now(), head, acceptClock)
    if (doubt !== null) notice(doubt)
    const bar = progressLine(terminal, 'Rebuilding', head.position)
    const generation = await rebuildInThread(config, true, bar.at, notice)
    bar.done()
    if (generation === null) return null
    return `Rebuilt the read tables as generation ${generation}: ${tables.join(', ')} had changed.`
  } finally {
    await storage.close()
  }
}
