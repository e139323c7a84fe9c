import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { seal } from '../../src/log/chain.js'
import { sqliteDialect } from '../../src/storage/sqlite/dialect.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import type { LogFilter } from '../../src/storage/storage.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { askedFor } from './asked.js'
import { commitAfter } from './commits.js'
import { contractTables } from './tables.js'

const test = suite('indexes of the log: sqlite')
test('a search for one thing goes through its index, in order, from either end', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'hub.db')
  const storage = await openSqlite(file, 'hub_', contractTables)
  await storage.schema.createTables()
  const db = new Database(file)
  const planOf = async (filter: LogFilter, newestFirst: boolean) => {
    const within = { after: 5, through: 900 }
    const { text, values } = await askedFor(sqliteDialect, (log) => log.searchLog(filter, within, 50, newestFirst))
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
      const plan = await planOf(filter, newestFirst)
      assert.match(plan, `hub_log_${index}`)
      assert.not.match(plan, 'TEMP B-TREE')
    }
  }
  db.close()
  await storage.close()
})

test('headers of large events are read with their chain and without going through their texts', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'hub.db')
  const storage = await openSqlite(file, 'hub_', contractTables)
  await storage.schema.createTables()
  const payload = seal(JSON.stringify('x'.repeat(3 * 1024 * 1024)))
  const event = { actorId: 'ada', payload }
  for (let i = 0; i < 4; i++) await storage.commit(commitAfter(await storage.head(), [event, event]))
  const found = await storage.readHeaders(0, 8)
  assert.equal(
    found.map(({ position }) => position),
    [1, 2, 3, 4, 5, 6, 7, 8]
  )
  assert.equal(found.at(-1)?.chain, (await storage.head()).chain)
  // To get at a column SQLite goes through all that stand in front of it, but not to learn how long one is.
  const db = new Database(file)
  const columns = z.array(z.object({ name: z.string() })).parse(db.prepare('PRAGMA table_info(hub_log)').all())
  const names = columns.map(({ name }) => name)
  const { text } = await askedFor(sqliteDialect, (log) => log.readHeaders(0, 8))
  const read = text.replace(/octet_length\(\w+\)/g, '')
  for (const name of names.slice(names.indexOf('payload'))) assert.not.match(read, new RegExp(`\\b${name}\\b`))
  db.close()
  await storage.close()
})

test.run()
