import type Database from 'libsql'
import { z } from 'zod'
import { remembered } from '../../lib/remembered.js'
import { find } from './finding.js'
import type { Statements } from './meaning.js'
import type { FoundEntry, IndexQuery } from './question.js'
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
 * gathered from the words that begin so. `inside` is the stream of the folder that a folder is in, and of nothing else.
 */
export const EMPTY_INDEX = `
  CREATE TABLE progress (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
  INSERT INTO progress (id, text) VALUES (1, '');
  CREATE TABLE records (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, area TEXT NOT NULL, scope TEXT NOT NULL, inside TEXT);
  CREATE INDEX nested ON records (inside) WHERE inside IS NOT NULL;
  CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, prefix='2 3 4 5 6', tokenize="ascii tokenchars '_'");
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, instance);
`

const INSERTED = 'INSERT INTO records (position, id, area, scope, inside) VALUES (?, ?, ?, ?, ?)'
const foundRow = z.object({ id: z.string(), position: z.number() })

/** The index in one database file. Every method throws what the database throws. */
export class IndexFile {
  readonly #db: Database.Database
  readonly #statements: Statements
  /** What is being swept. */
  #swept: number | null = null

  constructor(db: Database.Database) {
    this.#db = db
    this.#statements = remembered((text) => db.prepare(text))
    // What is not there, or cannot be read, is told of here.
    this.#statements('SELECT w.rowid FROM words AS w, records, progress LIMIT 1').get()
  }

  /** What was remembered with the last change; empty for an index that is new. */
  get progress(): string {
    return textIn(this.#statements('SELECT text FROM progress').get())
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
      for (const [i, { position, id, kind, area, scope, folderId }] of added.entries()) {
        const inside = kind === 'folder' && folderId !== null ? `folder-${folderId}` : null
        this.#run(INSERTED, position, id, area, scope, inside)
        this.#run('INSERT INTO words (rowid, terms) VALUES (?, ?)', position, texts[i] ?? '')
      }
      this.#run('UPDATE progress SET text = ?', to)
      return true
    })
  }

  /** The records that a question wants, as `find` tells. */
  find(query: IndexQuery): readonly FoundEntry[] {
    return find(this.#statements, query)
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
    const { busy } = z.object({ busy: z.number() }).parse(this.#statements('PRAGMA wal_checkpoint(TRUNCATE)').get())
    if (busy !== 0) return false
    this.#swept = null
    return true
  }

  close(): void {
    try {
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Of a file that is damaged there is nothing to save.
    }
    this.#db.close()
  }

  #remove(id: string): void {
    const row: unknown = this.#statements('SELECT position, id FROM records WHERE id = ?').get(id)
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

  #run(text: string, ...values: readonly (string | number | null)[]): void {
    this.#statements(text).run([...values])
  }

  #changes(): number {
    return z.object({ n: z.number() }).parse(this.#statements('SELECT total_changes() AS n').get()).n
  }
}

/** The text in a row of what is remembered; empty where there is none, as in a file that was cut off. */
export function textIn(row: unknown): string {
  return z.object({ text: z.string() }).safeParse(row).data?.text ?? ''
}
