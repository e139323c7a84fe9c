import { setTimeout } from 'node:timers/promises'
import { type RowOp, type Storage, StorageUnavailable } from '../storage/storage.js'
import { Pacer } from '../turns.js'
import { decodedAs } from './codec.js'
import type { DecodedEvent, Head, StoredEvent } from './event.js'
import type { PendingChanges } from './pendingChanges.js'
import type { PendingReads } from './pendingReads.js'
import { assignPositions, type PlacedEvent, type SequencingRules } from './sequencing.js'
import type { Decision, Outcome } from './writer.js'

const COMMANDS_MAX = 256
const BYTES_MAX = 1024 * 1024

/** What the log must know of the domain. */
export interface Rules extends SequencingRules {
  readonly project: (event: DecodedEvent) => readonly RowOp[]
}

export interface Job extends Decision {
  readonly commandId: string
  /** When it came, by the monotonic clock. */
  readonly since: number
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

interface Settled {
  readonly job: Job
  readonly outcome: Outcome | { readonly refusal: unknown }
}

/** Commands decided one on top of the other, whose events go out as one commit behind `after`. */
export class Batch {
  readonly changes: PendingChanges
  readonly events: StoredEvent[] = []
  readonly ops: RowOp[] = []
  readonly after: Head
  readonly externalCommits: number
  head: Head
  /** True when no more may join it. */
  isClosed = false
  /** True when nothing may be decided on top of it before it is committed. */
  mustFlush = false
  readonly #rules: Rules
  readonly #reads: PendingReads
  readonly #decided: Settled[] = []
  #bytes = 0

  constructor(rules: Rules, reads: PendingReads, after: Head, externalCommits: number) {
    this.#rules = rules
    this.#reads = reads
    this.changes = reads.open()
    this.after = after
    this.head = after
    this.externalCommits = externalCommits
  }

  get jobs(): readonly Job[] {
    return this.#decided.map(({ job }) => job)
  }

  /**
   * Decides one more. A refusal waits with the rest: what it was decided on is not committed yet. Where the database is not
   * there nothing was decided, and that is told at once.
   */
  async decide(job: Job, now: number): Promise<'decided' | 'unavailable'> {
    job.attempts++
    const own = this.#reads.open()
    try {
      const pacer = new Pacer()
      const { events, cause, ...more } = await job.decide(this.#reads)
      if (pacer.isDue) await pacer.rest()
      const result = { events, cause, commandId: job.commandId, now }
      const placed = await assignPositions(result, this.head, this.#rules, this.#reads, () => pacer.rest())
      // Projected from what the log will hold, not from what was meant: a replay has nothing else.
      const ops: RowOp[] = []
      for (const { stored, parsed } of placed) {
        for (const op of this.#rules.project(decodedAs(stored, parsed, this.#rules.codec))) ops.push(op)
        if (pacer.isDue) await pacer.rest()
      }
      const isLaid = await this.#reads.lay(own, ops, job.answer)
      const { answer } = job
      const row = answer ? await this.#reads.get(answer.table, answer.id) : null
      const at = answer?.sequence && row ? await this.#reads.placeOf(answer.sequence, answer.table, row) : null
      // From here on nothing can fail, so a command is in the batch as a whole or not at all.
      this.#append(placed, ops, own)
      this.mustFlush ||= !isLaid
      this.#decided.push({ job, outcome: { position: this.head.position, row, place: at, ...more } })
    } catch (refusal) {
      if (refusal instanceof StorageUnavailable) {
        job.reject(refusal)
        return 'unavailable'
      }
      this.#decided.push({ job, outcome: { refusal } })
    } finally {
      this.#reads.close(own)
    }
    this.isClosed ||= this.mustFlush || this.#decided.length >= COMMANDS_MAX || this.#bytes >= BYTES_MAX
    return 'decided'
  }

  /** The batch is committed: tells everyone. */
  deliver(): void {
    for (const { job, outcome } of this.#decided) {
      if ('refusal' in outcome) job.reject(outcome.refusal)
      else job.resolve(outcome)
    }
  }

  #append(events: readonly PlacedEvent[], ops: readonly RowOp[], own: PendingChanges): void {
    for (const { stored } of events) {
      this.events.push(stored)
      this.#bytes += stored.payload.text?.length ?? 0
      own.versions.set(stored.stream, stored.version)
    }
    const last = events.at(-1)?.stored
    if (last) this.head = { ...this.head, position: last.position, chain: last.chain, at: last.at }
    for (const op of ops) this.ops.push(op)
    this.changes.add(own)
  }
}

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
