import { createHash } from 'node:crypto'
import { ADDRESS_KEY } from '../search.js'
import type { Columns, TableDefinition, TableIndex, TableSpec } from '../storage.js'
import { type Dialect, type Statement, snake } from './dialect.js'

const columns = {
  position: 'integer',
  stream: 'id',
  version: 'integer',
  type: 'id',
  schemaVersion: 'integer',
  at: 'time',
  commandId: 'id',
  actorId: 'id',
  tokenId: 'id?',
  requestId: 'id?',
  correlationId: 'id?',
  causation: 'integer?',
  // In front of the texts: SQLite goes through all of a payload to get at a column behind it.
  chain: 'id',
  who: 'text?',
  whoSalt: 'id?',
  whoCommitment: 'id',
  payload: 'text?',
  payloadSalt: 'id?',
  payloadCommitment: 'id'
} as const

/** The log: one row an event. The position is its key, so that no two writers can own one whatever else goes wrong. */
export const logTable: TableDefinition = {
  name: 'log',
  columns,
  key: ['position'],
  indexes: {
    byStream: { columns: ['stream', 'version'], unique: true },
    byActor: { columns: ['actorId', 'position'], unique: false },
    byToken: { columns: ['tokenId', 'position'], unique: false },
    byType: { columns: ['type', 'position'], unique: false },
    // Of what an erasure takes away it holds nothing any more.
    byAddress: { addressIn: 'who', columns: ['position'], unique: false }
  }
}

/** One row that says where the log ends and which generation of the read tables is live: the guard against two writers. */
const headTable: TableDefinition = {
  name: 'head',
  columns: {
    id: 'integer',
    position: 'integer',
    chain: 'id',
    at: 'time',
    generation: 'integer',
    seal: 'text?',
    writtenUnder: 'text?'
  },
  key: ['id'],
  indexes: {}
}

/** A table that is searched by its key alone. */
const keyed = (name: string, key: string, columns: Columns): TableDefinition => ({
  name,
  columns,
  key: [key],
  indexes: {}
})

/** When each token was last used. */
const tokenUseTable = keyed('token_use', 'id', { id: 'id', usedAt: 'time' })

/** Small texts by key: what `StateStore` keeps. */
const stateTable = keyed('state', 'id', { id: 'id', mark: 'id', body: 'text' })

/** Bytes by their sha256, as base64: what `BlobStore` keeps. */
const blobsTable = keyed('blobs', 'id', { id: 'id', body: 'text' })

/** How far generations of the read tables have come, and who fills them. No row is ever taken away: by it a fence is checked. */
const buildsTable = keyed('builds', 'generation', {
  generation: 'integer',
  position: 'integer',
  label: 'text',
  builder: 'id?'
})

/** The migrations that are done. */
const migrationsTable = keyed('migrations', 'number', { number: 'integer', name: 'id', at: 'time' })

/** The tables of a log that are no read tables. */
export const plainTables: readonly TableDefinition[] = [
  ...[logTable, headTable, tokenUseTable, migrationsTable],
  ...[buildsTable, stateTable, blobsTable]
]

/** Statements that create a table with its indexes unless they exist. */
export function createTable(dialect: Dialect, prefix: string, table: TableDefinition): readonly Statement[] {
  const name = prefix + table.name
  const indexed = new Set([...table.key, ...Object.values(table.indexes).flatMap(({ columns }) => columns)])
  const columns = Object.entries(table.columns).map(
    ([column, kind]) =>
      `${dialect.column(column)} ${dialect.columnType(kind, indexed.has(column))}${kind.endsWith('?') ? '' : ' NOT NULL'}`
  )
  const parts = [...columns, `PRIMARY KEY (${list(dialect, table.key)})`]
  const indexes: string[] = []
  for (const [index, spec] of Object.entries(table.indexes)) {
    const columns = held(dialect, spec)
    const text = dialect.createIndex(indexName(name, index), name, columns, spec.unique)
    if (text === null) parts.push(`${spec.unique ? 'UNIQUE ' : ''}KEY ${dialect.column(index)} (${columns})`)
    else indexes.push(text)
  }
  const text = `CREATE TABLE IF NOT EXISTS ${name} (${parts.join(', ')})${dialect.tableOptions}`
  return [text, ...indexes].map((text) => ({ text, values: [] }))
}

/** The plain table behind a read table of one generation. */
export function definitionOf(table: TableSpec, generation: number): TableDefinition {
  return {
    name: nameOf(table, generation),
    columns: allColumns(table),
    key: ['id'],
    indexes: Object.fromEntries(
      Object.entries(table.indexes).map(([name, { by, order, unique }]) => [
        name,
        { columns: unique ? by : [...by, ...order, 'id'], unique: unique ?? false }
      ])
    )
  }
}

/** The name, without prefix, of a read table in a generation. */
export function nameOf(table: TableSpec, generation: number): string {
  return `${snake(table.name)}_g${generation}`
}

/** The columns of a table's rows, with those that every row has. */
export function allColumns(table: TableSpec): Columns {
  return { id: 'id', version: 'integer', revision: 'integer', ...table.columns, body: 'text' }
}

/** Postgres cuts longer names, and takes one that is cut to the same for the other. */
const NAME_MAX = 63
const HASH_DIGITS = 8

function indexName(table: string, index: string): string {
  const name = `${table}_${snake(index)}`
  if (name.length <= NAME_MAX) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)
  return `${name.slice(0, NAME_MAX - HASH_DIGITS - 1)}_${hash}`
}

/** What an index holds. */
function held(dialect: Dialect, { columns, addressIn }: TableIndex): string {
  if (addressIn === undefined) return list(dialect, columns)
  const column = dialect.column(addressIn)
  const key = dialect.addressIn(column)
  const beginning = ADDRESS_KEY.from - 1 + ADDRESS_KEY.max
  return `${key === null ? `${column}(${beginning})` : `(${key})`}, ${list(dialect, columns)}`
}

function list(dialect: Dialect, columns: readonly string[]): string {
  return columns.map(dialect.column).join(', ')
}

/**
 * Of the tables whose names begin with a prefix, those of the log that has it: what begins with a longer prefix that a log of its own
 * has is that log's.
 */
export function ofPrefix(prefix: string, names: readonly string[]): readonly string[] {
  const { name: last } = migrationsTable
  const all = names.filter((name) => name.startsWith(prefix))
  const others = all
    .filter((name) => name.endsWith(last) && name.length > prefix.length + last.length)
    .map((name) => name.slice(0, -last.length))
  return all.filter((name) => !others.some((other) => name.startsWith(other)))
}
