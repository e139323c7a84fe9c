import type { Term } from '../searchIndex.js'
import type { FullText, WordMatch } from '../sql/fullText.js'

/**
 * FTS5 keeps the words alone, under the position of their entry, in the order of which it answers. It takes words as they are:
 * everything beyond ASCII is part of one, and the underscore. A word begins with the letter of its part of the record, so prefixes of
 * two to six characters are those of which a person has typed one to five. A longer one is gathered from the words that begin so.
 */
export const sqliteFullText: FullText = {
  create: (table) => [
    `CREATE TABLE IF NOT EXISTS ${table} (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, area TEXT NOT NULL, scope TEXT NOT NULL)`,
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${wordsOf(table)} USING fts5(words, content='', contentless_delete=1, detail=none, prefix='2 3 4 5 6', tokenize="ascii tokenchars '_'")`
  ],
  insert: (table, { id, position, kind, area, scope }, words) => [
    {
      text: `INSERT INTO ${table} (id, position, kind, area, scope) VALUES (?, ?, ?, ?, ?)`,
      values: [id, position, kind, area, scope]
    },
    { text: `INSERT INTO ${wordsOf(table)} (rowid, words) VALUES (?, ?)`, values: [position, words.join(' ')] }
  ],
  remove: (table, id) => [
    {
      text: `DELETE FROM ${wordsOf(table)} WHERE rowid = (SELECT position FROM ${table} WHERE id = ?)`,
      values: [id]
    },
    { text: `DELETE FROM ${table} WHERE id = ?`, values: [id] }
  ],
  // In this order: the words have what is wanted, in the order in which it is wanted.
  from: (table) => `${wordsOf(table)} CROSS JOIN ${table} AS e ON e.position = ${wordsOf(table)}.rowid`,
  position: (table) => `${wordsOf(table)}.rowid`,
  match: (table, words, value) => `${wordsOf(table)} MATCH ${value(expressionOf(words))}`
}

const wordsOf = (table: string) => `${table}_words`

function expressionOf({ all, none, groups }: WordMatch): string {
  const wanted = none.length > 0 ? `((${conjunction(all)}) NOT (${conjunction(none)}))` : `(${conjunction(all)})`
  return [wanted, ...groups.map((words) => `(${words.map(quoted).join(' OR ')})`)].join(' AND ')
}

function conjunction(terms: readonly Term[]): string {
  return terms.map(({ text, isPrefix }) => `${quoted(text)}${isPrefix ? ' *' : ''}`).join(' AND ')
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`
