import { slices } from '../../limits.js'
import type { IndexChanges, SearchEntry } from '../searchIndex.js'
import { inserts, type Statement } from '../sql/dialect.js'
import { tagsOf } from '../sql/searchTags.js'
import type { IndexPlace, WordIndex } from '../sql/wordIndex.js'
import { addTo, blockOf, decodedSet, emptySet, encodedSet, type PositionSet, takeFrom } from './positionSets.js'
import { findByWords } from './wordSearch.js'
import { tablesOf, wordTables } from './wordTables.js'

/** So many rows or words in one statement. */
const AT_ONCE = 500

/**
 * A table of words, in which each word has the positions of its entries: a row for each block of them, in order, so that entries
 * that have several words are found by few rows. InnoDB's own full text goes through all entries that have a word, and takes milliseconds
 * before the first. A text of all words of an entry says what is to be taken away with it, and whether it has a word that begins
 * in some way.
 */
export const mysqlWordIndex: WordIndex = {
  entriesOf: (prefix) => tablesOf(prefix).entries,
  create: wordTables,
  async changes(place, { put, remove }) {
    const gone = await held(place, [...remove, ...put.map(({ id }) => id)])
    const come = put.map((entry) => ({ entry, position: entry.position, words: [...entry.terms, ...tagsOf(entry)] }))
    const ofWords = await changesOfWords(place, gone, come)
    return [...removalOf(place, gone), ...additionOf(place, come), ...ofWords]
  },
  find: findByWords
}

/** An entry's position and its words. */
interface Held {
  readonly position: number
  readonly words: readonly string[]
}

/** Entries as they are now, of those with these ids that there are. */
async function held({ prefix, driver }: IndexPlace, ids: readonly string[]): Promise<readonly Held[]> {
  if (ids.length === 0) return []
  const { entries, texts } = tablesOf(prefix)
  const text = `SELECT e.position, t.words FROM ${entries} AS e JOIN ${texts} AS t ON t.position = e.position WHERE e.id IN (?)`
  const rows = await driver.query({ text, values: [ids] })
  return rows.map(({ position, words }) => ({ position: Number(position), words: String(words).trim().split(' ') }))
}

function removalOf({ prefix }: IndexPlace, gone: readonly Held[]): readonly Statement[] {
  if (gone.length === 0) return []
  const { entries, texts } = tablesOf(prefix)
  const values = [gone.map(({ position }) => position)]
  return [entries, texts].map((table) => ({ text: `DELETE FROM ${table} WHERE position IN (?)`, values }))
}

function additionOf(
  { prefix, driver }: IndexPlace,
  come: readonly (Held & { readonly entry: IndexChanges['put'][number] })[]
): readonly Statement[] {
  const { entries, texts } = tablesOf(prefix)
  const insertEntry = inserts(driver.dialect, entries, ['position', 'id', 'kind', 'area', 'scope'])
  const insertText = inserts(driver.dialect, texts, ['position', 'words'])
  const rowOf = ({ position, id, kind, area, scope }: SearchEntry) => [position, id, kind, area, scope]
  return [
    ...come.map(({ entry }) => insertEntry([rowOf(entry)])),
    ...come.map(({ position, words }) => insertText([[position, ` ${words.join(' ')} `]]))
  ]
}

/** What goes from the sets of one block and what comes into them, by word. */
type Edits = Map<string, { readonly gone: number[]; readonly come: number[] }>

/**
 * Writes the rows anew that hold these positions. They are read beforehand: where somebody else changes them meanwhile, the guard
 * keeps all of it from happening.
 */
async function changesOfWords(
  place: IndexPlace,
  gone: readonly Held[],
  come: readonly Held[]
): Promise<readonly Statement[]> {
  const blocks = new Map<number, Edits>()
  const editOf = (position: number, word: string) => {
    const edits: Edits = blocks.get(blockOf(position)) ?? new Map()
    blocks.set(blockOf(position), edits)
    const edit = edits.get(word) ?? { gone: [], come: [] }
    edits.set(word, edit)
    return edit
  }
  for (const { position, words } of gone) for (const word of words) editOf(position, word).gone.push(position)
  for (const { position, words } of come) for (const word of words) editOf(position, word).come.push(position)
  const statements: Statement[] = []
  for (const [block, edits] of blocks) {
    // In the order of the table, so that what lies together is written together.
    const sorted = [...edits.keys()].sort()
    for (const words of slices(sorted, AT_ONCE)) statements.push(...(await rewritten(place, block, words, edits)))
  }
  return statements
}

async function rewritten(
  { prefix, driver }: IndexPlace,
  block: number,
  words: readonly string[],
  edits: Edits
): Promise<readonly Statement[]> {
  const table = tablesOf(prefix).words
  const text = `SELECT word, positions FROM ${table} WHERE block = ? AND word IN (?)`
  const rows = await driver.query({ text, values: [block, words] })
  const sets = new Map(rows.map(({ word, positions }) => [String(word), decodedSet(positions)]))
  const changed = words.map((word) => {
    const set: PositionSet = sets.get(word) ?? emptySet()
    for (const position of edits.get(word)?.gone ?? []) takeFrom(set, position)
    for (const position of edits.get(word)?.come ?? []) addTo(set, position)
    return { word, bytes: encodedSet(set) }
  })
  const full = changed.filter(({ bytes }) => bytes.length > 0)
  const empty = changed.filter(({ word, bytes }) => bytes.length === 0 && sets.has(word)).map(({ word }) => word)
  const put = inserts(
    driver.dialect,
    table,
    ['word', 'block', 'positions'],
    'ON DUPLICATE KEY UPDATE positions = VALUES(positions)'
  )
  return [
    ...(full.length > 0 ? [put(full.map(({ word, bytes }) => [word, block, bytes]))] : []),
    ...(empty.length > 0
      ? [{ text: `DELETE FROM ${table} WHERE block = ? AND word IN (?)`, values: [block, empty] }]
      : [])
  ]
}
