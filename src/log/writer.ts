import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Durations } from '../counts.js'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { type Row, type Storage, StorageUnavailable, type TableSpec } from '../storage/storage.js'
import { Batch, commit, type Job, type Rules } from './batch.js'
import type { CachedReads } from './cachedReads.js'
import type { Cause, NewEvent } from './event.js'
import { PendingReads } from './pendingReads.js'
import type { OrderedReads, SequenceSpec } from './sequence.js'
import { WriterTurn } from './turn.js'

const ATTEMPTS_MAX = 100
/** What a command takes that brings no content. */
const COMMAND_BYTES = 1024
const COMMIT_LIMIT_MS = 2000
/** Whoever has waited long already still has this, so that a commit whose answer is lost is looked up. */
const COMMIT_LIMIT_MIN_MS = 500

export interface WriterOptions {
  readonly now?: () => number
  /** How long after a command came the answer to its commit is asked for again before it is given up. */
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

/** The row that an answer is made from, and the sequence that it stands in. */
export interface AnswerRow {
  readonly table: TableSpec
  readonly id: string
  readonly sequence?: SequenceSpec | null
}

/** One command on its way through the writer: how to decide it, and on whose behalf. */
export interface Decision {
  readonly decide: (read: OrderedReads) => Promise<Decided>
  /** The row that the answer is made from, as the command leaves it. */
  readonly answer?: AnswerRow | undefined
  /** How many bytes it brings, about; few where it is not said. */
  readonly bytes?: number | undefined
}

/**
 * What a command came to. `position` is where the log ended after it; `row` is null where there is none, `place` where the row
 * stands in no sequence, or where only the commit shows it.
 */
export interface Outcome {
  readonly position: number
  readonly row: Row | null
  readonly place: number | null
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
  /** Batches that were decided again because another process owned the position, and those that failed. */
  readonly conflicts: number
  readonly failures: number
  /** Commands that wait to be decided, and what all bring that are not settled. */
  readonly queued: number
  readonly queued_bytes: number
}

/**
 * The one writer of a process. Commands are decided one after another, each on the state that the ones before it leave;
 * while one commit is on its way the next batch gathers, and goes out as one commit. A commit succeeds only if nobody else
 * owns the next position; if somebody does, what they wrote is read and the batch is decided again, and from then on processes
 * take turns (`WriterTurn`). When a commit's answer is lost, the same commit is sent again, and the log itself says whether the
 * first one happened.
 */
export class Writer {
  readonly #storage: Storage
  readonly #view: CachedReads
  readonly #rules: Rules
  readonly #now: () => number
  readonly #commitLimit_ms: number
  readonly #queueMax: number
  readonly #queueBytesMax: number
  readonly #reads: PendingReads
  readonly #turn: WriterTurn
  readonly #queue: Job[] = []
  /** What those bring that are neither committed nor refused. */
  #bytes = 0
  /** What gathers, and what is on its way. */
  #batch: Batch | null = null
  #sent: Batch | null = null
  #sending: Promise<void> = Promise.resolve()
  /** What is to be done about a batch that came back, before anything else is decided. */
  #recovery: (() => Promise<void>) | null = null
  #running: Promise<void> | null = null
  #arrived: () => void = () => {}
  /** True when the database has left a decision without what it asked for. */
  #isDoubtful = false
  /** How many of the next jobs go one by one, so that the one which breaks a commit breaks no other. */
  #bisecting = 0
  readonly #done = { commits: 0, commands: 0, events: 0, durations: new Durations(), conflicts: 0, failures: 0 }

