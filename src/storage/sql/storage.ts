import { GENESIS } from '../../log/chain.js'
import type { Head, StoredEvent } from '../../log/event.js'
import {
  type Commit,
  type ReadStore,
  type Row,
  type RowOp,
  type Snapshot,
  type Storage,
  StorageUnavailable,
  type TableSpec
} from '../storage.js'
import { createTable, definitionOf, nameOf } from './ddl.js'
import type { SqlDriver } from './dialect.js'
import { headTable, logStatements, logTable, migrationsTable, toEvent, toHead, tokenUseTable } from './log.js'
import { type RowStatements, rowReader, rowStatements } from './rows.js'

const FIRST_GENERATION = 1
const PUTS_PER_STATEMENT = 50

/** A Storage on any SQL database: everything but how statements reach it. */
export function sqlStorage(driver: SqlDriver, prefix: string, tables: readonly TableSpec[]): Storage {
  const { dialect } = driver
  const log = logStatements(dialect, prefix)
  const generations = new Map<number, RowStatements>()
  const statements = (generation: number) => {
    const known = generations.get(generation) ?? rowStatements(dialect, prefix, generation)
    generations.set(generation, known)
    return known
  }
  const readers = new Map<string, (raw: Readonly<Record<string, unknown>>) => Row>()
  const reader = <T extends TableSpec>(table: T): ((raw: Readonly<Record<string, unknown>>) => Row<T['columns']>) => {
    const known = readers.get(table.name)
    if (known) return known as (raw: Readonly<Record<string, unknown>>) => Row<T['columns']>
    const fresh = rowReader<T['columns']>(table)
    readers.set(table.name, fresh)
    return fresh
  }

  const head = async (query = driver.query): Promise<Head> => {
    const [row] = await query(log.head)
    if (!row) throw new StorageUnavailable('The database has no hub in it yet. Run `hub migrate`.')
    return toHead(row)
  }
  const scan = async (query: SqlDriver['query'], generation: number, table: TableSpec, after: string, limit: number) =>
    (await query(statements(generation).scan(table, after, limit))).map(reader(table))
  const createGeneration = async (generation: number) => {
    for (const table of tables) {
      for (const statement of createTable(dialect, prefix, definitionOf(table, generation)))
        await driver.query(statement)
    }
  }
  const dropGeneration = async (generation: number) => {
    for (const table of tables) {
      await driver.query({ text: `DROP TABLE IF EXISTS ${prefix}${nameOf(table, generation)}`, values: [] })
    }
  }

  return {
    head: () => head(),

    async commit({ events, ops, head }: Commit) {
      const rows = statements(head.generation)
      const written = [...events.map(log.append), log.moveHead(head), ...ops.map(rows.op)]
      return (await driver.transaction(written)) === 'done' ? 'committed' : 'stale'
    },

    readLog: async (after, limit): Promise<readonly StoredEvent[]> =>
      (await driver.query(log.read(after, limit))).map(toEvent),
    readStream: async (stream, after, limit) => (await driver.query(log.readStream(stream, after, limit))).map(toEvent),

    rows(generation): ReadStore {
      const texts = statements(generation)
      return {
        async get(table, id) {
          const [row] = await driver.query(texts.get(table, id))
          return row ? reader(table)(row) : null
        },
        async getAll(table, ids) {
          return ids.length === 0 ? [] : (await driver.query(texts.getAll(table, ids))).map(reader(table))
        },
        async list(table, index, key, options = {}) {
          if (options.ids?.length === 0) return []
          return (await driver.query(texts.list(table, index, key, options))).map(reader(table))
        },
        async count(table, index, key) {
          const [row] = await driver.query(texts.count(table, index, key))
          return Number(row?.count ?? 0)
        }
      }
    },

    async createGeneration(generation) {
      await dropGeneration(generation)
      await createGeneration(generation)
    },
    dropGeneration,

    async apply(generation, ops) {
      const texts = statements(generation)
      await driver.transaction(
        batches(ops).map((batch) => (Array.isArray(batch) ? putAll(texts, batch) : texts.op(batch)))
      )
    },

    scan: (generation, table, after, limit) => scan(driver.query, generation, table, after, limit),

    snapshot: (read) =>
      driver.session(true, async (query) => {
        const at = await head(query)
        const snapshot: Snapshot = {
          head: at,
          scan: (table, after, limit) => scan(query, at.generation, table, after, limit)
        }
        return read(snapshot)
      }),

    async touchTokens(uses) {
      await driver.transaction([...uses].map(([id, at]) => log.touch(id, at)))
    },
    async tokenUses() {
      return new Map((await driver.query(log.uses)).map((row) => [String(row.id), String(row.used_at)]))
    },

    schema: {
      exclusively: (work, what = 'migrate') => driver.exclusively(`${prefix}${what}`, work),
      async applied() {
        if (!(await driver.hasTable(`${prefix}migrations`))) return []
        return (await driver.query(log.migrations)).map((row) => Number(row.number))
      },
      async record(number, name, at) {
        await driver.query(log.recordMigration(number, name, at))
      },
      async createTables() {
        for (const table of [logTable, headTable, tokenUseTable, migrationsTable]) {
          for (const statement of createTable(dialect, prefix, table)) await driver.query(statement)
        }
        const empty = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
        await driver.query(log.startHead(empty))
        await createGeneration((await head()).generation)
      }
    },
    close: () => driver.close()
  }
}

type Put = Extract<RowOp, { op: 'put' }>

/** Runs of puts into one table go together, up to a size; everything else stays as it is, in order. */
function batches(ops: readonly RowOp[]): (RowOp | Put[])[] {
  const result: (RowOp | Put[])[] = []
  for (const op of ops) {
    const last = result.at(-1)
    if (op.op !== 'put') result.push(op)
    else if (Array.isArray(last) && last[0]?.table === op.table && last.length < PUTS_PER_STATEMENT) last.push(op)
    else result.push([op])
  }
  return result
}

function putAll(texts: RowStatements, puts: readonly Put[]) {
  const [first] = puts
  if (!first) throw new Error('A run of puts holds at least one.')
  return texts.put(
    first.table,
    puts.map(({ row }) => row)
  )
}
