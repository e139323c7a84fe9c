import { ADDRESS_KEY } from '../search.js'
import type { ArrayColumn, ArrayStatements, Dialect } from '../sql/dialect.js'
import { binaryArray, typeOf } from './binary.js'

const lists = (columns: readonly ArrayColumn[]) =>
  columns.map(({ kind }, i) => `$${i + 1}::${typeOf(kind)}[]`).join(', ')
const names = (columns: readonly ArrayColumn[]) => columns.map(({ name }) => name).join(', ')

/** Rows travel as one array a column. */
const postgresArrays: ArrayStatements = {
  // A generation is planned for when it is empty. Without these, each thousand rows would go through the whole of a table
  // that has grown since, and not by its key.
  settings: ['hashjoin', 'mergejoin', 'seqscan'].map((way) => `SELECT set_config('enable_${way}', 'off', true)`),
  put: (table, columns) =>
    `INSERT INTO ${table} (${names(columns)}) SELECT * FROM unnest(${lists(columns)}) ON CONFLICT (id) DO UPDATE SET ${columns
      .slice(1)
      .map(({ name }) => `${name} = excluded.${name}`)
      .join(', ')}`,
  patch: (table, columns) =>
    `UPDATE ${table} AS t SET ${columns
      .slice(1)
      .map(({ name }) => `${name} = v.${name}`)
      .join(', ')} FROM unnest(${lists(columns)}) AS v (${names(columns)}) WHERE t.id = v.id`,
  array: binaryArray,
  delete: (table, columns) => `DELETE FROM ${table} WHERE id = ANY (${lists(columns)})`
}

/** Postgres: numbered placeholders, and order by code point whatever the database's own collation. */
export const postgresDialect: Dialect = {
  placeholder: (n) => `$${n}`,
  columnType(kind) {
    if (kind.startsWith('integer')) return 'bigint'
    if (kind === 'flag') return 'smallint'
    return kind.startsWith('text') ? 'text' : 'text COLLATE "C"'
  },
  tableOptions: '',
  upsert: (key, columns) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  isIn: (column, values, n) => ({ text: `${column} = ANY ($${n}::text[])`, values: [values] }),
  isAmong: (column, values, n) => ({ text: `${column} = ANY ($${n}::bigint[])`, values: [values] }),
  bytesOf: (column) => `octet_length(${column})`,
  addressIn: (column) => `split_part(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}), '"', 1)`,
  indexNames: 'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1',
  hasTextsInRows: false,
  indexesWhenFilled: true,
  isNull: (column) => `${column} IS NULL`,
  changesAtOnce: 40_000,
  arrays: postgresArrays,
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
}
