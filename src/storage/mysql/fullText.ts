import type { Term } from '../searchIndex.js'
import type { FullText } from '../sql/searchIndex.js'

const RADIX = 36
/** So many digits have every character. */
const DIGITS = 4

/**
 * InnoDB's own parser takes a text apart by the letters that it knows, and leaves out words that are short, long or common, as
 * the server is set. So every word is written in ASCII, and begins with letters that make it long enough and like no other.
 */
export const mysqlFullText: FullText = {
  create: (table) => [
    `CREATE TABLE IF NOT EXISTS ${table} (id VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, position BIGINT NOT NULL, kind VARCHAR(20) NOT NULL, area VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, scope VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, words MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (id), UNIQUE KEY position (position), FULLTEXT KEY words (words)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`
  ],
  insert: (table, { id, position, kind, area, scope }, words) => [
    {
      text: `INSERT INTO ${table} (id, position, kind, area, scope, words) VALUES (?, ?, ?, ?, ?, ?)`,
      values: [id, position, kind, area, scope, ` ${words.map(written).join(' ')} `]
    }
  ],
  remove: (table, id) => [{ text: `DELETE FROM ${table} WHERE id = ?`, values: [id] }],
  from: (table) => `${table} AS e`,
  position: () => 'e.position',
  match(_, { all, none, groups }, value) {
    const alternatives = groups.map((words) => `+(${words.map(written).join(' ')})`)
    const isWanted = `MATCH(e.words) AGAINST (${value([conjunction(all), ...alternatives].join(' '))} IN BOOLEAN MODE)`
    if (none.length === 0) return isWanted
    return `${isWanted} AND NOT MATCH(e.words) AGAINST (${value(conjunction(none))} IN BOOLEAN MODE)`
  },
  matchEach({ all, none }, value) {
    const holds = ({ text, isPrefix }: Term) =>
      `LOCATE(${value(` ${written(text)}${isPrefix ? '' : ' '}`)}, e.words) > 0`
    const isWanted = all.map(holds).join(' AND ')
    return none.length === 0 ? isWanted : `${isWanted} AND NOT (${none.map(holds).join(' AND ')})`
  }
}

function conjunction(terms: readonly Term[]): string {
  return terms.map(({ text, isPrefix }) => `+${written(text)}${isPrefix ? '*' : ''}`).join(' ')
}

/** A word in ASCII; what begins alike is written alike. */
function written(word: string): string {
  return `w_${word.replaceAll(/[^a-z0-9]/gu, (one) => (one === '_' ? '__' : codeOf(one)))}`
}

function codeOf(character: string): string {
  return `_${(character.codePointAt(0) ?? 0).toString(RADIX).padStart(DIGITS, '0')}`
}
