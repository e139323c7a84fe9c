import type { FoundEntry, IndexQuery, SearchEntry, SearchReach, Term } from '../searchIndex.js'
import type { Dialect, Parameter, Statement } from './dialect.js'
import { kindTag, reachTags, tagsOf } from './searchTags.js'
import { entriesBy, type IndexPlace, isOfKind, isWithin, SCOPES_MAX, valuesOf, type WordIndex } from './wordIndex.js'

/** Where rows are found by words that stand in one text, between spaces. Words are as `TERM_MAX` says. */
export interface FullText {
  /** Statements that create the table of entries with everything that it is searched by, where it is missing. */
  create(table: string): readonly string[]
  /** A new entry; there is none with this id. */
  insert(table: string, entry: SearchEntry, words: readonly string[]): readonly Statement[]
  remove(table: string, id: string): readonly Statement[]
  /** What is asked for entries by their words, of which `e` is the table of entries. */
  from(table: string): string
  /** The position of an entry there. */
  position(table: string): string
  /** A condition on the words of an entry; `value` gives the placeholder of a value. */
  match(table: string, words: WordMatch, value: (value: string) => string): string
  /**
   * How entries are looked at one by one: for databases whose index goes through all entries that have a word before it tells the
   * first of them, which takes long for a word that many have.
   */
  readonly each?: EachEntry
  /**
   * Has everything found before it is put in order: for databases that would else guess that going through all entries in order
   * finds enough soon, which takes long where it does not.
   */
  apart?(found: string): string
}

/** How a database looks at entries one by one. */
export interface EachEntry {
  /** The same condition on the words of an entry, which no index knows. */
  match(words: Omit<WordMatch, 'groups'>, value: (value: string) => string): string
  /** A question for `newest`, the last position within a reach that is before one; null where there is none. */
  newestWithin(table: string, reach: SearchReach, before: number, value: (value: Parameter) => string): string
}

/** All of `all`, not all of `none`, and one of each of `groups`. */
export interface WordMatch {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
  readonly groups: readonly (readonly string[])[]
}

/** So many of the newest entries are looked at one by one: a word that many have is in enough of them. */
const LOOKED_AT = 1000

/** An index in which the database itself finds words in texts. */
export function fullTextIndex(fullText: FullText): WordIndex {
  const entriesOf = (prefix: string) => `${prefix}search_entries`
  return {
    entriesOf,
    create: (prefix) => fullText.create(entriesOf(prefix)),
    async changes({ prefix }, { put, remove }) {
      const table = entriesOf(prefix)
      return [
        ...remove.flatMap((id) => fullText.remove(table, id)),
        ...put.flatMap((entry) => [
          ...fullText.remove(table, entry.id),
          ...fullText.insert(table, entry, [...entry.terms, ...tagsOf(entry)])
        ])
      ]
    },
    async find({ prefix, driver }, query) {
      const table = entriesOf(prefix)
      const newest = fullText.each ? await findNewest(driver, table, query, fullText.each) : []
      if (newest === null || newest.length === query.limit) return newest ?? []
      return entriesBy(driver, findStatement(driver.dialect, fullText, table, query))
    }
  }
}

function findStatement(dialect: Dialect, fullText: FullText, table: string, query: IndexQuery): Statement {
  const { all, none = [], kinds, reach, before, limit } = query
  const { values, value } = valuesOf(dialect)
  const position = fullText.position(table)
  const isLong = reach !== undefined && reach.scopes.length > SCOPES_MAX
  const groups = [...(kinds ? [kinds.map(kindTag)] : []), ...(reach && !isLong ? [reachTags(reach)] : [])]
  const terms = [fullText.match(table, { all, none, groups }, value)]
  if (before !== undefined) terms.push(`${position} < ${value(before)}`)
  if (reach && isLong) terms.push(isWithin(dialect, reach, values))
  const found = `SELECT e.id, e.position FROM ${fullText.from(table)} WHERE ${terms.join(' AND ')}`
  const text = `${fullText.apart?.(found) ?? found} ORDER BY ${position} DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true, isPlannedAnew: true }
}

/** Looks at the newest entries one by one, from the newest on that is within reach; null where none is. */
async function findNewest(
  driver: IndexPlace['driver'],
  table: string,
  query: IndexQuery,
  each: EachEntry
): Promise<readonly FoundEntry[] | null> {
  const { reach, before = Number.MAX_SAFE_INTEGER } = query
  if (!reach || reach.scopes.length > SCOPES_MAX) {
    return entriesBy(driver, newestStatement(driver.dialect, table, { ...query, before }, each))
  }
  const { values, value } = valuesOf(driver.dialect)
  const [row] = await driver.query({ text: each.newestWithin(table, reach, before, value), values })
  if (row?.newest === null || row?.newest === undefined) return null
  const below = { ...query, before: Number(row.newest) + 1 }
  return entriesBy(driver, newestStatement(driver.dialect, table, below, each))
}

/** Asks the newest entries alone, one by one. */
function newestStatement(
  dialect: Dialect,
  table: string,
  { all, none = [], kinds, reach, before, limit }: IndexQuery & { readonly before: number },
  each: EachEntry
): Statement {
  const { values, value } = valuesOf(dialect)
  const beyond = `SELECT position FROM ${table} WHERE position < ${value(before)} ORDER BY position DESC LIMIT 1 OFFSET ${LOOKED_AT}`
  const terms = [`e.position > COALESCE((${beyond}), 0)`, `e.position < ${value(before)}`]
  if (kinds) terms.push(isOfKind(dialect, kinds, values))
  if (reach) terms.push(isWithin(dialect, reach, values))
  terms.push(each.match({ all, none }, value))
  const text = `SELECT e.id, e.position FROM ${table} AS e WHERE ${terms.join(' AND ')} ORDER BY e.position DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true }
}
