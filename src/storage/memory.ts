import { GENESIS } from '../log/chain.js'
import type { Head, StoredEvent } from '../log/event.js'
import { columnOf, compareValues, indexOf, select } from './order.js'
import type { Commit, ReadStore, Row, RowOp, Storage, TableSpec } from './storage.js'

type Tables = Map<string, Map<string, Row>>

/** A log in memory, for tests: the plainest reading of the port that the other drivers are held to. */
export function openMemory(): Storage {
  let head: Head | null = null
  const log: StoredEvent[] = []
  const generations = new Map<number, Tables>()
  const uses = new Map<string, string>()
  const migrations = new Map<number, string>()

  const rowsOf = (generation: number, table: TableSpec): Map<string, Row> => {
    const tables = generations.get(generation)
    if (!tables) throw new Error(`There is no generation ${generation}.`)
    const rows = tables.get(table.name) ?? new Map<string, Row>()
    tables.set(table.name, rows)
    return rows
  }
  const ready = (): Head => {
    if (!head) throw new Error('The log is not set up.')
    return head
  }
  const scan = (generation: number, table: TableSpec, afterId: string, limit: number) =>
    [...rowsOf(generation, table).values()]
      .filter(({ id }) => compareValues(id, afterId) > 0)
      .sort((a, b) => compareValues(a.id, b.id))
      .slice(0, limit)

  return {
    head: async () => ready(),
    async commit(commit: Commit) {
      if (commit.after.position !== ready().position) return 'stale'
      for (const op of commit.ops) applyTo(rowsOf(commit.head.generation, op.table), op)
      log.push(...commit.events)
      head = commit.head
      return 'committed'
    },
    readLog: async (after, limit) => log.slice(after, after + limit),
    readStream: async (stream, after, limit) =>
      log.filter((event) => event.stream === stream && event.version > after).slice(0, limit),
    rows: (generation): ReadStore => ({
      // Rows of a table have the columns of its spec: `put` is typed so.
      get: async (table, id) => (rowsOf(generation, table).get(id) as Row<typeof table.columns>) ?? null,
      getAll: async (table, ids) =>
        [...rowsOf(generation, table).values()].filter(({ id }) => ids.includes(id)) as Row<typeof table.columns>[],
      list: async (table, index, key, options = {}) =>
        select(rowsOf(generation, table).values(), indexOf(table, index), key, options) as Row<typeof table.columns>[],
      count: async (table, index, key) =>
        select(rowsOf(generation, table).values(), indexOf(table, index), key, {}).length
    }),
    async createGeneration(generation) {
      generations.set(generation, new Map())
    },
    async dropGeneration(generation) {
      generations.delete(generation)
    },
    async apply(generation, ops) {
      for (const op of ops) applyTo(rowsOf(generation, op.table), op)
    },
    scan: async (generation, table, afterId, limit) => scan(generation, table, afterId, limit),
    async snapshot(read) {
      const at = ready()
      const frozen = new Map([...(generations.get(at.generation) ?? [])].map(([name, rows]) => [name, new Map(rows)]))
      generations.set(-1, frozen)
      return read({ head: at, scan: async (table, afterId, limit) => scan(-1, table, afterId, limit) })
    },
    async touchTokens(touched) {
      for (const [id, at] of touched) uses.set(id, at)
    },
    tokenUses: async () => new Map(uses),
    schema: {
      exclusively: (work) => work(),
      applied: async () => [...migrations.keys()],
      async record(number, name) {
        migrations.set(number, name)
      },
      async createTables() {
        if (!generations.has(1)) generations.set(1, new Map())
        head ??= { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: 1 }
      }
    },
    async close() {}
  }
}

/** What each row change means for the rows of its table. */
function applyTo(rows: Map<string, Row>, op: RowOp): void {
  switch (op.op) {
    case 'put':
      rows.set(op.row.id, op.row)
      break
    case 'patch': {
      const row = rows.get(op.id)
      if (row) rows.set(op.id, { ...row, ...op.set } as Row)
      break
    }
    case 'delete':
      rows.delete(op.id)
      break
    case 'deleteWhere':
      for (const row of rows.values()) if (columnOf(row, op.column) === op.value) rows.delete(row.id)
      break
    case 'clear':
      for (const row of rows.values()) {
        const held = op.columns.filter((column) => columnOf(row, column) === op.value)
        if (held.length === 0) continue
        const cleared = Object.fromEntries(held.map((column) => [column, null]))
        rows.set(row.id, { ...row, ...cleared, revision: op.revision } as Row)
      }
  }
}
