import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Durations } from '../counts.js'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { type Row, type Storage, StorageUnavailable, type TableSpec } from '../storage/storage.js'
import { Batch, type Job, type Rules } from './batch.js'
import type { CachedReads } from './cachedReads.js'
import type { Cause, Head, NewEvent } from './event.js'
import { causeOf, LogObstructed } from './obstructed.js'
import type { OrderedReads } from './sequence.js'
import { HeadWentBack } from './wentBack.js'

const ATTEMPTS_MAX = 100
/** What a command takes that brings no content. */
const COMMAND_BYTES = 1024
const COMMIT_LIMIT_MS = 2000
const RETRY_DELAY_MS = 50

export interface WriterOptions {
  readonly now?: () => number
  /** For how long a database that does not answer is asked again: for the head, and for what came of a commit whose answer is lost. */
  readonly commitLimit_ms?: number
  /** How many commands may wait, and how many bytes they may bring together. */
  readonly queueMax?: number
  readonly queueBytesMax?: number
}

/** A command that was carried out before: where the log ended after it, and what it made or changed, if that is one thing. */
export interface PriorOutcome {
  readonly position: number
  readonly subject: string | null
}

/** What happens, and on whose behalf. With `repeats` it has happened before, and nothing happens now. */
export interface Decided {
  readonly events: readonly NewEvent[]
  readonly cause: Cause
  readonly repeats?: PriorOutcome
}

/** The row that an answer is made from. */
export interface AnswerRow {
  readonly table: TableSpec
  readonly id: string
}

/** One command on its way through the writer: how to decide it, and on whose behalf. */
export interface Decision {
  readonly decide: (read: OrderedReads) => Promise<Decided>
  /** The row that the answer is made from, as the command leaves it. */
  readonly answer?: AnswerRow | undefined
  /** How many bytes it brings, about; few where it is not said. */
  readonly bytes?: number | undefined
}

/** What a command came to. `position` is where the log ended after it; `row` is null where there is none. */
export interface Outcome {
  readonly position: number
  readonly row: Row | null
  readonly repeats?: PriorOutcome
}

/** What a writer has done since it was made, and what waits for it now. */
export interface WriterCounts {
  readonly commits: number
  /** What these commits carried out and wrote. */
  readonly commands: number
  readonly events: number
  /** How long the database took for each. */
  readonly durations: Durations
  /** Batches that were decided again because another process was faster, and those that failed. */
  readonly conflicts: number
  readonly failures: number
  /** Commands that wait to be decided, and what all bring that are not settled. */
  readonly queued: number
  readonly queued_bytes: number
}

/**
 * The one writer of a process: one batch at a time, and nothing is decided on what is not committed.
 *
 * 1. Commands wait in one queue, bounded in count and bytes.
 * 2. One transaction begins and locks the head of the log. Other processes wait for that lock in the database.
 * 3. Each command is decided on the rows as they are at that head, with what the batch has changed so far laid over them (`Batch`).
 * 4. Events, rows and head are written in the same transaction.
 * 5. It commits, the view takes the rows in, and the answers go out. Meanwhile the next commands gather.
 *
 * A commit whose answer is lost is looked up in the log under the same lock, and sent again where it is not there. A batch that the
 * database refuses is done again, one command at a time, so that the one which breaks it breaks no other.
 */
export class Writer {
  readonly #storage: Storage
  readonly #view: CachedReads
  readonly #rules: Rules
  readonly #now: () => number
  readonly #commitLimit_ms: number
  readonly #queueMax: number
  readonly #queueBytesMax: number
  readonly #queue: Job[] = []
  /** What those bring that are neither committed nor refused. */
  #bytes = 0
  #running: Promise<void> | null = null
  /** The batch that is being written, for who has seen its commit before its answer came. */
  #writing: Promise<void> = Promise.resolve()
  /** Since when the database is not to be had; null while it is. */
  #awaySince: number | null = null
  /** How many of the next commands go one by one. */
  #alone = 0
  readonly #done = { commits: 0, commands: 0, events: 0, durations: new Durations(), conflicts: 0, failures: 0 }

