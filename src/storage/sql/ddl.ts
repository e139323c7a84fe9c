import { ADDRESS_KEY } from '../search.js'
import type { Columns, TableDefinition, TableIndex, TableSpec } from '../storage.js'
import { type Dialect, type Statement, snake } from './dialect.js'

/** Statements that create a table with its indexes unless they exist. */
export function createTable(dialect: Dialect, prefix: string, table: TableDefinition): readonly Statement[] {
  const name = prefix + table.name
  const indexed = new Set([...table.key, ...Object.values(table.indexes).flatMap(({ columns }) => columns)])
  const columns = Object.entries(table.columns).map(
    ([column, kind]) =>
      `${snake(column)} ${dialect.columnType(kind, indexed.has(column))}${kind.endsWith('?') ? '' : ' NOT NULL'}`
  )
  const parts = [...columns, `PRIMARY KEY (${list(table.key)})`]
  const indexes: string[] = []
  for (const [index, spec] of Object.entries(table.indexes)) {
    const text = dialect.createIndex(indexName(name, index), name, held(dialect, spec), spec.unique)
    if (text === null) parts.push(`${spec.unique ? 'UNIQUE ' : ''}KEY ${snake(index)} (${held(dialect, spec)})`)
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

function indexName(table: string, index: string): string {
  return `${table}_${snake(index)}`
}

/** What an index holds. */
function held(dialect: Dialect, { columns, addressIn }: TableIndex): string {
  if (addressIn === undefined) return list(columns)
  const key = dialect.addressIn(snake(addressIn))
  const beginning = ADDRESS_KEY.from - 1 + ADDRESS_KEY.max
  return `${key === null ? `${snake(addressIn)}(${beginning})` : `(${key})`}, ${list(columns)}`
}

function list(columns: readonly string[]): string {
  return columns.map(snake).join(', ')
}
