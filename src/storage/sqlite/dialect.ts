import { ADDRESS_KEY } from '../search.js'
import type { Dialect } from '../sql/dialect.js'

/** SQLite: text is compared byte by byte, which in UTF-8 is by code point. */
export const sqliteDialect: Dialect = {
  placeholder: () => '?',
  columnType: (kind) => (kind.startsWith('integer') || kind === 'flag' ? 'INTEGER' : 'TEXT'),
  tableOptions: '',
  upsert: (key, columns) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  isIn: (column, values) => ({
    text: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values)]
  }),
  isAmong: (column, values) => ({
    text: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values)]
  }),
  bytesOf: (column) => `octet_length(${column})`,
  addressIn: (column) =>
    `substr(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}), 1, instr(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}) || '"', '"') - 1)`,
  indexNames: `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?`,
  hasTextsInRows: true,
  indexesWhenFilled: false,
  // The column itself would be read for it; its length is in the head of the row.
  isNull: (column) => `octet_length(${column}) IS NULL`,
  // Other writers of the file wait meanwhile.
  changesAtOnce: 5000,
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
}
