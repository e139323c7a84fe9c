import { type Commit, type RowOp, StorageUnavailable } from '../storage/storage.js'
import { Pacer } from '../turns.js'
import type { CachedReads } from './cachedReads.js'
import { decodedAs } from './codec.js'
import { Draft, type Starting } from './draft.js'
import type { DecodedEvent, Head, StoredEvent } from './event.js'
import { assignPositions, type PlacedEvent, type SequencingRules } from './sequencing.js'
import type { Decision, Outcome } from './writer.js'

const COMMANDS_MAX = 64
const BYTES_MAX = 1024 * 1024

/** What the log must know of the domain. */
export interface Rules extends SequencingRules {
  readonly project: (event: DecodedEvent) => readonly RowOp[]
}

export interface Job extends Decision {
  readonly commandId: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

interface Settled {
  readonly job: Job
  readonly outcome: Outcome | { readonly refusal: unknown }
}

/** Commands decided one on top of the other, behind the head `after`, whose events go out as one commit. */
export class Batch {
  /** The rows as it has left them so far. */
  readonly draft: Draft
  /** True when no more may join it. */
  isClosed = false
  readonly #rules: Rules
  readonly #after: Head
  #head: Head
  readonly #events: StoredEvent[] = []
  readonly #ops: RowOp[] = []
  readonly #decided: Settled[] = []
  #bytes = 0

  /** `view` shows the rows as they are at `after`. */
  constructor(rules: Rules, view: CachedReads, after: Head) {
    this.#rules = rules
    this.draft = new Draft(view)
    this.#after = after
    this.#head = after
  }

  get jobs(): readonly Job[] {
    return this.#decided.map(({ job }) => job)
  }

  get commands(): number {
    return this.#decided.length
  }

  /** What it comes to; null where nothing happens. */
  get commit(): Commit | null {
    if (this.#events.length === 0) return null
    return { after: this.#after, head: this.#head, events: this.#events, ops: this.#ops }
  }

  /**
   * Decides one more. A refusal waits with the rest: what it was decided on is not committed yet. Where the database is not
   * there nothing was decided, which is told at once, and no more join.
   */
  async decide(job: Job, now: number): Promise<void> {
    job.attempts++
    const { draft } = this
    try {
      const pacer = new Pacer()
      const { events, cause, ...more } = await job.decide(draft)
      if (pacer.isDue) await pacer.rest()
      const result = { events, cause, commandId: job.commandId, now }
      const placed = await assignPositions(result, this.#head, this.#rules, draft, () => pacer.rest())
      // Projected from what the log will hold, not from what was meant: a replay has nothing else.
      const ops: RowOp[] = []
      for (const { stored, parsed } of placed) {
        for (const op of this.#rules.project(decodedAs(stored, parsed, this.#rules.codec))) ops.push(op)
        if (pacer.isDue) await pacer.rest()
      }
      const starting = await draft.starting(ops, job.answer)
      // From here on nothing can fail, so a command is in the batch as a whole or not at all.
      this.#append(placed, ops, starting)
      const row = job.answer ? draft.rowAfter(job.answer, starting) : null
      this.#decided.push({ job, outcome: { position: this.#head.position, row, ...more } })
    } catch (refusal) {
      if (refusal instanceof StorageUnavailable) {
        job.reject(refusal)
        this.isClosed = true
        return
      }
      this.#decided.push({ job, outcome: { refusal } })
    }
    this.isClosed ||= this.#decided.length >= COMMANDS_MAX || this.#bytes >= BYTES_MAX
  }

  /** The batch is committed: tells everyone. */
  deliver(): void {
    for (const { job, outcome } of this.#decided) {
      if ('refusal' in outcome) job.reject(outcome.refusal)
      else job.resolve(outcome)
    }
  }

  /** Nothing of it is known to have happened. */
  reject(error: unknown): void {
    for (const { job } of this.#decided) job.reject(error)
  }

  #append(placed: readonly PlacedEvent[], ops: readonly RowOp[], starting: Starting): void {
    const versions = new Map<string, number>()
    for (const { stored } of placed) {
      this.#events.push(stored)
      this.#bytes += stored.payload.text?.length ?? 0
      versions.set(stored.stream, stored.version)
    }
    const last = placed.at(-1)?.stored
    if (last) this.#head = { ...this.#head, position: last.position, chain: last.chain, at: last.at }
    for (const op of ops) this.#ops.push(op)
    if (!this.draft.lay(ops, versions, starting)) this.isClosed = true
  }
}
