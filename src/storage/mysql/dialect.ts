import type { Dialect } from '../sql/dialect.js'

/**
 * MySQL and MariaDB. Texts are compared and ordered by code point, and a space at the end counts: the collation must be a
 * binary one without padding, of which each server has one under a name of its own.
 */
export function mysqlDialect(collation: string): Dialect {
  return {
    placeholder: () => '?',
    columnType(kind) {
      if (kind.startsWith('integer')) return 'BIGINT'
      if (kind === 'flag') return 'TINYINT'
      if (kind.startsWith('text')) return 'LONGTEXT'
      if (kind.startsWith('time')) return 'VARCHAR(32)'
      return kind === 'name' ? 'VARCHAR(500)' : 'VARCHAR(64)'
    },
    // The format whose keys may have 3072 bytes, whatever the server's default is.
    tableOptions: ` ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${collation} ROW_FORMAT=DYNAMIC`,
    upsert: (key, columns) =>
      // Not only the key makes it an update, but any unique column: then the row is another one, and must stay as it is.
      `ON DUPLICATE KEY UPDATE ${key} = IF(${key} = VALUES(${key}), ${key}, NULL), ${columns.map((column) => `${column} = VALUES(${column})`).join(', ')}`,
    isIn: (column, values) => ({ text: `${column} IN (?)`, values: [values] }),
    isAmong: (column, values) => ({ text: `${column} IN (?)`, values: [values] }),
    bytesOf: (column) => `LENGTH(${column})`,
    addressIn: () => null,
    indexNames:
      'SELECT DISTINCT index_name AS name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?',
    hasTextsInRows: false,
    indexesWhenFilled: false,
    isNull: (column) => `${column} IS NULL`,
    changesAtOnce: 20_000,
    createIndex: () => null
  }
}
