import type { BlobStore } from './blobs.js'
import type { LogStore } from './port/log.js'
import type { Columns, RowOp, RowStore } from './port/rows.js'
import type { StateStore } from './state.js'

// The parts of the port that are more than a few methods have files of their own.
export * from './blobs.js'
export * from './port/log.js'
export * from './port/rows.js'
export * from './state.js'

/**
 * The port to a database: one Storage is one log with its read tables, and what is beside them. No page of events or rows is
 * larger than `LIMITS.page`, however large single ones are: it ends earlier then, and whoever wants more asks again behind it. Only
 * an answer without any event or row says that there is nothing more.
 * Every method throws `StorageUnavailable` when the database cannot be reached or does not answer in time.
 */
export interface Storage extends LogStore, RowStore, GenerationStore, Server {
  /** The same of the hub with another prefix in this database, over the same connections; absent where each has its own. */
  readonly beside?: (prefix: string) => Pick<Storage, 'head' | 'rows'>
  readonly state: StateStore
  readonly blobs: BlobStore
  readonly schema: Schema
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

/** Where read tables are made anew beside those that are live. */
export interface GenerationStore {
  /**
   * Empty tables of a generation, at position 0, and the builder that may fill them; what was there under that number is
   * dropped first. Throws `BuildLost`, with nothing changed, where the generation is live, or its builder is not `over` any
   * more: what `buildOf` said, null for none.
   */
  createGeneration(generation: number, over: string | null, label: string): Promise<string>
  /**
   * A new builder in place of `over`, which can change nothing from then on; what it has sent before is done or will never be.
   * Throws `BuildLost` as `createGeneration` does.
   */
  takeOver(generation: number, over: string | null): Promise<Build & { readonly builder: string }>
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
  /**
   * Runs `work` while no other process does the same thing to the same log; by default, migrate it. It waits for its turn as long as
   * that takes; where it waits when `signal` is aborted, it rejects with its reason.
   */
  exclusively<T>(
    work: () => Promise<T>,
    what?: 'migrate' | 'verify' | 'rebuild' | 'seal' | 'move' | 'erase' | 'tenant',
    signal?: AbortSignal
  ): Promise<T>
  /** Numbers of the migrations recorded as done; empty where nothing was ever set up. */
  applied(): Promise<readonly number[]>
  record(number: number, name: string, at: string): Promise<void>
  /** The tables of the log and of the live generation, and the head of an empty log: each where it is missing. */
  createTables(): Promise<void>
  /** Names in the head what is written from here on; whoever continues a head that named something else is `stale`. */
  writeUnder(text: string): Promise<void>
  /**
   * What an administrator of the server runs so that an account serves the logs with these prefixes and can change nothing that is in
   * them, and another one can erase too; absent where a database has no accounts.
   */
  grants?(prefixes: readonly string[]): Promise<readonly string[]>
  /** Takes away everything of the log and beside it, for good. Can be repeated; whoever still uses it gets errors. */
  drop(): Promise<void>
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

/** The database does not take so much in one change, now or later; nothing was changed. The message says it to whoever asked. */
export class ChangeTooLarge extends Error {
  override readonly name = 'ChangeTooLarge'
}

/** The account of the hub at the database may not do that; nothing was changed. */
export class NotGranted extends Error {
  override readonly name = 'NotGranted'
  constructor(options?: ErrorOptions) {
    super(
      'The account that the hub has at its database may not do this. Run the command for it with the account that may: see docs/engines.md.',
      options
    )
  }
}

/** The database could not be reached or did not answer in time. What was asked may or may not have happened. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/**
 * A server answers, and must not be used: it is another product, only reads, or was taken over from. The message says which, without
 * naming it.
 */
export class WrongServer extends StorageUnavailable {}

/** What an operator should know of a server; with advice, what is better changed. */
export interface Circumstance {
  readonly text: string
  readonly advice?: string
}

/** The server, or the file, that holds it all. */
export interface Server {
  /** How the server is set up, as far as that bears on what it promises. Rejects as `version` does. */
  circumstances(): Promise<readonly Circumstance[]>
  /** The timeline on which the server that answered last writes, as a text; absent or undefined where there are none. */
  timeline?(): string | undefined
  /** A server on an earlier timeline than this one, of which another hub has told, is not used from now on. */
  notBefore?(timeline: string): void
  /** What the server says it is, such as `PostgreSQL 16.2`. Rejects with `StorageUnavailable` where it does not answer. */
  version(): Promise<string>
  /** The connections that readers share; null where there are none. Asks nobody. */
  pool(): PoolState | null
  /** What has been asked of a database that charges by the document; null of one that does not. Asks nobody. */
  documents(): DocumentCounts | null
  close(): Promise<void>
}
