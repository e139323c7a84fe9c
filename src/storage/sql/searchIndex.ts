import { createHash } from 'node:crypto'
import {
  type IndexChanges,
  type IndexQuery,
  type SearchEntry,
  type SearchIndex,
  type SearchProgress,
  type SearchReach,
  TERM_MAX,
  type Term
} from '../searchIndex.js'
import { createTable } from './ddl.js'
import type { Dialect, Parameter, SqlDriver, Statement } from './dialect.js'
import { searchProgressTable } from './tables.js'

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

/** Longer lists of scopes are looked up in the rows that the words have found. */
const SCOPES_MAX = 200
/** So many of the newest entries are looked at one by one: a word that many have is in enough of them. */
const LOOKED_AT = 1000
const PROGRESS = 1

/** The search index of the log of a prefix. */
export function sqlSearchIndex(driver: SqlDriver, prefix: string): SearchIndex {
  const { dialect } = driver
  const { fullText, placeholder: p } = dialect
  const table = `${prefix}search_entries`
  const progressTable = prefix + searchProgressTable.name
  const put = (entry: SearchEntry): readonly Statement[] => [
    ...fullText.remove(table, entry.id),
    ...fullText.insert(table, entry, [...entry.terms, ...tagsOf(entry)])
  ]
  /** Breaks a constraint where the progress is another one. */
  const move = ({ turn }: SearchProgress, { position, note }: Omit<SearchProgress, 'turn'>): Statement => ({
    text: `UPDATE ${progressTable} SET turn = CASE WHEN turn = ${p(1)} THEN turn + 1 END, position = ${p(2)}, note = ${p(3)} WHERE id = ${PROGRESS}`,
    values: [turn, position, note]
  })
  return {
    async progress() {
      const text = `SELECT turn, position, note FROM ${progressTable} WHERE id = ${PROGRESS}`
      const [row] = await driver.query({ text, values: [] })
      return { turn: Number(row?.turn ?? 0), position: Number(row?.position ?? 0), note: String(row?.note ?? '') }
    },
    async apply(over, to, { put: entries, remove }: IndexChanges) {
      const changes = [...remove.flatMap((id) => fullText.remove(table, id)), ...entries.flatMap(put)]
      const outcome = await driver.transactionAside(changes, move(over, to))
      return outcome === 'done' ? { ...to, turn: over.turn + 1 } : null
    },
    async some(limit) {
      const rows = await driver.query({
        text: `SELECT id FROM ${table} LIMIT ${p(1)}`,
        values: [limit],
        hasLimit: true
      })
      return rows.map(({ id }) => String(id))
    },
    async find(query) {
      if (query.reach && query.reach.areas.length + query.reach.scopes.length === 0) return []
      const ask = async (statement: Statement) =>
        (await driver.query(statement)).map(({ id, position }) => ({ id: String(id), position: Number(position) }))
      const newest = fullText.matchEach ? await ask(newestStatement(dialect, table, query, fullText.matchEach)) : []
      return newest.length < query.limit ? ask(findStatement(dialect, table, query)) : newest
    }
  }
}

/** Statements that create the tables of an empty index, where they are missing. */
export function searchTables(dialect: Dialect, prefix: string): readonly Statement[] {
  const begin = `INSERT INTO ${prefix}${searchProgressTable.name} (id, turn, position, note) VALUES (${PROGRESS}, 0, 0, '') ${dialect.upsert('id', ['id'])}`
  return [
    ...createTable(dialect, prefix, searchProgressTable),
    ...[begin, ...dialect.fullText.create(`${prefix}search_entries`)].map((text) => ({ text, values: [] }))
  ]
}

function findStatement(dialect: Dialect, table: string, query: IndexQuery): Statement {
  const { all, none = [], kinds, reach, before, limit } = query
  const { fullText } = dialect
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
  if (kinds) {
    const isOfKind = dialect.isIn('e.kind', kinds, values.length + 1)
    values.push(...isOfKind.values)
    terms.push(isOfKind.text)
  }
  if (reach) terms.push(isWithin(dialect, reach, values))
  terms.push(matchEach({ all, none }, value))
  const text = `SELECT e.id, e.position FROM ${table} AS e WHERE ${terms.join(' AND ')} ORDER BY e.position DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true }
}

/** The values of a statement that is being written, and how one more gets its placeholder. */
function valuesOf({ placeholder }: Dialect) {
  const values: Parameter[] = []
  return { values, value: (one: Parameter) => placeholder(values.push(one)) }
}

function isWithin({ isIn }: Dialect, { areas, scopes }: SearchReach, values: Parameter[]): string {
  const parts = [['e.area', areas] as const, ['e.scope', scopes] as const].flatMap(([column, some]) => {
    if (some.length === 0) return []
    const part = isIn(column, some, values.length + 1)
    values.push(...part.values)
    return [part.text]
  })
  return `(${parts.join(' OR ')})`
}

// What an entry belongs to stands among its words, so that the index itself leaves out what is not wanted.

function tagsOf({ kind, area, scope }: SearchEntry): readonly string[] {
  return [kindTag(kind), ...reachTags({ areas: [area], scopes: [scope] })]
}

const kindTag = (kind: string) => `k${wordOf(kind)}`

function reachTags({ areas, scopes }: SearchReach): readonly string[] {
  return [...areas.map((area) => `a${wordOf(area)}`), ...scopes.map((scope) => `s${wordOf(scope)}`)]
}

/** A word for a text of any characters. */
function wordOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, TERM_MAX / 2)
}
