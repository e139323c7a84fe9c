import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../limits.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import { indexState, isMade, type Now, reached } from './progress.js'
import type { FoundEntry, IndexQuery } from './question.js'
import { isFar, step } from './steps.js'
import type { SearchIndex } from './thread.js'

/**
 * How long after a change the index follows, where nobody asks: changes that come together are taken in together, and of a
 * record that changes often only the last is.
 */
const FOLLOW_DELAY_MS = 1000
/**
 * Between two steps that nobody waits for, others have so many times as long as the last one took: more behind changes as they come,
 * where a later one often makes an earlier one idle, than where there is much to catch up with.
 */
const REST_FACTOR = { following: 4, catchingUp: 1 }
const REST_MAX_MS = 1000
/** While the process is busy changes gather for so long. */
const BUSY_REST_MS = 5000
/** The share of its time that the event loop of a busy process is in use. */
const BUSY = 0.5

/** How the index stands to the log. */
export interface IndexState {
  /** The events up to here are in the index; 0 while it is being made. */
  readonly position: number
  /** True where everything was in it that was in the log when it was asked. */
  readonly isComplete: boolean
}

/**
 * Brings the search index of a log forward: behind every change once it is told to follow, and at once where somebody asks. What
 * it does can be interrupted and goes on where it was.
 */
export class SearchIndexer {
  readonly #storage: Storage
  readonly #readModel: ReadModel
  readonly #index: SearchIndex
  #running: Promise<void> | null = null
  #waiting = 0
  #isStopped = false
  #rest: AbortController | null = null
  #timer: NodeJS.Timeout | undefined
  /** How much the event loop was in use when the index last began to wait. */
  #used = performance.eventLoopUtilization()
  #position = 0
  #failures = 0

  constructor(storage: Storage, readModel: ReadModel, index: SearchIndex) {
    this.#storage = storage
    this.#readModel = readModel
    this.#index = index
  }

  /** How far the index was when this process looked last, and how often it could not be brought forward. */
  get counts(): { readonly position: number; readonly failures: number } {
    return { position: this.#position, failures: this.#failures }
  }

  /** From now on the index follows whatever this process commits or sees of others' commits. */
  follow(): void {
    this.#readModel.onMove(() => this.#soon())
    this.#soon()
  }

  /**
   * Brings the index up to where the read model knows the log to end, for at most so long, and tells how far it is. Throws
   * `StorageUnavailable`, and `IndexUnavailable`.
   */
  caughtUp(limit_ms = LIMITS.searchWait.max): Promise<IndexState> {
    const end = this.#readModel.head.position
    const deadline = performance.now() + limit_ms
    return this.#withoutRest(async () => {
      for (;;) {
        const now = await this.#now()
        const isComplete = isMade(now) && this.#position >= end
        const left_ms = deadline - performance.now()
        const isOver = isComplete || left_ms <= 0 || this.#isStopped
        if (isOver) return { position: this.#position, isComplete }
        await within(this.#run(), left_ms)
      }
    })
  }

  /** Brings the index up to where the read model knows the log to end, however long that takes. Throws as `caughtUp` does. */
  bringForward(): Promise<void> {
    return this.#withoutRest(() => this.#run())
  }

  /** The records that a question wants, as far as the index is. Throws `IndexUnavailable`. */
  find(query: IndexQuery): Promise<readonly FoundEntry[]> {
    return this.#index.find(query)
  }

  /** Has the index made anew, whatever is in it. */
  async restart(): Promise<void> {
    await this.#index.empty()
    this.#position = 0
  }

  /** Ends what it does after the step that it is at. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#rest?.abort()
    await this.#running?.catch(() => {})
  }

  /** Stops, and lets go of the index. */
  async close(): Promise<void> {
    await this.stop()
    // What cannot be closed goes with the process.
    await this.#index.close().catch(() => {})
  }

  /** Does work that somebody waits for: between steps there is no rest until it is over. */
  async #withoutRest<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    this.#rest?.abort()
    try {
      return await work()
    } finally {
      this.#waiting--
    }
  }

  #soon(): void {
    if (this.#isStopped || this.#timer) return
    this.#used = performance.eventLoopUtilization()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // Whoever asks next is told of a failure that lasts.
      this.#run().catch(() => {})
    }, FOLLOW_DELAY_MS).unref()
  }

  /** Works until the index is where the read model knows the log to end; whoever comes meanwhile shares it. */
  #run(): Promise<void> {
    this.#running ??= this.#work()
      .catch((error: unknown) => {
        this.#failures++
        throw error
      })
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      let now = await this.#now()
      if (indexState(now) === 'other') {
        // The process of which it is a copy may have seen more of the log than this one.
        await this.#readModel.current()
        now = await this.#now()
      }
      const standing = indexState(now)
      if (standing === 'current') return
      const begun = performance.now()
      const isBusy = performance.eventLoopUtilization(this.#used).utilization > BUSY
      await step({ storage: this.#storage, index: this.#index }, now)
      if (this.#waiting > 0 || this.#isStopped) continue
      const rest_ms = restAfter(performance.now() - begun, isFar(now), isBusy)
      this.#rest = new AbortController()
      this.#used = performance.eventLoopUtilization()
      await paused(rest_ms, this.#rest.signal)
    }
  }

  async #now(): Promise<Now> {
    const progress = await this.#index.progress()
    const now = { progress, head: this.#readModel.head }
    this.#position = isMade(now) ? reached(progress) : 0
    return now
  }
}

/** For how long the index rests behind a step that took so long, where nobody waits for it. */
export function restAfter(took_ms: number, isFar: boolean, isBusy: boolean): number {
  if (isBusy && !isFar) return BUSY_REST_MS
  return Math.min(REST_MAX_MS, REST_FACTOR[isFar && !isBusy ? 'catchingUp' : 'following'] * took_ms)
}

/** Waits for work, for so long at most; the work goes on. */
async function within(work: Promise<void>, limit_ms: number): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([work, paused(limit_ms, over.signal)])
  } finally {
    over.abort()
    // Where the time was up before, its failure is nobody's here.
    work.catch(() => {})
  }
}

/** Waits for so long, or until the signal comes. */
async function paused(time_ms: number, signal: AbortSignal): Promise<void> {
  await sleep(time_ms, undefined, { signal }).catch(() => {})
}
