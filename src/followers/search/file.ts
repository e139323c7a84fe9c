import type Database from 'libsql'
import { z } from 'zod'
import { type FoundEntry, type IndexQuery, matchOf, type Tier } from './question.js'
import { type SearchedRecord, tagsOf, termsOf } from './terms.js'

/**
 * What changes in the index at once: records that are there from now on, in place of what was told of them before, and streams of those
 * that go.
 */
export interface IndexChanges {
  readonly put: readonly SearchedRecord[]
  readonly remove: readonly string[]
}

/** So many pages are merged at a time while what was erased is taken out: questions are answered in between. */
const SWEPT_PAGES = 200

/**
 * Makes the tables of an index that is empty. FTS5 keeps the terms alone, under the position of their record, in the order of which it
 * answers. It takes them as they are: everything beyond ASCII is part of a word, and the underscore. A term begins with the letter of
 * its part of the record, so prefixes of two to six characters are those of which a person has typed one to five. A longer one is
 * gathered from the words that begin so.
 */
export const EMPTY_INDEX = `
  CREATE TABLE progress (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  INSERT INTO progress (id, text) VALUES (1, '');
  CREATE TABLE records (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, area TEXT NOT NULL, scope TEXT NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, prefix='2 3 4 5 6', tokenize="ascii tokenchars '_'");
`

const foundRow = z.object({ id: z.string(), position: z.number() })

/** The index in one database file. Every method throws what the database throws. */
export class IndexFile {
  readonly #db: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()
  /** What is being swept. */
  #swept: number | null = null

  constructor(db: Database.Database) {
    this.#db = db
    // What is not there, or cannot be read, is told of here.
    this.#statement('SELECT w.rowid FROM words AS w, records, progress LIMIT 1').get()
  }

  /** What was remembered with the last change; empty for an index that is new. */
  get progress(): string {
    return textIn(this.#statement('SELECT text FROM progress').get())
  }

  /**
   * Changes records and what is remembered, from `over` to `to`, all or nothing. False, with nothing changed, where something else is
   * remembered.
   */
  apply(over: string, to: string, { put, remove }: IndexChanges): boolean {
    // A segment of FTS5 takes ascending positions; any other one ends it.
    const added = put.toSorted((a, b) => a.position - b.position)
    const texts = added.map((record) => [...termsOf(record), ...tagsOf(record)].join(' '))
    return this.#atOnce(() => {
      if (this.progress !== over) return false
      for (const id of [...remove, ...put.map((record) => record.id)]) this.#remove(id)
      for (const [i, { position, id, area, scope }] of added.entries()) {
        this.#run('INSERT INTO records (position, id, area, scope) VALUES (?, ?, ?, ?)', position, id, area, scope)
        this.#run('INSERT INTO words (rowid, terms) VALUES (?, ?)', position, texts[i] ?? '')
      }
      this.#run('UPDATE progress SET text = ?', to)
      return true
    })
  }

  /** The records that a question wants: tier by tier, in each those that changed last first. */
  find(query: IndexQuery): readonly FoundEntry[] {
    const { tiers, reach, from, limit } = query
    const found: FoundEntry[] = []
    if (reach && reach.areas.length + reach.scopes.length === 0) return found
    for (const [number, tier] of tiers.entries()) {
      if (number < from.tier || found.length >= limit) continue
      const before = (number === from.tier ? from.before : undefined) ?? Number.MAX_SAFE_INTEGER
      const rows = this.#match(tier, query, before, limit - found.length)
      found.push(...rows.map((row) => ({ ...row, tier: number })))
    }
    return found
  }

  /**
   * Takes the next part of what was removed up to some erasure out of the file; true when nothing of it is left. FTS5 only marks what it removes, until
   * the segment that has it is merged: so all segments are merged into one, and free pages are overwritten (`secure_delete`).
   */
  sweep(erasure: number): boolean {
    const isBegun = this.#swept === erasure
    const before = this.#changes()
    this.#run(`INSERT INTO words (words, rank) VALUES ('merge', ?)`, isBegun ? SWEPT_PAGES : -SWEPT_PAGES)
    this.#swept = erasure
    // By this FTS5 tells that there was nothing left to merge.
    if (!isBegun || this.#changes() - before >= 2) return false
    // Its former pages are in the log of the file, too, which stays as long as somebody copies it.
    const { busy } = z.object({ busy: z.number() }).parse(this.#statement('PRAGMA wal_checkpoint(TRUNCATE)').get())
    if (busy !== 0) return false
    this.#swept = null
    return true
  }

  close(): void {
    // What is open would outlive the connection until its statements are collected, and leave the log of the file.
    this.#prepared.clear()
    try {
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Of a file that is damaged there is nothing to save.
    }
    this.#db.close()
  }

  #match(tier: Tier, query: IndexQuery, before: number, limit: number) {
    const { expression, isWide } = matchOf(tier, query)
    const among = (column: string) => `${column} IN (SELECT value FROM json_each(?))`
    // In this order: the words have what is wanted, in the order in which it is wanted.
    const text = `SELECT r.id, r.position FROM words CROSS JOIN records AS r ON r.position = words.rowid
      WHERE words MATCH ? AND words.rowid < ? ${isWide ? `AND (${among('r.area')} OR ${among('r.scope')})` : ''}
      ORDER BY words.rowid DESC LIMIT ?`
    const reach = isWide ? [JSON.stringify(query.reach?.areas), JSON.stringify(query.reach?.scopes)] : []
    const rows: unknown[] = this.#statement(text).all([expression, before, ...reach, limit])
    return rows.map((row) => foundRow.parse(row))
  }

  #remove(id: string): void {
    const row: unknown = this.#statement('SELECT position, id FROM records WHERE id = ?').get(id)
    if (row === undefined) return
    const { position } = foundRow.parse(row)
    this.#run('DELETE FROM words WHERE rowid = ?', position)
    this.#run('DELETE FROM records WHERE position = ?', position)
  }

  #atOnce(work: () => boolean): boolean {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const isDone = work()
      this.#db.exec(isDone ? 'COMMIT' : 'ROLLBACK')
      return isDone
    } catch (error) {
      // Some failures have ended the transaction already.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  #run(text: string, ...values: readonly (string | number)[]): void {
    this.#statement(text).run([...values])
  }

  #statement(text: string): Database.Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    this.#prepared.set(text, statement)
    return statement
  }

  #changes(): number {
    return z.object({ n: z.number() }).parse(this.#statement('SELECT total_changes() AS n').get()).n
  }
}

/** The text in a row of what is remembered. */
export function textIn(row: unknown): string {
  return z.object({ text: z.string() }).parse(row).text
}
