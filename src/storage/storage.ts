import type { BlobStore } from './port/blobs.js'
import type { GenerationStore } from './port/generations.js'
import type { LogStore } from './port/log.js'
import type { RowStore } from './port/rows.js'
import type { Schema } from './port/schema.js'
import type { Server } from './port/server.js'
import type { StateStore } from './port/state.js'

// The port has a file for each of its parts, with everything that the methods of the part take and give.
export * from './port/blobs.js'
export * from './port/generations.js'
export * from './port/log.js'
export * from './port/rows.js'
export * from './port/schema.js'
export * from './port/server.js'
export * from './port/state.js'

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
