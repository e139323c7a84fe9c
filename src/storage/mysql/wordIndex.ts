import { slices } from '../../limits.js'
import type { IndexChanges, SearchEntry } from '../searchIndex.js'
import { inserts, type Statement } from '../sql/dialect.js'
import { tagsOf } from '../sql/searchTags.js'
import type { IndexPlace, WordIndex } from '../sql/wordIndex.js'
import { findByWords } from './wordSearch.js'
import { tablesOf, wordTables } from './wordTables.js'

/** So many rows or words in one statement. */
const AT_ONCE = 500

/**
 * A table of words, in which each word has the positions of its entries in order, so that entries that have several are found
 * by few steps, the newest first. InnoDB's own full text goes through all entries that have a word, and takes milliseconds before the
 * first. A text of all words of an entry says what is to be taken away with it, and whether it has a word that begins in some way.
 */
export const mysqlWordIndex: WordIndex = {
  entriesOf: (prefix) => tablesOf(prefix).entries,
  create: wordTables,
  async changes(place, { put, remove }) {
    const removals = await removalOf(place, [...remove, ...put.map(({ id }) => id)])
    return [...removals, ...additionOf(place, put)]
  },
  find: findByWords
}

/** Takes away entries as they are now, with each of their words. */
async function removalOf({ prefix, driver }: IndexPlace, ids: readonly string[]): Promise<readonly Statement[]> {
  if (ids.length === 0) return []
  const { entries, texts, words } = tablesOf(prefix)
  const text = `SELECT e.position, t.words FROM ${entries} AS e JOIN ${texts} AS t ON t.position = e.position WHERE e.id IN (?)`
  const rows = await driver.query({ text, values: [ids] })
  if (rows.length === 0) return []
  const positions = rows.map(({ position }) => Number(position))
  const ofWords = rows.flatMap((row) =>
    [...slices(String(row.words).trim().split(' '), AT_ONCE)].map((some) => ({
      text: `DELETE FROM ${words} WHERE position = ? AND word IN (?)`,
      values: [Number(row.position), some]
    }))
  )
  const ofRows = [entries, texts].map((table) => ({
    text: `DELETE FROM ${table} WHERE position IN (?)`,
    values: [positions]
  }))
  return [...ofWords, ...ofRows]
}

function additionOf({ prefix, driver }: IndexPlace, put: IndexChanges['put']): readonly Statement[] {
  const { entries, texts, words } = tablesOf(prefix)
  const insertEntry = inserts(driver.dialect, entries, ['position', 'id', 'kind', 'area', 'scope'])
  const insertText = inserts(driver.dialect, texts, ['position', 'words'])
  const insertWords = inserts(driver.dialect, words, ['word', 'position'])
  const held = put.map((entry) => ({ ...entry, words: wordsOf(entry) }))
  // In the order of the table, so that what lies together is written together.
  const rows = held
    .flatMap(({ words, position }) => words.map((word) => [word, position] as const))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return [
    ...held.map(({ position, id, kind, area, scope }) => insertEntry([[position, id, kind, area, scope]])),
    ...held.map(({ position, words }) => insertText([[position, ` ${words.join(' ')} `]])),
    ...[...slices(rows, AT_ONCE)].map(insertWords)
  ]
}

function wordsOf(entry: SearchEntry): readonly string[] {
  return [...entry.terms, ...tagsOf(entry)]
}
