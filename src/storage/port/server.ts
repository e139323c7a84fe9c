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

/** The database could not be reached or did not answer in time. What was asked may or may not have happened. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The server, or the file, that holds it all. */
export interface Server {
  /** What the server says it is, such as `PostgreSQL 16.2`. Rejects with `StorageUnavailable` where it does not answer. */
  version(): Promise<string>
  /** The connections that readers share; null where there are none. Asks nobody. */
  pool(): PoolState | null
  /** What has been asked of a database that charges by the document; null of one that does not. Asks nobody. */
  documents(): DocumentCounts | null
  close(): Promise<void>
}
