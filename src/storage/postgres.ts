import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Dialect, RawRow, SqlDriver, Statement } from './sql/dialect.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

export interface PostgresOptions {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly prefix: string
}

const READERS_MAX = 6
const CONNECT_TIMEOUT_MS = 3000
const STATEMENT_TIMEOUT_MS = 15_000
const LOCK_RETRY_MS = 50

/** Opens a Postgres database and proves that it answers. Throws `StorageUnavailable` when it does not. */
export async function openPostgres(options: PostgresOptions, tables: readonly TableSpec[]): Promise<Storage> {
  const driver = postgresDriver(options)
  try {
    await driver.query(sql('SELECT 1'))
  } catch (error) {
    await driver.close()
    throw error
  }
  return sqlStorage(driver, options.prefix, tables)
}

const dialect: Dialect = {
  placeholder: (n) => `$${n}`,
  columnType: (kind) =>
    kind.startsWith('integer')
      ? 'bigint'
      : kind === 'flag'
        ? 'smallint'
        : kind.startsWith('text')
          ? 'text'
          : 'text COLLATE "C"',
  tableOptions: '',
  upsert: (key, columns) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  isIn: (column, values, n) => ({
    text: `${column} = ANY (SELECT jsonb_array_elements_text($${n}::jsonb))`,
    values: [JSON.stringify(values)]
  }),
  createIndex: (name, table, columns, unique) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`
}

const sql = (text: string): Statement => ({ text, values: [] })

function postgresDriver(options: PostgresOptions): SqlDriver {
  const config: pg.ClientConfig = {
    host: options.host,
    port: options.port,
    user: options.user,
    password: options.password,
    database: options.database,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'collections-hub'
  }
  const readers = new pg.Pool({ ...config, max: READERS_MAX })
  // An idle connection that dies is replaced at the next query; without a listener it would end the process.
  readers.on('error', () => {})
  const writer = writerConnection(config)
  const named = statementNames()

  const query = async (statement: Statement): Promise<readonly RawRow[]> => {
    try {
      return (await readers.query<RawRow>(named(statement))).rows
    } catch (error) {
      throw translate(error)
    }
  }

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await readers.connect().catch((error) => {
      throw translate(error)
    })
    let failed = true
    try {
      const result = await work(client)
      failed = false
      return result
    } catch (error) {
      throw translate(error)
    } finally {
      client.release(failed)
    }
  }

  return {
    dialect,
    query,
    async transaction(statements) {
      try {
        const client = await writer.connected()
        return await pipelined(client, statements.map(named))
      } catch (error) {
        writer.discard()
        throw translate(error)
      }
    },
    session: (consistent, work) =>
      withClient(async (client) => {
        if (consistent) await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const result = await work(async (statement) => (await client.query<RawRow>(named(statement))).rows)
        if (consistent) await client.query('COMMIT')
        return result
      }),
    exclusively: (name, work) =>
      withClient(async (client) => {
        const lock = { text: 'SELECT pg_try_advisory_lock(hashtext($1)) AS held', values: [name] }
        while ((await client.query(lock)).rows[0]?.held !== true) await setTimeout(LOCK_RETRY_MS)
        try {
          return await work()
        } finally {
          await client.query({ text: 'SELECT pg_advisory_unlock(hashtext($1))', values: [name] })
        }
      }),
    hasTable: async (name) =>
      (await query({ text: 'SELECT to_regclass($1) IS NOT NULL AS present', values: [name] }))[0]?.present === true,
    async close() {
      await Promise.all([readers.end(), writer.close()])
    }
  }
}

/** Sends a whole transaction in one go and waits once. The first failure decides; the database rolls back the rest. */
async function pipelined(client: pg.Client, statements: readonly pg.QueryConfig[]): Promise<'done' | 'conflict'> {
  const answers = await Promise.allSettled([
    client.query('BEGIN'),
    ...statements.map((statement) => client.query(statement)),
    client.query('COMMIT')
  ])
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (!failure) return 'done'
  const error: unknown = failure.reason
  if (isDatabaseError(error) && error.code === UNIQUE_VIOLATION && error.constraint?.endsWith('_pkey'))
    return 'conflict'
  throw error
}

const UNIQUE_VIOLATION = '23505'

/** The one connection that writes, opened when first needed and again after it was lost. */
function writerConnection(config: pg.ClientConfig) {
  let current: Promise<pg.Client> | null = null
  const open = async () => {
    const client = new pg.Client({ ...config, pipeline: true })
    client.on('error', () => discard())
    client.on('end', () => discard())
    await client.connect()
    return client
  }
  const discard = () => {
    const gone = current
    current = null
    gone?.then(
      (client) => client.end().catch(() => {}),
      () => {}
    )
  }
  return {
    connected: () => {
      current ??= open()
      return current
    },
    discard,
    close: async () => {
      const last = current
      current = null
      await last?.then((client) => client.end()).catch(() => {})
    }
  }
}

/** Gives every statement text a name, so that each connection parses and plans it once. */
function statementNames(): (statement: Statement) => pg.QueryConfig {
  const names = new Map<string, string>()
  return ({ text, values }) => {
    let name = names.get(text)
    if (!name) {
      name = `hub${names.size + 1}`
      names.set(text, name)
    }
    return { name, text, values: [...values] }
  }
}

function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError
}

/** SQLSTATE classes that say the server cannot serve now: connection, resources, operator intervention, system. */
const UNAVAILABLE = /^(08|53|57|58)/

function translate(error: unknown): unknown {
  if (error instanceof StorageUnavailable) return error
  if (isDatabaseError(error)) {
    const { code = '' } = error
    const refused = UNAVAILABLE.test(code) || code.startsWith('28') || code === '3D000'
    return refused ? new StorageUnavailable(`Postgres refused (${code}).`, { cause: error }) : error
  }
  // Whatever is not the server's own answer is the connection's: refused, reset, timed out, ended.
  return new StorageUnavailable('Postgres did not answer.', { cause: error })
}
