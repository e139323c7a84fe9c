import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { postgresDialect } from './postgres/dialect.js'
import { translate, translated } from './postgres/errors.js'
import { type NamedStatement, postgresWriter, sendTransaction } from './postgres/writer.js'
import { pulse } from './pulse.js'
import type { RawRow, SqlDriver, Statement } from './sql/dialect.js'
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
const READ_TIMEOUT_MS = 4000
/** Longer than reads have: a commit may delete everything in a large collection. */
const WRITE_TIMEOUT_MS = 12_000
/** Indexes of tens of millions of rows take minutes. */
const INDEX_TIMEOUT_MS = 3_600_000
const LOCK_RETRY_MS = 50
const CLOSE_TIMEOUT_MS = 2000

/**
 * Opens a Postgres database and proves that it answers. Throws `StorageUnavailable` when it does not, or when it is one
 * that cannot hold every text.
 */
export async function openPostgres(options: PostgresOptions, tables: readonly TableSpec[]): Promise<Storage> {
  const driver = postgresDriver(options)
  try {
    const [row] = await driver.query({ text: `SELECT current_setting('server_encoding') AS encoding`, values: [] })
    if (row?.encoding !== 'UTF8') {
      throw new StorageUnavailable(`The database has the encoding ${row?.encoding}, and the hub needs UTF8.`)
    }
  } catch (error) {
    await driver.close()
    throw error
  }
  return sqlStorage(driver, options.prefix, tables)
}

function postgresDriver({ host, port, user, password, database, prefix }: PostgresOptions): SqlDriver {
  const sockets = new Set<Socket>()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const config: pg.ClientConfig = {
    host,
    port,
    user,
    password,
    database,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'collections-hub',
    stream() {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    }
  }
  const readersOf = () => {
    const pool = new pg.Pool({ ...config, ...timeout(READ_TIMEOUT_MS), max: READERS_MAX })
    // An idle connection that dies is replaced at the next query; without a listener it would end the process.
    return pool.on('error', ignore)
  }
  let readers = readersOf()
  const writer = postgresWriter({ ...config, ...timeout(WRITE_TIMEOUT_MS) })
  const named = statementNames()
  const { during, stop } = pulse(
    (over) => signOfLife(config, over),
    () => {
      writer.forget()
      readers.end().catch(ignore)
      endAll()
      readers = readersOf()
    }
  )

  const query = async (statement: Statement): Promise<readonly RawRow[]> =>
    (await translated(during(() => readers.query<RawRow>(question(named(statement)))))).rows

  /** A connection that ends after `work`, and with it what was begun on it: a transaction, a lock. */
  const withClient = async <T>(work: (query: SqlDriver['query']) => Promise<T>): Promise<T> => {
    const client = await translated(
      during(
        () => readers.connect(),
        (late) => late.release(true)
      )
    )
    // The same for one that dies while it is ours.
    client.on('error', ignore)
    try {
      const ask = (statement: Statement) => client.query<RawRow>(question(named(statement)))
      return await work(async (statement) => (await translated(during(() => ask(statement)))).rows)
    } finally {
      client.release(true)
    }
  }

  return {
    dialect: postgresDialect,
    query,
    transaction(statements, guard) {
      const all = (guard ? [guard, ...statements] : statements).map(named)
      // Nobody waits for what has no guard, such as the building of read tables: it keeps its own, longer limit.
      return guard ? during(() => writer.transaction(all, true)) : writer.transaction(all, false)
    },
    async makeTables(statements) {
      await writer.transaction([lock(`${prefix}tables`), ...statements].map(named), false)
    },
    async makeIndexes(statements) {
      // A connection of its own: on the other one, the next transaction would wait behind it.
      const client = new pg.Client({ ...config, ...timeout(INDEX_TIMEOUT_MS) })
      client.on('error', ignore)
      try {
        await translated(client.connect())
        const all = [lock(`${prefix}indexes`), ...statements].map(named)
        const failure = await sendTransaction(client, new Set(), all)
        if (failure) throw translate(failure.reason)
      } finally {
        client.end().catch(ignore)
      }
    },
    session: (consistent, work) =>
      withClient(async (query) => {
        if (consistent) await query(sql('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'))
        return work(query)
      }),
    exclusively: (name, work) =>
      withClient(async (query) => {
        const lock = { text: 'SELECT pg_try_advisory_lock(hashtext($1)) AS held', values: [name] }
        while ((await query(lock))[0]?.held !== true) await setTimeout(LOCK_RETRY_MS)
        return work()
      }),
    hasTable: async (name) =>
      (await query({ text: 'SELECT to_regclass($1) IS NOT NULL AS present', values: [name] }))[0]?.present === true,
    async close() {
      stop()
      // A server that does not answer does not say goodbye either.
      await Promise.race([
        Promise.all([readers.end(), writer.close()]),
        setTimeout(CLOSE_TIMEOUT_MS, null, { ref: false })
      ])
      endAll()
    }
  }
}

/** Resolves when the server lets a connection in, or says why not. */
async function signOfLife(config: pg.ClientConfig, over: AbortSignal): Promise<void> {
  const socket = new Socket()
  const client = new pg.Client({ ...config, stream: () => socket })
  client.on('error', ignore)
  over.addEventListener('abort', () => socket.destroy(), { once: true })
  try {
    await client.connect()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  }
}

const ignore = () => {}

/** Waits for whoever has asked for the same before, until that transaction is over. */
const lock = (name: string): Statement => ({ text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [name] })

const sql = (text: string): Statement => ({ text, values: [] })

/** The server gives up; and where it cannot even do that, the client does. */
function timeout(limit_ms: number): pg.ClientConfig {
  return { statement_timeout: limit_ms, query_timeout: limit_ms }
}

/** Gives every statement text a name, so that each connection parses and plans it once. */
function statementNames(): (statement: Statement) => NamedStatement {
  const names = new Map<string, string>()
  return (statement) => {
    const name = names.get(statement.text) ?? `hub${names.size + 1}`
    names.set(statement.text, name)
    return { name, statement }
  }
}

/** What the client library takes to ask one. Without a name, it is planned for its values. */
function question({ name, statement: { text, values, isPlannedAnew } }: NamedStatement): pg.QueryConfig {
  return { ...(!isPlannedAnew && { name }), text, values: [...values] }
}
