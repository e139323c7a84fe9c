import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type ReadStore, type Row, type Storage, StorageUnavailable, type TableSpec } from '../storage/storage.js'
import { Batch, type Job, type Rules } from './batch.js'
import { Draft } from './draft.js'
import type { Cause, NewEvent } from './event.js'
import type { View } from './view.js'

const QUEUE_MAX = 10_000
const ATTEMPTS_MAX = 100
const RETRY_DELAY_MS = 50
const COMMIT_DEADLINE_MS = 3000

/** One command on its way through the writer: how to decide it, and on whose behalf. */
export interface Decision {
  readonly decide: (read: ReadStore) => Promise<{ readonly events: readonly NewEvent[]; readonly cause: Cause }>
  /** The row that the answer is made from, as the command leaves it. */
  readonly answer?: { readonly table: TableSpec; readonly id: string } | undefined
}

/** What a command came to. `position` is where the log ended after it; `row` is null where there is none. */
export interface Outcome {
  readonly position: number
  readonly row: Row | null
}

/**
 * The one writer of a process. Commands are decided one after another, each on the state that the ones before it leave;
 * while one commit is on its way the next batch gathers, and goes out as one commit. A commit succeeds only if nobody else
 * owns the next position; if somebody does, what they wrote is read and the batch is decided again. When a commit's answer
 * is lost, the same commit is sent again, and the log itself says whether the first one happened.
 */
export class Writer {
  readonly #storage: Storage
  readonly #view: View
  readonly #rules: Rules
  readonly #now: () => number
  readonly #draft: Draft
  readonly #queue: Job[] = []
  #batch: Batch | null = null
  #sent: Batch | null = null
  #sending: Promise<void> | null = null
  #running: Promise<void> | null = null
  #arrived: () => void = () => {}
  /** How many of the next jobs go one by one, so that the one which breaks a commit breaks no other. */
  #alone = 0

  constructor(storage: Storage, view: View, rules: Rules, now: () => number = Date.now) {
    this.#storage = storage
    this.#view = view
    this.#rules = rules
    this.#now = now
    this.#draft = new Draft(view)
    view.settleWith(() => this.#sending ?? Promise.resolve())
  }

  /**
   * Decides and commits. Resolves when the events are durable. Rejects with the refusal, or with `StorageUnavailable` when
   * the database did not answer: what was asked was not acknowledged, though the log may turn out to have it.
   */
  submit(decision: Decision): Promise<Outcome> {
    if (this.#queue.length >= QUEUE_MAX) return Promise.reject(new StorageUnavailable('Too many writes are waiting.'))
    return new Promise<Outcome>((resolve, reject) => {
      this.#queue.push({ ...decision, commandId: randomUUID(), resolve, reject, attempts: 0 })
      this.#arrived()
      this.#running ??= this.#run().finally(() => {
        this.#running = null
      })
    })
  }

  /** Resolves when everything submitted so far is settled. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 || this.#batch || this.#sending) {
      await this.#gather()
      const batch = this.#batch
      if (this.#sending !== null) {
        await (batch?.isClosed ? this.#sending : Promise.race([this.#sending, this.#arrival()]))
      } else if (batch) {
        this.#batch = null
        this.#sent = batch
        this.#sending = this.#send(batch).finally(() => {
          this.#sending = null
          this.#sent = null
        })
        if (batch.isClosed) await this.#sending
      }
    }
  }

  async #gather(): Promise<void> {
    while (this.#queue.length > 0 && !this.#batch?.isClosed) {
      try {
        await this.#view.recover()
      } catch (error) {
        return this.#rejectAll(error)
      }
      const job = this.#queue.shift()
      if (!job) return
      this.#batch ??= new Batch(this.#rules, this.#draft, this.#sent?.head ?? this.#view.head, this.#view.foreign)
      await this.#batch.decide(job, this.#now())
      if (this.#alone > 0) {
        this.#alone--
        this.#batch.isClosed = true
      }
    }
  }

  async #send(batch: Batch): Promise<void> {
    try {
      const stale = batch.foreign !== this.#view.foreign || (await this.#commit(batch)) === 'stale'
      if (stale) return await this.#decideAgain(batch)
      this.#view.settle(batch.head, batch.layer.rows.values(), batch.layer.changed)
      this.#draft.close(batch.layer)
      batch.deliver()
    } catch (error) {
      await this.#fail(batch, error)
    }
  }

  async #commit(batch: Batch): Promise<'committed' | 'stale'> {
    const { after, head, events, ops } = batch
    const [first] = events
    if (!first) return 'committed'
    const deadline = this.#now() + COMMIT_DEADLINE_MS
    for (;;) {
      try {
        if ((await this.#storage.commit({ after, head, events, ops })) === 'committed') return 'committed'
        const [owner] = await this.#storage.readLog(after.position, 1)
        return owner?.commandId === first.commandId ? 'committed' : 'stale'
      } catch (error) {
        if (!(error instanceof StorageUnavailable) || this.#now() >= deadline) throw error
        await setTimeout(RETRY_DELAY_MS)
      }
    }
  }

  /** Somebody else was faster: everything undecided by that goes back to the queue's head, in its order. */
  async #decideAgain(batch: Batch): Promise<void> {
    this.#requeue([...batch.jobs, ...(this.#batch?.jobs ?? [])])
    await this.#view.catchUp().catch(() => this.#view.lose())
  }

  async #fail(batch: Batch, error: unknown): Promise<void> {
    this.#view.lose()
    const later = this.#batch?.jobs ?? []
    const breaksAlone = !(error instanceof StorageUnavailable) && batch.jobs.length > 1
    if (breaksAlone) this.#alone = batch.jobs.length
    else for (const job of batch.jobs) job.reject(error)
    this.#requeue(breaksAlone ? [...batch.jobs, ...later] : later)
  }

  #requeue(jobs: readonly Job[]): void {
    this.#batch = null
    this.#draft.clear()
    const again = jobs.filter((job) => {
      if (job.attempts >= ATTEMPTS_MAX) job.reject(new StorageUnavailable('Other writers were faster every time.'))
      return job.attempts < ATTEMPTS_MAX
    })
    this.#queue.unshift(...again)
  }

  #rejectAll(error: unknown): void {
    for (const job of this.#queue.splice(0)) job.reject(error)
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }
}
