import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { PostgresConfig } from '../config/types.js'
import { postgresPlaces } from './postgres/connection.js'
import { isAnswer, isReadOnly, postgresDialect, translated } from './postgres/dialect.js'
import { type NamedStatement, postgresWriter } from './postgres/writer.js'
import { pulse } from './pulse.js'
import type { RawRow, SqlDriver, Statement } from './sql/dialect.js'
import { type Reader, sharedReaders } from './sql/readers.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

/** How much longer than reads writes have: a commit may delete everything in a large collection. */
const WRITE_TIMES = 3
/** A process that holds the head and does not go on for so long is taken for gone: others wait for it. */
const IDLE_MS = 10_000
const LOCK_RETRY_MS = 50
const CLOSE_TIMEOUT_MS = 2000

/**
 * Opens a Postgres database and proves that it answers. Throws `StorageUnavailable` when it does not, or when it is one
 * that cannot hold every text.
 */
export async function openPostgres(server: PostgresConfig, tables: readonly TableSpec[]): Promise<Storage> {
  const driver = postgresDriver(server)
  try {
    const [row] = await driver.query({ text: `SELECT current_setting('server_encoding') AS encoding`, values: [] })
    if (row?.encoding !== 'UTF8') {
      throw new StorageUnavailable(`The database has the encoding ${row?.encoding}, and the hub needs UTF8.`)
    }
  } catch (error) {
    await driver.close()
    throw error
  }
  return sqlStorage(driver, server.prefix, tables)
}

function postgresDriver(server: PostgresConfig): SqlDriver {
  const {
    prefix,
    poolSize: most,
    connectTimeoutMs,
    otherHosts = [],
    targetSessionAttrs,
    statementTimeoutMs: limit_ms
  } = server
  const places = postgresPlaces(server)
  const connect_ms = connectTimeoutMs * (1 + otherHosts.length)
  const readersOf = () =>
    sharedReaders(async () => reader(await places.connect(limit_ms)), { most, connect_ms, server: 'Postgres' })
  let readers = readersOf()
  const writer = postgresWriter(() => places.connect(WRITE_TIMES * limit_ms, IDLE_MS))
  const named = statementNames()
  /** What the client library takes to ask one. Without a name, it is planned for its values, and not kept. */
  const question = (statement: Statement): pg.QueryConfig => {
    const { text, values, isPlannedAnew } = statement
    return { ...(!isPlannedAnew && { name: named(statement).name }), text, values: [...values] }
  }
  const renew = () => {
    writer.forget()
    readers.destroy()
    places.endAll()
    readers = readersOf()
  }
  const { during, stop } = pulse((over) => places.signOfLife(over), renew)

  const orRenew = <T>(outcome: Promise<T>): Promise<T> =>
    outcome.catch((error: unknown) => {
      // It took writes when the connections were made: somebody else does now, and knows more than those who read here.
      if (targetSessionAttrs === 'read-write' && isReadOnly(error)) renew()
      throw error
    })

  const query = (statement: Statement): Promise<readonly RawRow[]> =>
    translated(during(() => readers.use((one) => one.query(question(statement)))))

  /** A connection that ends after `work`, and with it what was begun on it: a transaction, a lock. */
  const withClient = async <T>(work: (query: SqlDriver['query']) => Promise<T>): Promise<T> => {
    const open = () => places.connect(limit_ms).then(reader)
    const client = await translated(during(open, (late) => late.destroy()))
    try {
      return await work((statement) => translated(during(() => client.query(question(statement)))))
    } finally {
      client.destroy()
    }
  }

  return {
    dialect: postgresDialect,
    query,
    transaction(statements, guard) {
      const all = (guard ? [guard, ...statements] : statements).map(named)
      // Nobody waits for what has no guard, such as the building of read tables: it keeps its own, longer limit.
      return orRenew(guard ? during(() => writer.transaction(all, true)) : writer.transaction(all, false))
    },
    locked: (lock, work) =>
      orRenew(
        writer.locked(
          lock,
          async (rows) => {
            const ending = await work(rows)
            return ending && [ending.guard, ...ending.statements].map(named)
          },
          during
        )
      ),
    async makeTables(statements) {
      await writer.transaction([lock(`${prefix}tables`), ...statements].map(named), false)
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
    pool: () => ({ backend: 'postgres', ...readers.counts(), max: most }),
    async close() {
      stop()
      // A server that does not answer does not say goodbye either.
      await Promise.race([
        Promise.all([readers.close(), writer.close()]),
        setTimeout(CLOSE_TIMEOUT_MS, null, { ref: false })
      ])
      places.endAll()
    }
  }
}

interface PostgresReader extends Reader {
  query(question: pg.QueryConfig): Promise<readonly RawRow[]>
}

/** A connection to share. One that did not answer a question is ended: the answer may still come. */
function reader(client: pg.Client): PostgresReader {
  let isOpen = true
  const destroy = () => {
    isOpen = false
    client.connection.stream.destroy()
  }
  client.on('end', () => {
    isOpen = false
  })
  return {
    get isOpen() {
      return isOpen
    },
    async query(question) {
      try {
        return (await client.query<RawRow>(question)).rows
      } catch (error) {
        if (!isAnswer(error)) destroy()
        throw error
      }
    },
    async close() {
      isOpen = false
      await client.end()
    },
    destroy
  }
}

/** Waits for whoever has asked for the same before, until that transaction is over. */
const lock = (name: string): Statement => ({ text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [name] })

const sql = (text: string): Statement => ({ text, values: [] })

/** Gives every statement text a name, so that each connection parses and plans it once. */
function statementNames(): (statement: Statement) => NamedStatement {
  const names = new Map<string, string>()
  return (statement) => {
    const name = names.get(statement.text) ?? `hub${names.size + 1}`
    names.set(statement.text, name)
    return { name, statement }
  }
}
