import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { errors } from '../errors.js'
import { CountsById } from '../lib/countsById.js'
import { Durations } from '../lib/histogram.js'
import { Pacer } from '../lib/turns.js'
import { LIMITS } from '../limits.js'
import { decodedAs } from '../log/codec.js'
import type { Head, StoredEvent } from '../log/event.js'
import { causeOf, HeadWentBack, LogObstructed } from '../log/wentBack.js'
import { Draft } from '../readmodel/draft.js'
import type { ReadModel } from '../readmodel/readModel.js'
import { type Commit, type RowOp, type Storage, StorageUnavailable } from '../storage/storage.js'
import type { Decision, Outcome, WriterCounts, WriterOptions } from './decision.js'
import { placer, type Rules, versionsOf } from './sequencing.js'

const BATCH_COMMANDS_MAX = 64
const BATCH_BYTES_MAX = 1024 * 1024
const ATTEMPTS_MAX = 100
/** What a command takes that brings no content. */
const COMMAND_BYTES = 1024
const COMMIT_LIMIT_MS = 2000
const RETRY_DELAY_MS = 50

interface Job extends Decision {
  readonly commandId: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  readonly since_ms: number
  attempts: number
}

/** Commands decided one on top of the other, whose events go out as one commit. */
interface Batch {
  /** The rows as it has left them so far. */
  readonly draft: Draft
  readonly commit: Commit & { head: Head; readonly events: StoredEvent[]; readonly ops: RowOp[] }
  readonly decided: { readonly job: Job; readonly tell: () => void }[]
  /** Since when its first command has waited. */
  readonly since_ms: number
  bytes: number
  /** True when no more may join it. */
  isClosed: boolean
}

/**
 * The one writer of a process: one batch at a time, and nothing is decided on what is not committed.
 *
 * 1. Commands wait in one queue, bounded in count and bytes.
 * 2. One transaction begins and locks the head of the log. Other processes wait for that lock in the database.
 * 3. Each command is decided on the rows as they are at that head, with what the batch has changed so far laid over them (`Draft`).
 * 4. Events, rows and head are written in the same transaction.
 * 5. It commits, the read model takes the rows in, and the answers go out. Meanwhile the next commands gather.
 *
 * A commit whose answer is lost is looked up in the log under the same lock, and sent again where it is not there. A batch that the
 * database refuses is done again, one command at a time, so that the one which breaks it breaks no other.
 */
export class Writer {
  readonly #storage: Storage
  readonly #readModel: ReadModel
  readonly #rules: Rules
  readonly #options: Required<WriterOptions>
  readonly #queue: Job[] = []
  /** What those bring that are neither committed nor refused. */
  #bytes = 0
  /** How many of them are of each account, and what these bring. */
  readonly #countOf = new CountsById()
  readonly #bytesOf = new CountsById()
  #running: Promise<void> | null = null
  /** The batch that is being written, for who has seen its commit before its answer came. */
  #writing: Promise<void> = Promise.resolve()
  /** Since when the database is not to be had; null while it is. */
  #awaySince: number | null = null
  /** How many of the next commands go one by one. */
  #alone = 0
  readonly #done = { commits: 0, commands: 0, events: 0, durations: new Durations(), conflicts: 0, failures: 0 }

