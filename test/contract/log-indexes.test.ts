import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { seal } from '../../src/log/chain.js'
import { connect } from '../../src/storage/mysql/connection.js'
import { openMysql } from '../../src/storage/mysql.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { logStatements } from '../../src/storage/sql/log.js'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import type { LogFilter, Storage } from '../../src/storage/storage.js'
import { mysqlDatabase, postgresDatabase, temporaryDirectory } from '../support/databases.js'
import { type Suite, suite } from '../support/suite.js'
import { commitAfter } from './commits.js'
import { contractTables } from './tables.js'

const INDEXES = ['by_actor', 'by_address', 'by_stream', 'by_token', 'by_type']

/** A database that is set up, and what its log has of indexes. */
interface Indexed {
  readonly storage: Storage
  readonly names: () => Promise<readonly string[]>
  readonly run: (text: string) => Promise<unknown>
  readonly drop: (index: string) => string
  readonly remove: () => Promise<unknown>
}

const onSqlite = suite('indexes of the log: sqlite')
onSqlite('a search for one thing goes through its index, in order, from either end', async () => {
  const { path, remove } = await temporaryDirectory()
  const file = join(path, 'hub.db')
  const storage = await openSqlite(file, 'hub_', contractTables)
  await storage.schema.createTables()
  const db = new Database(file)
  const statements = logStatements(sqliteDialect, 'hub_')
  const planOf = (filter: LogFilter, newestFirst: boolean) => {
    const { text, values } = statements.search(filter, { after: 5, through: 900 }, 50, newestFirst)
    const rows: unknown[] = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values)
    return JSON.stringify(rows)
  }
  const filters: readonly (readonly [string, LogFilter])[] = [
    ['by_actor', { actorId: 'ada' }],
    ['by_token', { tokenId: 't1' }],
    ['by_type', { types: ['Made'] }],
    ['by_address', { address: '10.0.0.1' }],
    ['by_stream', { streams: ['thing-a'] }]
  ]
  for (const [index, filter] of filters) {
    for (const newestFirst of [true, false]) {
      const plan = planOf(filter, newestFirst)
      assert.match(plan, `hub_log_${index}`)
      assert.not.match(plan, 'TEMP B-TREE')
    }
  }
  db.close()
  await storage.close()
  await remove()
})

onSqlite(
  'headers of large events with their chain are read in pieces, between which others get their turn',
  async () => {
    const { path, remove } = await temporaryDirectory()
    const storage = await openSqlite(join(path, 'hub.db'), 'hub_', contractTables)
    await storage.schema.createTables()
    const payload = seal(JSON.stringify('x'.repeat(3 * 1024 * 1024)))
    const event = { actorId: 'ada', payload }
    for (let i = 0; i < 4; i++) await storage.commit(commitAfter(await storage.head(), [event, event]))
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const found = await storage.readHeaders(0, 8)
    clearInterval(counting)
    assert.equal(
      found.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6, 7, 8]
    )
    assert.ok(turns > 1, `${turns} turns`)
    await storage.close()
    await remove()
  }
)

indexesAreMade(onSqlite, async () => {
  const { path, remove } = await temporaryDirectory()
  const file = join(path, 'hub.db')
  const storage = await openSqlite(file, 'hub_', contractTables)
  const db = new Database(file)
  return {
    storage,
    names: async () =>
      db
        .prepare(`SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'hub_log_by%'`)
        .all()
        .map((row: unknown) => nameIn(row)),
    run: async (text) => db.exec(text),
    drop: (index) => `DROP INDEX hub_log_${index}`,
    async remove() {
      db.close()
      await remove()
    }
  }
})
onSqlite.run()

const onPostgres = suite('indexes of the log: postgres', { needs: ['postgres'] })
indexesAreMade(onPostgres, async () => {
  const database = await postgresDatabase('logindexes')
  if (!database) throw new Error('There is no Postgres.')
  const client = new pg.Client(database.config)
  await client.connect()
  return {
    storage: await openPostgres(database.config, contractTables),
    names: async () =>
      (await client.query(`SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE '%log_by%'`)).rows.map(nameIn),
    run: (text) => client.query(text),
    drop: (index) => `DROP INDEX hub_log_${index}`,
    async remove() {
      await client.end()
      await database.drop()
    }
  }
})
onPostgres.run()

const onMysql = suite('indexes of the log: mysql', { needs: ['mysql'] })
indexesAreMade(onMysql, async () => {
  const database = await mysqlDatabase('logindexes')
  if (!database) throw new Error('There is no MySQL.')
  const connection = await connect(database.config, {
    isolation: 'READ COMMITTED',
    isMultiple: false,
    limit_ms: 10_000
  })
  const names = `SELECT DISTINCT index_name AS name FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'hub_log' AND index_name LIKE 'by%'`
  return {
    storage: await openMysql(database.config, contractTables),
    names: async () => (await connection.query({ text: names, values: [] })).map(nameIn),
    run: (text) => connection.run(text),
    drop: (index) => `DROP INDEX ${index} ON hub_log`,
    async remove() {
      await connection.close()
      await database.drop()
    }
  }
})
onMysql.run()

function indexesAreMade(test: Suite, open: () => Promise<Indexed>): void {
  test('a log that an earlier version has set up gets what it lacks, and is searched as before', async () => {
    const { storage, names, run, drop, remove } = await open()
    try {
      await storage.schema.createTables()
      const all = (await names()).toSorted()
      assert.equal(
        all.map((name) => name.replace('hub_log_', '')),
        INDEXES
      )
      const who = seal(JSON.stringify({ address: '10.0.0.1', name: 'Ada' }))
      await storage.commit(commitAfter(await storage.head(), [{ who }, { actorId: 'ada' }]))
      for (const index of INDEXES) if (!['by_stream', 'by_token'].includes(index)) await run(drop(index))
      assert.is((await names()).length, 2)
      for (const _ of ['once', 'twice']) {
        await storage.schema.indexLog()
        assert.equal((await names()).toSorted(), all)
        const within = { after: 0, through: 2 }
        assert.is((await storage.searchLog({ address: '10.0.0.1' }, within, 9, true))[0]?.position, 1)
        assert.is((await storage.searchLog({ actorId: 'ada' }, within, 9, true))[0]?.position, 2)
      }
    } finally {
      await storage.close()
      await remove()
    }
  })
}

function nameIn(row: unknown): string {
  return typeof row === 'object' && row !== null && 'name' in row ? String(row.name) : ''
}
