import type { EventHeader, Head, LinkedHeader, ReplayEvent, StoredEvent } from '../log/event.js'

// The port and everything that its methods take and give, in one file: whoever writes a driver reads it from top to end.

/**
 * What a column holds. The kind decides its type in every database:
 * `id` ASCII up to 64 characters; `name` Unicode up to 500 characters, ordered by code point; `time` ISO 8601 in UTC with
 * milliseconds; `text` any length, in no index; `integer` a safe integer; `flag` true or false. A `?` allows null.
 */
export type ColumnKind = 'id' | 'id?' | 'name' | 'time' | 'time?' | 'text' | 'text?' | 'integer' | 'integer?' | 'flag'

export type Value = string | number | boolean | null

type ColumnValue<K extends ColumnKind> = K extends 'integer'
  ? number
  : K extends 'integer?'
    ? number | null
    : K extends 'flag'
      ? boolean
      : K extends `${string}?`
        ? string | null
        : string

export type Columns = Readonly<Record<string, ColumnKind>>
export type Values<C extends Columns> = { readonly [K in keyof C]: ColumnValue<C[K]> }

/**
 * Rows whose `by` columns equal the key, ascending by the `order` columns and then by id. Null equals nothing, and no
 * column of `order` may hold it, since databases differ in where they put it.
 */
export interface IndexSpec {
  readonly by: readonly string[]
  readonly order: readonly string[]
  readonly unique?: boolean
}

/** One read table: a name, a few typed columns that queries and decisions need, and `body`, the record's JSON text. */
export interface TableSpec<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  readonly indexes: Readonly<Record<string, IndexSpec>>
  /** The column whose value names the group of rows that one list reply shows; `id` where each row stands alone. */
  readonly scope: string
}

/**
 * A row of a read table. `version` is the version of the row's own stream, so the row is its aggregate's snapshot;
 * `revision` is the position of the last event that changed anything in the row.
 */
export type Row<C extends Columns = Columns> = Values<C> & {
  readonly id: string
  readonly version: number
  readonly revision: number
  readonly body: string
}

/** A change of read tables, as data. Drivers carry it out and know no aggregate. */
export type RowOp =
  /** A new row, or a whole row in place of the one with that id, in the same scope. */
  | { readonly op: 'put'; readonly table: TableSpec; readonly row: Row }
  /** Some columns of a row, at least one; nothing where there is no such row. */
  | {
      readonly op: 'patch'
      readonly table: TableSpec
      readonly id: string
      readonly set: Readonly<Partial<Record<string, Value>>>
    }
  | { readonly op: 'delete'; readonly table: TableSpec; readonly id: string }
  /** Every row that holds `value` in the column. */
  | { readonly op: 'deleteWhere'; readonly table: TableSpec; readonly column: string; readonly value: Value }
  /** Sets each of `columns` to null where it holds `value`, and the revision of each row so changed. */
  | {
      readonly op: 'nullify'
      readonly table: TableSpec
      readonly columns: readonly string[]
      readonly value: Value
      readonly revision: number
    }

/** Which rows under a key, and in which order. */
export interface Selection {
  /** Only rows with these ids: an access list as part of the question. */
  readonly ids?: readonly string[]
  /** From the end of the order. */
  readonly reverse?: boolean
}

export interface RowOptions {
  /** False leaves `body` empty, for questions about columns only. */
  readonly body?: boolean
}

export interface ListOptions extends Selection, RowOptions {
  readonly limit?: number
}

/** Which part of a list: behind `after`, the values of a row in the index's order and then its id, or from the list's start. */
export interface PartOptions extends Selection {
  readonly after?: readonly Value[] | undefined
  readonly limit: number
}

/** A row of a list without its columns: `bytes` is how large its body is, as far as the database tells. */
export interface Outline {
  readonly id: string
  readonly revision: number
  readonly bytes: number
}

/** Reading rows. Answers come from one generation of the read tables. */
export interface ReadStore {
  get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null>
  /** The rows that exist of these ids, in no order. All of them: with bodies only for what is known to be few or small. */
  getAll<C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    options?: RowOptions
  ): Promise<readonly Row<C>[]>
  /** The rows under a key. All of them: with bodies only for what is known to be few or small, see `PagedReads`. */
  list<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options?: ListOptions
  ): Promise<readonly Row<C>[]>
  /**
   * How many rows stand under a key; with `before`, only those that stand before these values of the index's order: of its
   * columns and the id, or the first few of them.
   */
  count(table: TableSpec, index: string, key: readonly Value[], before?: readonly Value[]): Promise<number>
}

/** Reading lists of any length and size, a part at a time. */
export interface PagedReads extends ReadStore {
  /** A list with its bodies; null where it is larger than `LIMITS.wholeList` or longer than `LIMITS.wholeListRows`. */
  wholeList<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    selection?: Selection
  ): Promise<readonly Row<C>[] | null>
  /** All rows of a list as they were at one moment, in its order; however long, no turn of the event loop is. */
  outline(table: TableSpec, index: string, key: readonly Value[], selection?: Selection): Promise<readonly Outline[]>
  /** A part of a list in its order, without bodies. It costs what the part costs, wherever in the list that is. */
  listPart<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    part: PartOptions
  ): Promise<readonly Row<C>[]>
  /**
   * The rows of these ids, in their order, from the first on: one page, so it may end before the last id. Only an answer
   * without any row says that there are none. At most 2000 ids, each once.
   */
  getPage<C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]>
}

