import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { StorageUnavailable } from '../storage.js'

const ANSWER_LIMIT_MS = 2500

/**
 * Resolves when the file system says anything about a path, be it that there is nothing; throws `StorageUnavailable` when it
 * says nothing in time, as where a network's file server is gone. The driver itself would wait for it with the whole process.
 */
export async function answers(path: string): Promise<void> {
  const over = new AbortController()
  const said = stat(path).then(
    () => true,
    () => true
  )
  const silence = setTimeout(ANSWER_LIMIT_MS, false, { signal: over.signal }).catch(() => false)
  const isAnswered = await Promise.race([said, silence])
  over.abort()
  if (!isAnswered) throw new StorageUnavailable('The file system does not answer.')
}