  constructor(storage: Storage, view: CachedReads, rules: Rules, options: WriterOptions = {}) {
    this.#storage = storage
    this.#view = view
    this.#rules = rules
    this.#now = options.now ?? Date.now
    this.#commitLimit_ms = options.commitLimit_ms ?? COMMIT_LIMIT_MS
    this.#queueMax = options.queueMax ?? LIMITS.writeQueue.max
    this.#queueBytesMax = options.queueBytesMax ?? LIMITS.writeQueueBytes.max
    this.#reads = new PendingReads(view)
    this.#turn = new WriterTurn(storage.turns)
    view.settleWith(() => this.#sending)
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
      this.#queue.push({ ...decision, commandId: randomUUID(), since: performance.now(), resolve, reject, attempts: 0 })
      this.#arrived()
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
    // Whoever is about to submit in this turn of the event loop is in time for the first batch.
    await setImmediate()
    while (this.#recovery || this.#sent || this.#batch || this.#queue.length > 0) await this.#step()
    // In one go with the last look at the queue, so that no submission falls between.
    this.#running = null
    this.#turn.pause()
  }

  async #step(): Promise<void> {
    const batch = this.#batch
    const recovery = this.#recovery
    const mayDecide = !batch?.isClosed && !this.#sent?.mustFlush && !this.#turn.isOver
    if (recovery) {
      this.#recovery = null
      await recovery()
    } else if (this.#queue.length > 0 && mayDecide) {
      await this.#decideNext()
    } else if (this.#sent) {
      await (mayDecide ? Promise.race([this.#sending, this.#arrival()]) : this.#sending)
    } else if (batch) {
      this.#batch = null
      this.#sent = batch
      this.#sending = this.#send(batch)
      // A driver that commits in one go has kept others waiting: their submissions join the next batch.
      await setImmediate()
    } else {
      this.#turn.end()
    }
  }

  async #decideNext(): Promise<void> {
    try {
      if (!this.#batch && !this.#sent && (await this.#turn.begin())) await this.#view.catchUp()
      await this.#view.recover()
      // Each of those who wait would have to find it out for itself.
      if (this.#isDoubtful) await this.#storage.head()
      this.#isDoubtful = false
    } catch (error) {
      for (const job of this.#queue.splice(0)) job.reject(error)
      return
    }
    const job = this.#recovery ? undefined : this.#queue.shift()
    if (!job) return
    this.#batch ??= new Batch(this.#rules, this.#reads, this.#sent?.head ?? this.#view.head, this.#view.externalCommits)
    if ((await this.#batch.decide(job, this.#now())) === 'unavailable') this.#isDoubtful = true
    if (this.#bisecting === 0) return
    this.#bisecting--
    this.#batch.isClosed = true
  }

  /** Never rejects: what went wrong is left to be recovered from when the command that is being decided is done. */
  async #send(batch: Batch): Promise<void> {
    const begun = performance.now()
    try {
      const isCurrent = batch.externalCommits === this.#view.externalCommits
      if (isCurrent && (await commit(this.#storage, batch, this.#limitOf(batch))) === 'committed') {
        this.#view.settle(batch.after, batch.head, batch.changes)
        this.#reads.close(batch.changes)
        this.#count(batch, performance.now() - begun)
        batch.deliver()
      } else {
        this.#done.conflicts++
        this.#turn.overtaken()
        this.#recovery = () => this.#decideAgain(batch)
      }
    } catch (error) {
      this.#done.failures++
      this.#recovery = async () => this.#fail(batch, error)
    }
    this.#sent = null
  }

  #count({ jobs, after, head }: Batch, took_ms: number): void {
    const events = head.position - after.position
    // Of refusals alone the database is told nothing.
    if (events === 0) return
    this.#done.commits++
    this.#done.commands += jobs.length
    this.#done.events += events
    this.#done.durations.add(took_ms / 1000)
  }

  /** The longer somebody in the batch has waited, the less time is left. */
  #limitOf(batch: Batch): number {
    const now = performance.now()
    const waited_ms = Math.max(0, ...batch.jobs.map(({ since }) => now - since))
    return Math.max(this.#commitLimit_ms - waited_ms, Math.min(this.#commitLimit_ms, COMMIT_LIMIT_MIN_MS))
  }

  /** Somebody else was faster: everything undecided by that goes back to the queue's head, in its order. */
  async #decideAgain(batch: Batch): Promise<void> {
    this.#requeue([...batch.jobs, ...(this.#batch?.jobs ?? [])])
    try {
      await this.#view.catchUp()
      // Stale, and yet nobody has written: the log is not the one that this process knows.
      if (this.#view.head === batch.after) this.#view.lose()
    } catch {
      this.#view.lose()
    }
  }

  #fail(batch: Batch, error: unknown): void {
    this.#view.lose()
    const later = this.#batch?.jobs ?? []
    const breaksAlone = !(error instanceof StorageUnavailable) && batch.jobs.length > 1
    if (breaksAlone) this.#bisecting = batch.jobs.length
    else for (const job of batch.jobs) job.reject(error)
    this.#requeue(breaksAlone ? [...batch.jobs, ...later] : later)
  }

  #requeue(jobs: readonly Job[]): void {
    this.#batch = null
    this.#reads.clear()
    const again = jobs.filter((job) => {
      if (job.attempts >= ATTEMPTS_MAX) job.reject(new StorageUnavailable('Other writers were faster every time.'))
      return job.attempts < ATTEMPTS_MAX
    })
    this.#queue.unshift(...again)
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }
}
