import type { Columns } from './rows.js'

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
