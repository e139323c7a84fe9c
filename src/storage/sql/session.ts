import type { RawRow, Statement } from './dialect.js'

/** What a transaction comes to: `refused` where its guard broke a constraint. */
export type Outcome = 'done' | 'refused'

/** One session of a database server. A question that is not answered in time ends it, and with it what was begun. */
export interface Session {
  readonly isOpen: boolean
  query(statement: Statement): Promise<readonly RawRow[]>
  /** Begins to read one consistent state. */
  snapshot(): Promise<void>
  /** Begins a transaction with a question that locks. */
  begin(lock: string): Promise<readonly RawRow[]>
  /** Ends it with these, a guard first. Where it is refused or fails it has to be rolled back. */
  end(statements: readonly Statement[], guard: Statement): Promise<Outcome>
  /** A transaction from its beginning to its end. Where it is refused or fails it has to be rolled back. */
  transaction(statements: readonly Statement[], guard?: Statement): Promise<Outcome>
  rollBack(): Promise<void>
  /** Says goodbye behind everything that was asked. */
  close(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}