  constructor(storage: Storage, view: CachedReads, rules: Rules, options: WriterOptions = {}) {
    this.#storage = storage
    this.#view = view
    this.#rules = rules
    this.#now = options.now ?? Date.now
    this.#commitLimit_ms = options.commitLimit_ms ?? COMMIT_LIMIT_MS
    this.#queueMax = options.queueMax ?? LIMITS.writeQueue.max
    this.#queueBytesMax = options.queueBytesMax ?? LIMITS.writeQueueBytes.max
    view.settleWith(() => this.#writing)
  }

  /**
   * Decides and commits. Resolves when the events are durable. Rejects with the refusal, with `errors.tooMuchToWrite` where too
   * much waits already, or with `StorageUnavailable` when the database did not answer: what was asked was not acknowledged,
   * though the log may turn out to have it.
   */
  submit(decision: Decision): Promise<Outcome> {
    const bytes = decision.bytes ?? COMMAND_BYTES
    // One that is larger than all may be is let through alone.
    const isFull = this.#bytes > 0 && this.#bytes + bytes > this.#queueBytesMax
    if (isFull || this.#queue.length >= this.#queueMax) return Promise.reject(errors.tooMuchToWrite())
    this.#bytes += bytes
    return new Promise<Outcome>((settle, fail) => {
      const resolve = (outcome: Outcome) => {
        this.#bytes -= bytes
        settle(outcome)
      }
      const reject = (error: unknown) => {
        this.#bytes -= bytes
        fail(error)
      }
      this.#queue.push({ ...decision, commandId: randomUUID(), resolve, reject, attempts: 0 })
      this.#running ??= this.#run()
    })
  }

  get counts(): WriterCounts {
    return { ...this.#done, queued: this.#queue.length, queued_bytes: this.#bytes }
  }

  /** Resolves when everything submitted so far is settled. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    do {
      // Whoever is about to submit in this turn of the event loop is in time for the batch.
      await setImmediate()
      this.#writing = this.#write()
      await this.#writing
    } while (this.#queue.length > 0)
    // In one go with the last look at the queue, so that no submission falls between.
    this.#running = null
  }

  /** Never rejects: who waits is told what went wrong. */
  async #write(): Promise<void> {
    let batch: Batch | null = null
    const decide = async (head: Head) => {
      await this.#view.moveTo(head)
      this.#awaySince = null
      batch = new Batch(this.#rules, this.#view, head)
      await this.#fill(batch)
      return batch.commit
    }
    const begun = performance.now()
    try {
      const outcome = await this.#storage.write(decide)
      if (batch) this.#settle(batch, outcome, performance.now() - begun)
    } catch (error) {
      this.#done.failures++
      if (batch) await this.#recover(batch, error)
      else await this.#unreached(error)
    }
  }

  /** The head was not had: who waits is told once that has lasted, and who comes later at once. */
  async #unreached(error: unknown): Promise<void> {
    const now = performance.now()
    this.#awaySince ??= now
    const isPassing = error instanceof StorageUnavailable && !(error instanceof HeadWentBack)
    if (isPassing && now < this.#awaySince + this.#commitLimit_ms) await setTimeout(RETRY_DELAY_MS)
    else for (const job of this.#queue.splice(0)) job.reject(error)
  }

  async #fill(batch: Batch): Promise<void> {
    if (this.#alone > 0) {
      this.#alone--
      batch.isClosed = true
    }
    do {
      const job = this.#queue.shift()
      if (!job) return
      await batch.decide(job, this.#now())
    } while (!batch.isClosed)
  }

  #settle(batch: Batch, outcome: 'committed' | 'stale', took_ms: number): void {
    if (outcome === 'stale') {
      this.#done.conflicts++
      this.#again(batch)
      return
    }
    const { commit, commands } = batch
    if (commit) {
      this.#view.settle(commit.after, commit.head, batch.draft)
      this.#done.commits++
      this.#done.commands += commands
      this.#done.events += commit.events.length
      this.#done.durations.add(took_ms / 1000)
    }
    batch.deliver()
  }

  async #recover(batch: Batch, error: unknown): Promise<void> {
    if (!(error instanceof StorageUnavailable)) return this.#refuse(batch, error)
    const begun = performance.now()
    try {
      this.#settle(batch, await this.#lookUp(batch), performance.now() - begun)
    } catch (later) {
      if (later instanceof StorageUnavailable) {
        this.#view.lose()
        batch.reject(error)
      } else await this.#refuse(batch, later)
    }
  }

  /** What came of a batch whose answer is lost. What was sent before holds the lock or is over, so under it there is no doubt. */
  async #lookUp(batch: Batch): Promise<'committed' | 'stale'> {
    const { commit } = batch
    const deadline = performance.now() + this.#commitLimit_ms
    let found: 'committed' | 'stale' = 'committed'
    const look = async (head: Head) => {
      if (!commit) return null
      if (head.chain === commit.after.chain) return commit
      const [owner] = await this.#storage.readHeaders(commit.after.position, 1)
      if (owner?.commandId !== commit.events[0]?.commandId) found = 'stale'
      return null
    }
    for (;;) {
      try {
        const outcome = await this.#storage.write(look)
        return outcome === 'stale' ? outcome : found
      } catch (error) {
        if (!(error instanceof StorageUnavailable) || performance.now() >= deadline) throw error
        await setTimeout(RETRY_DELAY_MS)
      }
    }
  }

  async #refuse(batch: Batch, error: unknown): Promise<void> {
    const { commit } = batch
    const cause = commit ? await causeOf(this.#storage, commit.after, error) : error
    if (batch.commands > 1 && !(cause instanceof LogObstructed)) {
      this.#alone = batch.commands
      this.#again(batch)
    } else batch.reject(cause)
  }

  /** Everything of a batch goes back to the head of the queue, in its order. */
  #again({ jobs }: Batch): void {
    const isGivenUp = (job: Job) => job.attempts >= ATTEMPTS_MAX
    for (const job of jobs.filter(isGivenUp))
      job.reject(new StorageUnavailable('Other writers were faster every time.'))
    this.#queue.unshift(...jobs.filter((job) => !isGivenUp(job)))
  }
}