/** Reading the rows of one generation, in lists and one after another. */
export interface RowReads extends PagedReads {
  /** Rows in order of id, for digests: one page. */
  scan(table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
}

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

/**
 * How far a generation of the read tables has come: the events up to `position` are in it, as `label` projects them. `label` is
 * empty where nobody can go on: tables that are being made, were dropped, or were left in the middle of a change. `builder` is
 * drawn anew whenever the generation passes to somebody else; null until somebody has it.
 */
export interface Build {
  readonly position: number
  readonly label: string
  readonly builder: string | null
}

/** A builder's right to change a generation: it holds as long as the build is still that builder's, and at that position. */
export interface Fence {
  readonly generation: number
  readonly builder: string
  readonly position: number
}

/** How a generation becomes the live one: filled under this fence; `left` is the label of the one that was live until then. */
export interface Switch {
  readonly fence: Fence
  readonly left: string
}

export interface Snapshot extends Pick<RowReads, 'scan'> {
  readonly head: Head
}

/**
 * The port to a database: one Storage is one log with its read tables. No page of events or rows is larger than `LIMITS.page`,
 * however large single ones are: it ends earlier then, and whoever wants more asks again behind it. Only an answer without any
 * event or row says that there is nothing more.
 * Every method throws `StorageUnavailable` when the database cannot be reached or does not answer in time.
 */
export interface Storage {
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
  readTypes(after: number, through: number): Promise<readonly Pick<EventHeader, 'position' | 'stream' | 'type'>[]>
  /** Events with a position above `after`, ascending, with what a replay needs of them: one page. */
  readReplayEvents(after: number, limit: number): Promise<readonly ReplayEvent[]>
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
  /** Events of one stream with a version above `after`, ascending: one page. */
  readStream(stream: string, after: number, limit: number): Promise<readonly StoredEvent[]>
  rows(generation: number): PagedReads
  /** The same of the hub with another prefix in this database, over the same connections; absent where each has its own. */
  readonly beside?: (prefix: string) => Pick<Storage, 'head' | 'rows'>

