import { parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { HubConfig } from '../config/types.js'
import { rebuild, rebuildOutdated } from '../ledger/rebuild.js'
import { threadHeap } from '../lib/heap.js'
import { withKnownHeads } from '../log/knownHeads.js'
import { BuildLost, StorageUnavailable } from '../storage/storage.js'
import { openHeads, openStorage } from './databases.js'
import { writable } from './hub.js'

/** What a replay makes lives for a page or a window: with room for that, little of it is ever copied. */
const YOUNG_MB = 96

/** How often it is told how far a rebuild is. */
const PROGRESS_MS = 50

/** The part of a configuration that a rebuild needs. */
type RebuildConfig = Pick<HubConfig, 'db' | 'audit' | 'redis'>

const task = z.object({
  rebuild: z.custom<RebuildConfig>((value) => typeof value === 'object' && value !== null),
  onlyOutdated: z.boolean()
})
const message = z.union([
  z.object({ notice: z.string() }),
  z.object({ position: z.number() }),
  z.object({ generation: z.number().nullable() }),
  z.object({ lost: z.number() }),
  z.object({ failure: z.string(), isOutage: z.boolean() })
])

type Send = (told: z.infer<typeof message>) => void

/**
 * Rebuilds the read tables of a database (see `rebuild`) in a thread of its own, whose heap suits a replay: it takes half the
 * time, and the process stays as small as it was. Rejects as `rebuild` does; `notice` is told what is waited for. With
 * `onlyOutdated` it comes to null where the tables are this version's already.
 */
export function rebuildInThread(
  { db, audit, redis }: RebuildConfig,
  onlyOutdated: boolean,
  progress: (position: number) => void = () => {},
  notice: (text: string) => void = () => {}
): Promise<number | null> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { rebuild: { db, audit, redis }, onlyOutdated },
    resourceLimits: { ...threadHeap('rebuild'), maxYoungGenerationSizeMb: YOUNG_MB }
  })
  return new Promise((resolve, reject) => {
    worker.on('message', (received: unknown) => {
      const told = message.parse(received)
      if ('position' in told) progress(told.position)
      else if ('notice' in told) notice(told.notice)
      else if ('generation' in told) resolve(told.generation)
      else if ('lost' in told) reject(new BuildLost(told.lost))
      else reject(told.isOutage ? new StorageUnavailable(told.failure) : new Error(told.failure))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The rebuild ended too early.')))
  })
}

async function run({ rebuild: place, onlyOutdated }: z.infer<typeof task>, tell: Send): Promise<void> {
  const notice = (text: string) => tell({ notice: text })
  const known = await openHeads(place, notice)
  const storage = await openStorage(place.db, notice)
  try {
    let told_ms = 0
    const progress = (position: number) => {
      if (performance.now() - told_ms < PROGRESS_MS) return
      told_ms = performance.now()
      tell({ position })
    }
    // Whoever began the rebuild has compared the clock with the log.
    const told = await withKnownHeads(storage, known.heads, false, () => {})
    const { guard, sealing } = await writable(told, place, Date.now)
    const { link } = sealing
    const rebuilding = onlyOutdated ? rebuildOutdated(guard, progress, link) : rebuild(guard, progress, undefined, link)
    tell({ generation: await rebuilding })
  } finally {
    await Promise.all([storage.close(), known.close()])
  }
}

const given = task.safeParse(workerData)
if (parentPort && given.success) {
  const tell: Send = (told) => parentPort?.postMessage(told)
  await run(given.data, tell).catch((error: unknown) => {
    if (error instanceof BuildLost) return tell({ lost: error.generation })
    const failure = error instanceof Error ? error.message : String(error)
    tell({ failure, isOutage: error instanceof StorageUnavailable })
  })
}
