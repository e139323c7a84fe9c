import type { EventHeader, Head, LinkedHeader, LinkedType, StoredEvent } from '../../log/event.js'
import type { Switch } from '../storage.js'
import type { RowOp } from './rows.js'

/** Everything that one commit writes: events that continue the head, and the row changes that follow from them. */
export interface Commit {
  readonly after: Head
  readonly events: readonly StoredEvent[]
  readonly ops: readonly RowOp[]
  readonly head: Head
  /** Where the head names another generation than `after`: by which builder it was filled. */
  readonly switch?: Switch | undefined
}

/** Which events a search wants: all that is given must hold. */
export interface LogFilter {
  readonly actorId?: string | undefined
  readonly tokenId?: string | undefined
  readonly requestId?: string | undefined
  /** Any of these types. */
  readonly types?: readonly string[] | undefined
  /** The client's address, exactly as the log has it. */
  readonly address?: string | undefined
  /** Any of these streams. */
  readonly streams?: readonly string[] | undefined
  /** Streams of one kind, as `kind-`. */
  readonly streamPrefix?: string | undefined
}

/** A range of the log: positions above `after` up to `through`. */
export interface PositionRange {
  readonly after: number
  readonly through: number
}

/** One sealed text of an event that goes, with its salt; `text` is what is left in its place, null for nothing. */
export interface Erasure {
  readonly event: Pick<StoredEvent, 'position' | 'stream' | 'version'>
  readonly part: 'who' | 'payload'
  readonly text: string | null
}

/** Where the log is, and what it is continued by. */
export interface LogStore {
  /** The newest position with its chain, time and generation; position 0 in an empty log. */
  head(): Promise<Head>
  /**
   * Atomic: all events and row changes, or nothing: `stale` when `after` is not where the log ends, because another writer
   * owns that position or names something else in the head; rejected when two rows would share a unique key, or two
   * events a version of their stream. Throws `ChangeTooLarge` for more than the database takes at once. With `switch` it throws `BuildLost` where the fence does not hold; afterwards neither
   * generation is anybody's to change.
   */
  commit(commit: Commit): Promise<'committed' | 'stale'>
  /**
   * Locks the head, hands it to `decide`, and commits what that returns, which has to continue that head: all in one transaction.
   * With null, or where `decide` throws, nothing is written. Nobody else commits meanwhile, whichever process; a database that has no
   * such lock says `stale` where somebody did, and then nothing was written. Otherwise as `commit`.
   */
  write(decide: (head: Head) => Promise<Omit<Commit, 'switch'> | null>): Promise<'committed' | 'stale'>
  /** Events with a position above `after`, ascending, without gaps: one page. */
  readLog(after: number, limit: number): Promise<readonly StoredEvent[]>
  /** Events with a position above `after`, ascending, without their texts: as many as the limit where the log has them. */
  readHeaders(after: number, limit: number): Promise<readonly LinkedHeader[]>
  /** What is which of the events above `after` up to `through`, ascending, which costs nothing of how large they are. */
  readTypes(after: number, through: number): Promise<readonly LinkedType[]>
  /** The events at these positions, ascending, at most 500 positions: one page. */
  readAt(positions: readonly number[]): Promise<readonly StoredEvent[]>
  /** The first events of a range that a filter wants, or with `newestFirst` the last ones, in that order; never fewer than there are. */
  searchLog(
    filter: LogFilter,
    within: PositionRange,
    limit: number,
    newestFirst: boolean
  ): Promise<readonly EventHeader[]>
  /** The newest event of each of these streams that is of one of these types and not behind `through`; at most 500 streams. */
  lastOf(streams: readonly string[], types: readonly string[], through: number): Promise<readonly EventHeader[]>
  /** Takes texts out of the log for ever. Commitments and chain stay, so the log still verifies. Can be repeated. */
  erase(erasures: readonly Erasure[]): Promise<void>
}
