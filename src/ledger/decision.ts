import type { PriorOutcome } from '../../commands/log/idempotency/decide.js'
import type { Durations } from '../lib/histogram.js'
import type { Cause, NewEvent } from '../log/event.js'
import type { OrderedReads } from '../readmodel/sequence.js'
import type { Row, TableSpec } from '../storage/storage.js'

/** What happens, and on whose behalf. With `repeats` it has happened before, and nothing happens now. */
export interface Decided {
  readonly events: readonly NewEvent[]
  readonly cause: Cause
  readonly repeats?: PriorOutcome | undefined
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
  /** The account whose share of what may wait it takes; nobody's where it is not said. */
  readonly account?: string | undefined
}

/** What a command came to. `position` is where the log ended after it; `row` is null where there is none. */
export interface Outcome {
  readonly position: number
  readonly row: Row | null
  readonly repeats?: PriorOutcome | undefined
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

export interface WriterOptions {
  readonly now?: () => number
  /** For how long a database that does not answer is asked again: for the head, and for what came of a commit whose answer is lost. */
  readonly commitLimit_ms?: number
  /** How many commands may wait, and how many bytes they may bring together. */
  readonly queueMax?: number
  readonly queueBytesMax?: number
}
