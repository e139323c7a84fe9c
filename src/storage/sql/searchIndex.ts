import type { SearchIndex, SearchProgress } from '../searchIndex.js'
import { createTable } from './ddl.js'
import type { Dialect, SqlDriver, Statement } from './dialect.js'
import { searchProgressTable } from './tables.js'

const PROGRESS = 1

/** The search index of the log of a prefix. */
export function sqlSearchIndex(driver: SqlDriver, prefix: string): SearchIndex {
  const { placeholder: p, words } = driver.dialect
  const progressTable = prefix + searchProgressTable.name
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
    async apply(over, to, changes) {
      const statements = await words.changes({ prefix, driver }, changes)
      const outcome = await driver.transactionAside(statements, move(over, to))
      return outcome === 'done' ? { ...to, turn: over.turn + 1 } : null
    },
    async some(limit) {
      const text = `SELECT id FROM ${words.entriesOf(prefix)} ORDER BY position LIMIT ${p(1)}`
      return (await driver.query({ text, values: [limit], hasLimit: true })).map(({ id }) => String(id))
    },
    async find(query) {
      if (query.reach && query.reach.areas.length + query.reach.scopes.length === 0) return []
      return words.find({ prefix, driver }, query)
    }
  }
}

/** Statements that create the tables of an empty index, where they are missing. */
export function searchTables(dialect: Dialect, prefix: string): readonly Statement[] {
  const begin = `INSERT INTO ${prefix}${searchProgressTable.name} (id, turn, position, note) VALUES (${PROGRESS}, 0, 0, '') ${dialect.upsert('id', ['id'])}`
  return [
    ...createTable(dialect, prefix, searchProgressTable),
    ...[begin, ...dialect.words.create(prefix)].map((text) => ({ text, values: [] }))
  ]
}
