import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { type Difference, verify } from '../../projections/verify.js'
import { openScratch, openStorage } from '../app/databases.js'
import type { DbConfig } from '../config/types.js'
import { eventsIn } from '../ledger/events.js'
import { threadHeap } from '../lib/heap.js'
import type { Storage } from '../storage/storage.js'
import { checkpointsIn } from './audit/checkpoint.js'
import { readKeyring, type SealKeyFiles } from './audit/sealKey.js'
import { type ChainReport, verifyChain } from './audit/verify.js'

/** What the thread may hold at a time; a verification that needs more fails, and the hub goes on. */
const HEAP_MOST = 256 * 1024 * 1024
/** So few changes are one transaction: whoever writes to the same file waits no longer for it than for a large save. */
const CHANGES_AT_ONCE = 500
/** It rests as long as it has worked, so that requests have the machine. */
const REST = 1
const REST_MAX_MS = 2000
const STOP_LIMIT_MS = 5000

/** The part of a configuration that a verification needs. */
export interface VerificationPlace {
  readonly db: DbConfig
  readonly audit: SealKeyFiles & { readonly checkpointFile?: string | undefined }
}

/** A row of a read table that is not what the log says. */
export interface TableDifference extends Difference {
  readonly table: string
}

/** What a verification of the log and of the read tables came to. */
export interface Verified {
  readonly chain: ChainReport
  /** Null where the log could not be replayed. */
  readonly tables: {
    readonly position: number
    readonly rows: number
    readonly differences: readonly TableDifference[]
  } | null
  /** Why it could not. */
  readonly failure: string | null
}

export interface RunningVerification {
  readonly result: Promise<Verified>
  /** Gives it up; resolves when the database is let go. */
  stop(): Promise<void>
}

const task = z.object({ verify: z.custom<VerificationPlace>((value) => typeof value === 'object' && value !== null) })
const message = z.union([
  z.object({ verified: z.custom<Verified>((value) => typeof value === 'object' && value !== null) }),
  z.object({ failure: z.string() })
])

/**
 * Verifies the log, with the keys and the checkpoint file of a configuration, and the read tables, in a thread of its own that
 * takes its time. `result` rejects where it could not be done.
 */
export function verifyInThread({ db, audit }: VerificationPlace): RunningVerification {
  const { sealKeyFile, formerSealKeyFiles, checkpointFile } = audit
  const place = { db, audit: { sealKeyFile, formerSealKeyFiles, checkpointFile } }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { verify: place },
    resourceLimits: threadHeap('verification', HEAP_MOST)
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const result = new Promise<Verified>((resolve, reject) => {
    worker.on('message', (received: unknown) => {
      const told = message.parse(received)
      if ('verified' in told) resolve(told.verified)
      else reject(new Error(told.failure))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The verification ended too early.')))
  })
  return {
    result,
    async stop() {
      worker.postMessage('stop')
      const late = setTimeout(() => void worker.terminate(), STOP_LIMIT_MS)
      await ended
      clearTimeout(late)
    }
  }
}

async function run({ db, audit }: VerificationPlace, isOver: () => boolean): Promise<Verified> {
  const keys = readKeyring(audit)
  const { checkpointFile: file } = audit
  const checkpoints = file !== undefined && existsSync(file) ? await checkpointsIn(file) : []
  const storage = await openStorage(db)
  try {
    const calm = gentle(storage, isOver)
    const chain = await verifyChain(calm, { keys, checkpoints })
    try {
      const { position, tables } = await verify(
        calm,
        eventsIn(calm),
        () => createHash('sha256'),
        undefined,
        async () => {
          const scratch = await openScratch(db, storage)
          return { ...scratch, storage: gentle(scratch.storage, isOver) }
        }
      )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const differences = tables.flatMap(({ table, differences }) => differences.map((one) => ({ table, ...one })))
      return { chain, tables: { position, rows, differences }, failure: null }
    } catch (error) {
      return { chain, tables: null, failure: textOf(error) }
    }
  } finally {
    await storage.close()
  }
}

/** A storage in small steps with rests between them; it throws as soon as `isOver`. */
function gentle(storage: Storage, isOver: () => boolean): Storage {
  let since = performance.now()
  const goOn = async () => {
    if (isOver()) throw new Error('The verification was given up.')
  }
  const rest = async () => {
    await goOn()
    const worked_ms = performance.now() - since
    await sleep(Math.min(REST_MAX_MS, worked_ms * REST))
    since = performance.now()
  }
  return {
    ...storage,
    changesAtOnce: CHANGES_AT_ONCE,
    readLog: (after, limit) => rest().then(() => storage.readLog(after, limit)),
    // Between these it holds one state of the database, which should not be longer than it must.
    scan: (...asked) => goOn().then(() => storage.scan(...asked)),
    apply: (...asked) => rest().then(() => storage.apply(...asked))
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const given = task.safeParse(workerData)
const port = parentPort
if (port && given.success) {
  let isOver = false
  port.once('message', () => {
    isOver = true
  })
  const told = await run(given.data.verify, () => isOver).then(
    (verified) => ({ verified }),
    (error: unknown) => ({ failure: textOf(error) })
  )
  port.postMessage(told)
  port.close()
}
