import type { Dialect } from '../sql/dialect.js'

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
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
}
