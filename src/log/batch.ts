import { type RowOp, StorageUnavailable } from '../storage/storage.js'
import { Turn } from '../turns.js'
import { decoded } from './codec.js'
import type { Draft } from './draft.js'
import type { Head, RecordedEvent, StoredEvent } from './event.js'
import type { Layer } from './layer.js'
import { type Places, place } from './place.js'
import type { Decision, Outcome } from './writer.js'

const COMMANDS_MAX = 256
const BYTES_MAX = 1024 * 1024

/** What the log must know of the domain. */
export interface Rules extends Places {
  readonly project: (event: RecordedEvent) => readonly RowOp[]
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
  readonly layer: Layer
  readonly events: StoredEvent[] = []
  readonly ops: RowOp[] = []
  readonly after: Head
  readonly foreign: number
  head: Head
  /** True when no more may join it. */
  isClosed = false
  /** True when nothing may be decided on top of it before it is committed. */
  isOpaque = false
  readonly #rules: Rules
  readonly #draft: Draft
  readonly #decided: Settled[] = []
  #bytes = 0

  constructor(rules: Rules, draft: Draft, after: Head, foreign: number) {
    this.#rules = rules
    this.#draft = draft
    this.layer = draft.open()
    this.after = after
    this.head = after
    this.foreign = foreign
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
    const own = this.#draft.open()
    try {
      const turn = new Turn()
      const { events, cause, ...more } = await job.decide(this.#draft)
      await turn.rest()
      const happening = { events, cause, commandId: job.commandId, now }
      const placed = await place(happening, this.head, this.#rules, this.#draft)
      await turn.rest()
      // Projected from what the log will hold, not from what was meant: a replay has nothing else.
      const ops = placed.flatMap((event) => this.#rules.project(decoded(event, this.#rules.codec)))
      await turn.rest()
      const isLaid = await this.#draft.lay(own, ops, job.answer)
      const { answer } = job
      const row = answer ? await this.#draft.get(answer.table, answer.id) : null
      const at = answer?.sequence && row ? await this.#draft.placeOf(answer.sequence, answer.table, row) : null
      // From here on nothing can fail, so a command is in the batch as a whole or not at all.
      this.#append(placed, ops, own)
      this.isOpaque ||= !isLaid
      this.#decided.push({ job, outcome: { position: this.head.position, row, place: at, ...more } })
    } catch (refusal) {
      if (refusal instanceof StorageUnavailable) {
        job.reject(refusal)
        return 'unavailable'
      }
      this.#decided.push({ job, outcome: { refusal } })
    } finally {
      this.#draft.close(own)
    }
    this.isClosed ||= this.isOpaque || this.#decided.length >= COMMANDS_MAX || this.#bytes >= BYTES_MAX
    return 'decided'
  }

  /** The batch is committed: tells everyone. */
  deliver(): void {
    for (const { job, outcome } of this.#decided) {
      if ('refusal' in outcome) job.reject(outcome.refusal)
      else job.resolve(outcome)
    }
  }

  #append(events: readonly StoredEvent[], ops: readonly RowOp[], own: Layer): void {
    for (const event of events) {
      this.events.push(event)
      this.head = { ...this.head, position: event.position, chain: event.chain, at: event.at }
      this.#bytes += event.payload.text?.length ?? 0
      own.versions.set(event.stream, event.version)
    }
    for (const op of ops) this.ops.push(op)
    this.layer.add(own)
  }
}