  /**
   * Empty tables of a generation, at position 0, and the builder that may fill them; what was there under that number is
   * dropped first. They may lack indexes that only readers need, until the generation is completed. Throws `BuildLost`, with
   * nothing changed, where the generation is live, or its builder is not `over` any more: what `buildOf` said, null for none.
   */
  createGeneration(generation: number, over: string | null, label: string): Promise<string>
  /**
   * A new builder in place of `over`, which can change nothing from then on; what it has sent before is done or will never be.
   * Throws `BuildLost` as `createGeneration` does.
   */
  takeOver(generation: number, over: string | null): Promise<Build & { readonly builder: string }>
  /** Gives a generation that was filled everything that readers need, which may take minutes. Can be repeated. Throws `BuildLost`. */
  completeGeneration(fence: Fence): Promise<void>
  /** Throws `BuildLost` as `createGeneration` does. */
  dropGeneration(generation: number, over: string | null): Promise<void>
  /**
   * Applies row changes to a generation that nobody reads yet, which brings it up to `position`, in one transaction where the
   * database has one for any number of rows. Throws `BuildLost` where the fence does not hold, and then changes nothing.
   */
  apply(fence: Fence, ops: readonly RowOp[], position: number): Promise<void>
  /**
   * So many changes are best given to `apply` at a time: the more there are, the less often a row is written that changes
   * often, and the longer other writers wait where a database has one at a time.
   */
  readonly changesAtOnce: number
  /** How far a generation has come; null for one of which nothing is known. */
  buildOf(generation: number): Promise<Build | null>
  /** Rows in order of id, for digests: one page. */
  scan(generation: number, table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
  /** Runs `read` on one consistent state of head and live rows while writers go on. */
  snapshot<T>(read: (at: Snapshot) => Promise<T>): Promise<T>

  /** Remembers when tokens were last used. Beside the log: telemetry, not history. */
  touchTokens(uses: ReadonlyMap<string, string>): Promise<void>
  tokenUses(): Promise<ReadonlyMap<string, string>>

  readonly state: StateStore
  readonly blobs: BlobStore

  /** Takes texts out of the log for ever. Commitments and chain stay, so the log still verifies. Can be repeated. */
  erase(erasures: readonly Erasure[]): Promise<void>

  /** What the server says it is, such as `PostgreSQL 16.2`. Rejects with `StorageUnavailable` where it does not answer. */
  version(): Promise<string>
  /** The connections that readers share; null where there are none. Asks nobody. */
  pool(): PoolState | null
  /** What has been asked of a database that charges by the document; null of one that does not. Asks nobody. */
  documents(): DocumentCounts | null

  readonly schema: Schema
  close(): Promise<void>
}

/** A text beside the log, under the mark of what was written last: whoever replaces it names the mark that it replaces. */
export interface StateEntry {
  readonly key: string
  readonly text: string
  readonly mark: string
}

/**
 * Small texts by key beside the log: where those stand who follow it. They change often, are no history, and no read table
 * depends on them. A key is 1 to 64 printable ASCII characters, a text at most `LIMITS.stateText` bytes; both are checked.
 */
export interface StateStore {
  get(key: string): Promise<StateEntry | null>
  /**
   * Puts a text in place of the one with the mark `over`, null for none. Returns the new mark; null, with nothing changed,
   * where something else is there. When it throws, it may have happened.
   */
  put(key: string, text: string, over: string | null): Promise<string | null>
  /** The entries whose key begins with `prefix` and is above `after`, ascending: at most `limit`, and `LIMITS.statePage`. */
  list(prefix: string, after: string, limit: number): Promise<readonly StateEntry[]>
  /** Takes the text away, whatever its mark; nothing where there is none. */
  delete(key: string): Promise<void>
}

/**
 * Bytes beside the log by their sha256 in hexadecimal digits: what rows refer to and no row should carry. At most `LIMITS.blob`
 * bytes each; keys and sizes are checked. Under a key there is one thing only, so whoever puts it again changes nothing. Where they
 * are not in the database, every method throws `BlobsUnavailable` when they cannot be reached.
 */
export interface BlobStore {
  get(key: string): Promise<Buffer | null>
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The keys above `after`, ascending: at most `limit`, and `LIMITS.blobPage`. */
  list(after: string, limit: number): Promise<readonly string[]>
  /** Nothing where there is none. */
  delete(key: string): Promise<void>
}

/** Connections to a database server as they are now, and the questions that wait for one. */
export interface PoolState {
  readonly backend: 'postgres' | 'mysql'
  readonly active: number
  readonly idle: number
  readonly waiting: number
  readonly max: number
}

/** What has been asked over a connection, in what is paid for. */
export interface DocumentCounts {
  readonly read: number
  readonly written: number
  readonly deleted: number
  /** Requests that wrote, each as a whole. */
  readonly commits: number
  /** Requests that read. */
  readonly questions: number
}

/** A plain table of a migration. `key` columns together are the primary key. */
export interface TableDefinition {
  readonly name: string
  readonly columns: Columns
  readonly key: readonly string[]
  readonly indexes: Readonly<Record<string, TableIndex>>
}

/** An index of a plain table. With `addressIn` it begins with the address in that column, a sealed `who`. */
export interface TableIndex {
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly addressIn?: string
}

/** What migrations may do. Each step can be repeated without harm, so an interrupted migration is simply run again. */
export interface Schema {
  /** Runs `work` while no other process does the same thing to the same log; by default, migrate it. */
  exclusively<T>(work: () => Promise<T>, what?: 'migrate' | 'verify' | 'rebuild' | 'seal'): Promise<T>
  /** Numbers of the migrations recorded as done; empty where nothing was ever set up. */
  applied(): Promise<readonly number[]>
  record(number: number, name: string, at: string): Promise<void>
  /** The tables of the log and of the live generation, and the head of an empty log: each where it is missing. */
  createTables(): Promise<void>
  /** Names in the head what is written from here on; whoever continues a head that named something else is `stale`. */
  writeUnder(text: string): Promise<void>
  /** Takes away everything of the log and beside it, for good. Can be repeated; whoever still uses it gets errors. */
  drop(): Promise<void>
}

/** Somebody else has taken over, switched or dropped a generation that was to be changed; nothing of it was changed. */
export class BuildLost extends Error {
  override readonly name = 'BuildLost'
  constructor(
    readonly generation: number,
    options?: ErrorOptions
  ) {
    super(
      `Generation ${generation} of the read tables was taken over by another process, or is live. Nothing was changed in it; that process finishes it.`,
      options
    )
  }
}

/** The database does not take so much in one change, now or later; nothing was changed. The message says it to whoever asked. */
export class ChangeTooLarge extends Error {
  override readonly name = 'ChangeTooLarge'
}

/** Why blobs that are in object storage cannot be had: nobody answers, or what is asked is refused, not there, or elsewhere. */
export type BlobsTrouble = 'silent' | 'refused' | 'noBucket' | 'elsewhere'

const TROUBLES: Readonly<Record<BlobsTrouble, string>> = {
  silent: 'The object storage does not answer.',
  refused: 'The object storage refuses what it is asked for.',
  noBucket: 'The object storage has no such bucket.',
  elsewhere: 'The bucket is in another region, or at another endpoint.'
}

/** Object storage could not be used. What was asked may or may not have happened. Nothing else of the hub depends on it. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'

  constructor(
    readonly why: BlobsTrouble,
    options?: ErrorOptions
  ) {
    super(TROUBLES[why], options)
  }
}

/** The database could not be reached or did not answer in time. What was asked may or may not have happened. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
