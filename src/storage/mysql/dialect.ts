import { type Dialect, raw, snake, sql } from '../sql/dialect.js'
import { ChangeTooLarge, NotGranted, StorageUnavailable } from '../storage.js'

/**
 * MySQL and MariaDB. Texts are compared and ordered by code point, and a space at the end counts: the collation must be a
 * binary one without padding, of which each server has one under a name of its own.
 */
export function mysqlDialect(collation: string): Dialect {
  return {
    placeholder: () => '?',
    column: (name) => `\`${snake(name)}\``,
    forUpdate: ' FOR UPDATE',
    clock: 'ROUND(UNIX_TIMESTAMP(SYSDATE(3)) * 1000)',
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
    isIn: (column, values) => sql`${raw(column)} IN (${values})`,
    bytesOf: (column) => `LENGTH(${column})`,
    addressIn: () => null,
    versionQuery: `SELECT CONCAT(IF(VERSION() LIKE '%MariaDB%', '', 'MySQL '), VERSION()) AS version`,
    tableNames:
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND LOCATE(?, table_name) = 1',
    limitsByQuery: false,
    isNull: (column) => `${column} IS NULL`,
    changesAtOnce: 20_000,
    createIndex: () => null
  }
}

/**
 * The server's answer that it did not do what a statement says. Not the client's own error, which carries the whole text of
 * the statement: that holds what users wrote, and errors end in logs.
 */
export class Refusal extends Error {
  override readonly name = 'MysqlRefusal'
  constructor(
    message: string,
    /** Numbers are the same on every server; the client's names for them are not. */
    readonly errno: number,
    readonly state: string
  ) {
    super(message)
  }
}

const DEADLOCK = 1213
const READ_ONLY = 1290
/** A command, or a column, of a table that the account may not use. */
const NOT_GRANTED: ReadonlySet<number> = new Set([1142, 1143])

/**
 * SQLSTATEs that say the server cannot serve now: connection, a transaction on a server that only reads, authorization,
 * rollback for concurrency, interruption.
 */
const UNAVAILABLE_STATES = /^(08|25006|28|40|70)/

/** Numbers of errors that say so, where their SQLSTATE says nothing. */
const UNAVAILABLE = new Set([
  // Resources: disk, memory, tables, lock tables, connections and quotas of a user, transactions.
  1021, 1037, 1038, 1041, 1114, 1203, 1206, 1226, 1637,
  // No access to the database, or no such one.
  1044, 1049,
  // A host that is blocked or unknown, a password that has expired, a locked account.
  1129, 1130, 1862, 3118, 4151,
  // A commit that failed; a lock that was not free in time, or a statement that was not done in time.
  1180, 1205, 3024,
  // A server that only reads, shuts down or takes TLS alone, a cluster that refuses, a session that the server has ended.
  1290,
  1836, 3159, 3100, 3101, 3168, 3169, 4031
])

/** What the client throws, as the server's answer where it is one. */
export function received(error: unknown): unknown {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return error
  return new Refusal(error.message, Number(error.errno), String(error.sqlState))
}

/** True for an answer of the server about the statement itself: the connection is as good as before. */
export function isAnswer(error: unknown): error is Refusal {
  return error instanceof Refusal && !UNAVAILABLE_STATES.test(error.state) && !UNAVAILABLE.has(error.errno)
}

/** True when a statement broke a constraint. */
export function isConstraint(error: unknown): error is Refusal {
  return isAnswer(error) && error.state.startsWith('23')
}

/** True where a server that only reads was to write. */
export function isReadOnly(error: unknown): boolean {
  const cause = error instanceof StorageUnavailable ? error.cause : error
  return cause instanceof Refusal && cause.errno === READ_ONLY
}

/** True when the server has chosen a transaction to roll back, so that another one can go on. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Refusal && error.errno === DEADLOCK
}

/** The answer of the server as it is, and everything else as `StorageUnavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof Refusal && NOT_GRANTED.has(error.errno)) return new NotGranted({ cause: error })
  if (error instanceof StorageUnavailable || error instanceof ChangeTooLarge || isAnswer(error)) return error
  if (error instanceof Refusal) return new StorageUnavailable(`MySQL refused (${error.errno}).`, { cause: error })
  // Whatever is not the server's own answer is the connection's: refused, reset, timed out, ended.
  return new StorageUnavailable('MySQL did not answer.', { cause: error })
}
