import { ADDRESS_KEY } from '../search.js'
import { commonDialect, type Dialect, raw, snake, sql } from '../sql/dialect.js'

/** SQLite: text is compared byte by byte, which in UTF-8 is by code point. */
export const sqliteDialect: Dialect = {
  ...commonDialect,
  placeholder: () => '?',
  // Between double quotes, what is no column would be a text.
  column: (name) => `\`${snake(name)}\``,
  forUpdate: '',
  clock: null,
  columnType: (kind) => (kind.startsWith('integer') || kind === 'flag' ? 'INTEGER' : 'TEXT'),
  // The values go as one parameter, so that any number of them has the same text.
  isIn: (column, values) => sql`${raw(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  addressIn: (column) =>
    `substr(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}), 1, instr(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}) || '"', '"') - 1)`,
  versionQuery: `SELECT 'SQLite ' || sqlite_version() AS version`,
  tableNames: `SELECT name FROM sqlite_master WHERE type = 'table' AND instr(name, ?) = 1`,
  limitsByQuery: true,
  // The column itself would be read for it; its length is in the head of the row.
  isNull: (column) => `octet_length(${column}) IS NULL`,
  // Other writers of the file wait meanwhile.
  changesAtOnce: 5000
}
