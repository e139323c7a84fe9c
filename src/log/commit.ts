import { setTimeout } from 'node:timers/promises'
import { type Storage, StorageUnavailable } from '../storage/storage.js'
import type { Batch } from './batch.js'

const RETRY_DELAY_MS = 50

/**
 * Commits a batch once, however often its answer is lost: the same commit is sent again, and where that finds its position
 * taken, the log says by whom. A batch without events is right if the log still ends where it was decided. Rejects with
 * `StorageUnavailable` when there is no answer within the limit: then nobody knows.
 */
export async function commit(storage: Storage, batch: Batch, limit_ms: number): Promise<'committed' | 'stale'> {
  const { after, head, events, ops } = batch
  const [first] = events
  if (!first) return (await storage.head()).chain === after.chain ? 'committed' : 'stale'
  const deadline = performance.now() + limit_ms
  for (;;) {
    try {
      if ((await storage.commit({ after, head, events, ops })) === 'committed') return 'committed'
      const [owner] = await storage.readHeaders(after.position, 1)
      return owner?.commandId === first.commandId ? 'committed' : 'stale'
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || performance.now() >= deadline) throw error
      await setTimeout(RETRY_DELAY_MS)
    }
  }
}
