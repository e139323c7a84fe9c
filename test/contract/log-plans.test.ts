import pg from 'pg'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { postgresPlaces } from '../../src/storage/postgres/connection.js'
import { postgresDialect } from '../../src/storage/postgres/dialect.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { afterwards } from '../support/afterwards.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { askedFor } from './asked.js'
import { contractTables } from './tables.js'

const EVENTS = 60_000
const STREAMS = 64
/** The events of some streams, each of them with a thousand. */
const FILL = `INSERT INTO hub_log (position, stream, version, type, schema_version, at, command_id, actor_id, correlation_id, chain,
    who_commitment, payload, payload_commitment)
  SELECT n, 'thing-' || n % ${STREAMS}, n / ${STREAMS} + 1, CASE WHEN n < ${STREAMS} THEN 'Made' ELSE 'Changed' END, 1,
    '2026-01-01T00:00:00.000Z', 'command', 'ada', 'request', 'chain', 'who', repeat('x', 400), 'what'
  FROM generate_series(0, ${EVENTS - 1}) AS n`

const test = suite('plans of the log: postgres', { needs: ['postgres'] })

test('the newest events of many streams are found by indexes alone', async () => {
  const database = await postgresDatabase('plans')
  assert.ok(database)
  const { config } = database
  const storage = await openPostgres({ ...config, prefix: 'hub_' }, contractTables)
  const { user, password, host, port } = config
  const client = new pg.Client({ user, password, host, port, database: config.database })
  afterwards(() => storage.close())
  afterwards(() => client.end())
  await storage.schema.createTables()
  await client.connect()
  await client.query(FILL)
  await client.query('ANALYZE hub_log')
  const streams = Array.from({ length: STREAMS }, (_, i) => `thing-${i}`)
  const { text, values } = await askedFor(postgresDialect, (log) => log.lastOf(streams, ['Made', 'Changed'], EVENTS))
  const { rows } = await client.query(`EXPLAIN ${text}`, [...values])
  const plan = rows.map((row) => z.object({ 'QUERY PLAN': z.string() }).parse(row)['QUERY PLAN']).join('\n')
  assert.not.match(plan, 'Seq Scan')
  assert.is((await storage.lastOf(streams, ['Made', 'Changed'], EVENTS)).length, STREAMS)
})

test('a statement of a hub is never compiled by the server, which would take longer than running it', async () => {
  const database = await postgresDatabase('plans')
  assert.ok(database)
  const places = postgresPlaces(database.config)
  afterwards(() => places.endAll())
  const { client } = await places.connect({ limit_ms: 1_000 })
  assert.equal((await client.query('SHOW jit')).rows, [{ jit: 'off' }])
})

test.run()
