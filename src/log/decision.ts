import type { Row, TableSpec } from '../storage/storage.js'
import type { Cause, NewEvent } from './event.js'
import type { OrderedReads } from './sequence.js'

/** A command that was carried out before: where the log ended after it, and what it made or changed, if that is one thing. */
export interface PriorOutcome {
  readonly position: number
  readonly subject: string | null
}

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
}

/** What a command came to. `position` is where the log ended after it; `row` is null where there is none. */
export interface Outcome {
  readonly position: number
  readonly row: Row | null
  readonly repeats?: PriorOutcome | undefined
}
