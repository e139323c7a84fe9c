import pg from 'pg'
import { ADDRESS_KEY } from '../search.js'
import { commonDialect, type Dialect, raw, snake, sql } from '../sql/dialect.js'
import { NotGranted, StorageUnavailable } from '../storage.js'

/** Postgres: numbered placeholders, and order by code point whatever the database's own collation. */
export const postgresDialect: Dialect = {
  ...commonDialect,
  placeholder: (n) => `$${n}`,
  column: (name) => `"${snake(name)}"`,
  forUpdate: ' FOR UPDATE',
  clock: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  columnType(kind) {
    if (kind.startsWith('integer')) return 'bigint'
    if (kind === 'flag') return 'smallint'
    return kind.startsWith('text') ? 'text' : 'text COLLATE "C"'
  },
  isIn: (column, values) =>
    sql`${raw(column)} = ANY (${values}::${raw(typeof values[0] === 'number' ? 'bigint' : 'text')}[])`,
  addressIn: (column) => `split_part(substr(${column}, ${ADDRESS_KEY.from}, ${ADDRESS_KEY.max}), '"', 1)`,
  versionQuery: `SELECT 'PostgreSQL ' || current_setting('server_version') AS version`,
  tableNames:
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND starts_with(tablename, $1)',
  limitsByQuery: true,
  isNull: (column) => `${column} IS NULL`,
  changesAtOnce: 40_000
}

/**
 * SQLSTATEs that say the server cannot serve now: connection, rollback for concurrency, resources, operator intervention,
 * system; a login refused, no such database, a server that only reads because another has taken over; a transaction that was idle,
 * or took, too long, and a lock that was not free in time.
 */
const UNAVAILABLE = /^(08|28|40|53|57|58|3D000|25006|25P0[34]|55P03)/

const NOT_GRANTED = '42501'

/** True for an answer of the server about the statement itself: the connection is as good as before. */
export function isAnswer(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')
}

/** True when a statement broke a constraint. */
export function isConstraint(error: unknown): boolean {
  return isAnswer(error) && (error.code ?? '').startsWith('23')
}

/** True where a server that only reads was to write. */
export function isReadOnly(error: unknown): boolean {
  const cause = error instanceof StorageUnavailable ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '25006'
}

/** The answer of the server as it is, and everything else as `StorageUnavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code === NOT_GRANTED) return new NotGranted({ cause: error })
  if (error instanceof StorageUnavailable || isAnswer(error)) return error
  if (error instanceof pg.DatabaseError) {
    return new StorageUnavailable(`Postgres refused (${error.code}).`, { cause: error })
  }
  // Whatever is not the server's own answer is the connection's: refused, reset, timed out, ended.
  return new StorageUnavailable('Postgres did not answer.', { cause: error })
}
