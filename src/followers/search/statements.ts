import type Database from 'libsql'

/** The statements of a database, each prepared once. */
export class Statements {
  readonly #db: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(db: Database.Database) {
    this.#db = db
  }

  /** The statement with this text. Throws what the database throws. */
  of(text: string): Database.Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    this.#prepared.set(text, statement)
    return statement
  }

  /** Lets go of all of them. */
  clear(): void {
    this.#prepared.clear()
  }
}
