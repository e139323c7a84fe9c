import type { IndexQuery, SearchEntry, Term } from '../searchIndex.js'
import type { Dialect, Statement } from './dialect.js'
import { kindTag, reachTags, tagsOf } from './searchTags.js'
import { entriesBy, isOfKind, isWithin, SCOPES_MAX, valuesOf, type WordIndex } from './wordIndex.js'

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
   * The same condition where each entry is looked at by itself: for databases whose index goes through all entries that have a
   * word before it tells the first of them, which takes long for a word that many have.
   */
  matchEach?(words: Omit<WordMatch, 'groups'>, value: (value: string) => string): string
  /**
   * Has everything found before it is put in order: for databases that would else guess that going through all entries in order
   * finds enough soon, which takes long where it does not.
   */
  apart?(found: string): string
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
      const { dialect } = driver
      const table = entriesOf(prefix)
      const newest = fullText.matchEach
        ? await entriesBy(driver, newestStatement(dialect, table, query, fullText.matchEach))
        : []
      return newest.length < query.limit ? entriesBy(driver, findStatement(dialect, fullText, table, query)) : newest
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

/** Asks the newest entries alone, one by one. */
function newestStatement(
  dialect: Dialect,
  table: string,
  { all, none = [], kinds, reach, before = Number.MAX_SAFE_INTEGER, limit }: IndexQuery,
  matchEach: NonNullable<FullText['matchEach']>
): Statement {
  const { values, value } = valuesOf(dialect)
  const beyond = `SELECT position FROM ${table} WHERE position < ${value(before)} ORDER BY position DESC LIMIT 1 OFFSET ${LOOKED_AT}`
  const terms = [`e.position > COALESCE((${beyond}), 0)`, `e.position < ${value(before)}`]
  if (kinds) terms.push(isOfKind(dialect, kinds, values))
  if (reach) terms.push(isWithin(dialect, reach, values))
  terms.push(matchEach({ all, none }, value))
  const text = `SELECT e.id, e.position FROM ${table} AS e WHERE ${terms.join(' AND ')} ORDER BY e.position DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true }
}
