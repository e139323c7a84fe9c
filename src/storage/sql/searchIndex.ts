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
}

/** All of `all`, not all of `none`, and one of each of `groups`. */
export interface WordMatch {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
  readonly groups: readonly (readonly string[])[]
}

/** Longer lists of scopes are looked up in the rows that the words have found. */
const SCOPES_MAX = 200
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
      const rows = await driver.query(findStatement(dialect, table, query))
      return rows.map(({ id, position }) => ({ id: String(id), position: Number(position) }))
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
  const { fullText, placeholder, isIn } = dialect
  const values: Parameter[] = []
  const value = (one: Parameter) => placeholder(values.push(one))
  const position = fullText.position(table)
  const isLong = reach !== undefined && reach.scopes.length > SCOPES_MAX
  const groups = [...(kinds ? [kinds.map(kindTag)] : []), ...(reach && !isLong ? [reachTags(reach)] : [])]
  const terms = [fullText.match(table, { all, none, groups }, value)]
  if (before !== undefined) terms.push(`${position} < ${value(before)}`)
  if (reach && isLong) {
    const areas = isIn('e.area', reach.areas.length > 0 ? reach.areas : [''], values.length + 1)
    values.push(...areas.values)
    const scopes = isIn('e.scope', reach.scopes, values.length + 1)
    values.push(...scopes.values)
    terms.push(`(${areas.text} OR ${scopes.text})`)
  }
  const text = `SELECT e.id, e.position FROM ${fullText.from(table)} WHERE ${terms.join(' AND ')} ORDER BY ${position} DESC LIMIT ${value(limit)}`
  return { text, values, hasLimit: true, isPlannedAnew: true }
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
