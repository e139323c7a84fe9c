import { setTimeout } from 'node:timers/promises'
import type { PostgresConfig } from '../config/types.js'
import { remembered } from '../lib/remembered.js'
import { postgresCircumstances } from './postgres/circumstances.js'
import { postgresPlaces } from './postgres/connection.js'
import { isReadOnly, postgresDialect, translate } from './postgres/dialect.js'
import { postgresGrants } from './postgres/grants.js'
import { postgresSession } from './postgres/session.js'
import type { SqlDriver, Statement } from './sql/dialect.js'
import { sqlServer } from './sql/server.js'
import { sqlStorage } from './sql/storage.js'
import { type Storage, StorageUnavailable, type TableSpec } from './storage.js'

const LOCK_RETRY_MS = 50

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
  const { prefix, poolSize: most, connectTimeoutMs, otherHosts = [], statementTimeoutMs: limit_ms } = server
  const places = postgresPlaces(server)
  let named = 0
  let isPooled = false
  /** Every statement text has a name. */
  const nameOf = remembered((_text: string) => `hub${++named}`)
  const link = sqlServer({
    backend: 'postgres',
    most,
    connect_ms: connectTimeoutMs * (1 + otherHosts.length),
    limit_ms,
    async open(_what, limit_ms) {
      const connected = await places.connect({ limit_ms })
      isPooled = connected.isPooled
      return postgresSession(connected, nameOf)
    },
    signOfLife: places.signOfLife,
    translate,
    // It took writes when the connections were made: somebody else does now, and knows more than those who read here.
    isMoved: (error) => server.targetSessionAttrs === 'read-write' && isReadOnly(error),
    endAll: places.endAll
  })
  const { query, transaction } = link
  return {
    ...link,
    dialect: postgresDialect,
    timeline: places.timeline,
    notBefore(timeline) {
      if (places.learnTimeline(timeline)) link.renew()
    },
    grants: (granting) => postgresGrants(server, granting),
    circumstances: () => postgresCircumstances(query, isPooled),
    async makeTables(statements) {
      await transaction([lock(`${prefix}tables`), ...statements])
    },
    exclusively: (name, work, signal) =>
      link.session(false, async (ask) => {
        // Of a transaction, which a pooler leaves together, and which is idle for as long as the work takes.
        for (const text of ['BEGIN', 'SET LOCAL idle_in_transaction_session_timeout = 0'])
          await ask({ text, values: [] })
        const lock = { text: 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS held', values: [name] }
        while ((await ask(lock))[0]?.held !== true) {
          await setTimeout(LOCK_RETRY_MS)
          signal?.throwIfAborted()
        }
        return work()
      }),
    hasTable: async (name) =>
      (await query({ text: 'SELECT to_regclass($1) IS NOT NULL AS present', values: [name] }))[0]?.present === true
  }
}

/** Waits for whoever has asked for the same before, until that transaction is over. */
const lock = (name: string): Statement => ({ text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [name] })
