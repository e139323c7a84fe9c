import type { ReadStore, Row, TableSpec } from '../storage.js'
import { isStorable, type RawRow, type SqlDriver } from './dialect.js'
import { type RowStatements, rowReader } from './rows.js'

/** Reading the rows of one generation, in lists and one after another. */
export interface RowReads extends ReadStore {
  scan(table: TableSpec, afterId: string, limit: number): Promise<readonly Row[]>
}

/** Reads rows through `query`. What no row can hold finds nothing, and costs no question. */
export function rowReads(query: SqlDriver['query'], texts: RowStatements): RowReads {
  const readers = new Map<string, (raw: RawRow) => Row>()
  const reader = <T extends TableSpec>(table: T): ((raw: RawRow) => Row<T['columns']>) => {
    // Readers lie under the name of their table, whose spec gives its rows their type.
    const known = readers.get(table.name) as ((raw: RawRow) => Row<T['columns']>) | undefined
    if (known) return known
    const fresh = rowReader<T['columns']>(table)
    readers.set(table.name, fresh)
    return fresh
  }
  return {
    async get(table, id) {
      if (!isStorable(id)) return null
      const [row] = await query(texts.get(table, id))
      return row ? reader(table)(row) : null
    },
    async getAll(table, ids) {
      const possible = ids.filter(isStorable)
      return possible.length === 0 ? [] : (await query(texts.getAll(table, possible))).map(reader(table))
    },
    async list(table, index, key, options = {}) {
      const ids = options.ids?.filter(isStorable)
      if (ids?.length === 0 || options.limit === 0 || !key.every(isStorable)) return []
      return (await query(texts.list(table, index, key, ids ? { ...options, ids } : options))).map(reader(table))
    },
    async count(table, index, key) {
      if (!key.every(isStorable)) return 0
      const [row] = await query(texts.count(table, index, key))
      return Number(row?.count ?? 0)
    },
    scan: async (table, afterId, limit) => (await query(texts.scan(table, afterId, limit))).map(reader(table))
  }
}