  constructor(storage: Storage, readModel: ReadModel, rules: Rules, options: WriterOptions = {}) {
    this.#storage = storage
    this.#readModel = readModel
    this.#rules = rules
    const [queueMax, queueBytesMax] = [LIMITS.writeQueue.max, LIMITS.writeQueueBytes.max]
    this.#options = { now: Date.now, commitLimit_ms: COMMIT_LIMIT_MS, queueMax, queueBytesMax, ...options }
    readModel.settleWith(() => this.#writing)
  }

  get counts(): WriterCounts {
    return { ...this.#done, queued: this.#queue.length, queued_bytes: this.#bytes }
  }

  /** Resolves when everything submitted so far is settled. */
  async idle(): Promise<void> {
    await this.#running
  }

  /**
   * Decides and commits. Resolves when the events are durable. Rejects with the refusal, with `errors.tooMuchToWrite` where too
   * much waits already, in all or of its account, or with `StorageUnavailable` when the database did not answer: what was asked
   * was not acknowledged, though the log may turn out to have it.
   */
  submit(decision: Decision): Promise<Outcome> {
    const { bytes = COMMAND_BYTES, account } = decision
    const { queueMax, queueBytesMax } = this.#options
    // One that is larger than all may be is let through alone.
    const isFull = this.#bytes > 0 && this.#bytes + bytes > queueBytesMax
    if (isFull || this.#queue.length >= queueMax || this.#hasHalf(account, bytes))
      return Promise.reject(errors.tooMuchToWrite())
    this.#count(account, bytes, 1)
    const since_ms = performance.now()
    return new Promise<Outcome>((resolve, reject) => {
      this.#queue.push({ ...decision, commandId: randomUUID(), resolve, reject, since_ms, attempts: 0 })
      this.#running ??= this.#run()
    }).finally(() => this.#count(account, bytes, -1))
  }

  /** True where an account would have more than half of what may wait: others find room. */
  #hasHalf(account: string | undefined, bytes: number): boolean {
    if (account === undefined) return false
    const { queueMax, queueBytesMax } = this.#options
    const own = this.#bytesOf.of(account)
    return this.#countOf.of(account) >= queueMax / 2 || (own > 0 && own + bytes > queueBytesMax / 2)
  }

  #count(account: string | undefined, bytes: number, by: 1 | -1): void {
    this.#bytes += by * bytes
    if (account === undefined) return
    this.#countOf.addAmount(account, by)
    this.#bytesOf.addAmount(account, by * bytes)
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
    const begun = performance.now()
    try {
      const outcome = await this.#storage.write(async (head) => {
        await this.#readModel.moveTo(head)
        this.#awaySince = null
        batch = this.#batchBehind(head)
        for (let job = this.#queue.shift(); job; job = batch.isClosed ? undefined : this.#queue.shift())
          await this.#decide(batch, job)
        return commitOf(batch)
      })
      if (batch) this.#settle(batch, outcome, performance.now() - begun)
    } catch (error) {
      this.#done.failures++
      if (batch) await this.#recover(batch, error)
      else await this.#unreached(error)
    }
  }

  #batchBehind(head: Head): Batch {
    const isClosed = this.#alone > 0
    if (isClosed) this.#alone--
    const commit = { after: head, head, events: [], ops: [] }
    const since_ms = this.#queue[0]?.since_ms ?? performance.now()
    return { draft: new Draft(this.#readModel), commit, decided: [], since_ms, bytes: 0, isClosed }
  }

  /**
   * Decides one more. A refusal waits with the rest: what it was decided on is not committed yet. Where the database is not
   * there nothing was decided, which is told at once, and no more join.
   */
  async #decide(batch: Batch, job: Job): Promise<void> {
    if (job.attempts++ === ATTEMPTS_MAX)
      return job.reject(new StorageUnavailable('Other writers were faster every time.'))
    const { draft, commit, decided } = batch
    const { codec, project, link } = this.#rules
    try {
      const pacer = new Pacer()
      const { events, cause, repeats } = await job.decide(draft)
      if (pacer.isDue) await pacer.rest()
      const versions = await versionsOf(events, this.#rules, draft)
      const by = { cause, commandId: job.commandId, now: this.#options.now() }
      const place = placer(by, commit.head, codec, versions, link)
      const stored: StoredEvent[] = []
      const ops: RowOp[] = []
      for (const event of events) {
        const placed = place(event)
        stored.push(placed.stored)
        // Projected from what the log will hold, not from what was meant: a replay has nothing else.
        for (const op of project(decodedAs(placed.stored, placed.parsed, codec))) ops.push(op)
        if (pacer.isDue) await pacer.rest()
      }
      const starting = await draft.starting(ops, job.answer)
      // From here on nothing can fail, so a command is in the batch as a whole or not at all.
      for (const event of stored) {
        commit.events.push(event)
        batch.bytes += event.payload.text?.length ?? 0
      }
      for (const op of ops) commit.ops.push(op)
      const last = stored.at(-1)
      if (last) commit.head = { ...commit.head, position: last.position, chain: last.chain, at: last.at }
      if (!draft.apply(ops, versions, starting)) batch.isClosed = true
      const row = job.answer ? draft.rowAfter(job.answer, starting) : null
      const outcome = { position: commit.head.position, row, repeats }
      decided.push({ job, tell: () => job.resolve(outcome) })
      if (pacer.isDue) await pacer.rest()
    } catch (refusal) {
      if (isUnavailable(refusal)) {
        batch.isClosed = true
        return job.reject(refusal)
      }
      decided.push({ job, tell: () => job.reject(refusal) })
    }
    batch.isClosed ||= decided.length >= BATCH_COMMANDS_MAX || batch.bytes >= BATCH_BYTES_MAX
  }

  #settle(batch: Batch, outcome: 'committed' | 'stale', took_ms: number): void {
    if (outcome === 'stale') {
      this.#done.conflicts++
      this.#again(batch)
      return
    }
    const commit = commitOf(batch)
    if (commit) {
      this.#readModel.settle(commit.after, commit.head, batch.draft)
      this.#done.commits++
      this.#done.commands += batch.decided.length
      this.#done.events += commit.events.length
      this.#done.durations.add(took_ms / 1000)
    }
    for (const { tell } of batch.decided) tell()
  }

  /**
   * The head was not had: who has waited for long, for a batch before included, is told so, and once that has lasted everybody, who
   * comes later at once.
   */
  async #unreached(error: unknown): Promise<void> {
    const now = performance.now()
    this.#awaySince ??= now
    const since = now - this.#options.commitLimit_ms
    const isOver = !isPassing(error) || this.#awaySince <= since
    for (let [job] = this.#queue; job && (isOver || job.since_ms <= since); [job] = this.#queue) {
      this.#queue.shift()
      job.reject(error)
    }
    if (!isOver) await setTimeout(RETRY_DELAY_MS)
  }

  /**
   * What to do about a batch that was not committed, as far as is known. Where the answer is lost it is looked up; where it was
   * refused it is done again one by one, if there are several: one of them may be what the database refuses.
   */
  async #recover(batch: Batch, error: unknown): Promise<void> {
    const begun = performance.now()
    const found = isUnavailable(error) ? await this.#lookUp(batch).catch((later: unknown) => later) : error
    if (found === 'committed' || found === 'stale') return this.#settle(batch, found, performance.now() - begun)
    if (isUnavailable(found)) return this.#rejectAll(batch, error)
    const commit = commitOf(batch)
    const cause = commit ? await causeOf(this.#storage, commit.after, found) : found
    if (batch.decided.length <= 1 || cause instanceof LogObstructed) return this.#rejectAll(batch, cause)
    this.#alone = batch.decided.length
    this.#again(batch)
  }

  /**
   * What came of a batch whose answer is lost. What was sent before holds the lock or is over, so under it there is no doubt; where a
   * database has no lock, who owns the position says it, as soon as somebody does.
   */
  async #lookUp(batch: Batch): Promise<'committed' | 'stale'> {
    const commit = commitOf(batch)
    // The time that it has waited for its turn and for the answer counts: who waits is told within three seconds.
    const deadline = batch.since_ms + this.#options.commitLimit_ms
    const found: { as?: 'committed' | 'stale' } = {}
    let isRefused = false
    const look = async (head: Head) => {
      if (!commit || (head.chain === commit.after.chain && !isRefused)) return commit
      const [owner] = await this.#storage.readHeaders(commit.after.position, 1)
      found.as = owner?.commandId === commit.events[0]?.commandId ? 'committed' : 'stale'
      return null
    }
    for (;;) {
      try {
        const outcome = await this.#storage.write(look)
        if (!commit || found.as || outcome === 'committed') return found.as ?? outcome
        isRefused = true
      } catch (error) {
        if (!isPassing(error) || performance.now() >= deadline) throw error
        await setTimeout(RETRY_DELAY_MS)
      }
    }
  }

  #rejectAll({ decided }: Batch, error: unknown): void {
    for (const { job } of decided) job.reject(error)
  }

  /** Everything of a batch goes back to the head of the queue, in its order. */
  #again({ decided }: Batch): void {
    this.#queue.unshift(...decided.map(({ job }) => job))
  }
}

const isUnavailable = (error: unknown) => error instanceof StorageUnavailable
/** True for what may be over when it is tried again. */
const isPassing = (error: unknown) => isUnavailable(error) && !(error instanceof HeadWentBack)

/** What a batch comes to; null where nothing happens. */
function commitOf({ commit }: Batch): Commit | null {
  return commit.events.length > 0 ? commit : null
}
