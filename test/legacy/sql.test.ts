import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { mysqlDatabase, postgresDatabase } from '../support/databases.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { filling } from './filled.js'
import { statements } from './fixture.js'
import { hardStatements, proveHardTakeover, proveHardTakeoverFrom, repairs } from './hard.js'
import { reported } from './reports.js'
import { proveTakeover } from './takeover.js'
import { proveWholeTakeover } from './whole.js'

/** An empty database for an older hub, as a `db` section has it, and a connection that fills it. */
interface Empty {
  readonly db: string
  readonly run: (text: string, values?: readonly unknown[]) => Promise<unknown>
  close(): Promise<void>
}

async function emptyPostgres(): Promise<Empty> {
  const database = await postgresDatabase('legacy')
  assert.ok(database)
  const client = new pg.Client(database.config)
  client.on('error', () => {})
  await client.connect()
  await client.query(`SET TIME ZONE 'UTC'`)
  const run: Empty['run'] = (text, values = []) => client.query(text, [...values])
  return { db: JSON.stringify(database.config), run, close: () => client.end() }
}

async function emptyMysql(): Promise<Empty> {
  const database = await mysqlDatabase('legacy')
  assert.ok(database)
  const { host, port, user, password, database: name } = database.config
  const connection = await mysql.createConnection({ host, port, user, password, database: name, timezone: 'Z' })
  await connection.query('ALTER DATABASE CHARACTER SET utf8mb4')
  const run: Empty['run'] = (text, values = []) => connection.query(text, [...values])
  return { db: JSON.stringify(database.config), run, close: () => connection.end() }
}

const postgresTypes = { time: 'timestamp', flag: 'boolean', text: 'text', yes: 'TRUE', no: 'FALSE', bytes: 'bytea' }
const mysqlTypes = { time: 'datetime NULL', flag: 'tinyint(1)', text: 'longtext', yes: '1', no: '0', bytes: 'longblob' }

/** What is read of a release is read alike from every database: the usual run tries each on one of them, and the newest on all. */
const newest = ['0.9.4'] as const
const every = ['0.5.4', ...newest] as const
const hardInPlace = ['in its own database', proveHardTakeover] as const
const hardFromAnother = ['from another database', proveHardTakeoverFrom] as const

for (const [name, service, types, placeholder, empty, hard, releases] of [
  ['Postgres', 'postgres', postgresTypes, (i: number) => `$${i}`, emptyPostgres, [hardInPlace, hardFromAnother], every],
  ['MySQL', 'mysql', mysqlTypes, () => '?', emptyMysql, isFull ? [hardInPlace] : [], isFull ? every : newest]
] as const) {
  const test = suite(`an older hub in ${name}`, { needs: [service] })

  for (const [where, prove] of hard)
    test(`with a bootstrap, names that are taken and a table that cannot be read is taken over once it is mended, ${where}`, async () => {
      const { db, run, close } = await empty()
      for (const statement of hardStatements(types)) await run(statement)
      await prove(db, async () => {
        for (const statement of repairs(types)) await run(statement)
      })
      await close()
    })

  test('is taken over by migrate: old tokens authenticate and every record reads as before', async () => {
    const { db, run, close } = await empty()
    for (const statement of statements(types)) await run(statement)
    await close()
    await proveTakeover({ db })
  })

  for (const release of releases)
    test(`of release ${release}, with every table and column filled, comes over whole, record by record`, async () => {
      const { db, run, close } = await empty()
      for (const { text, values } of filling(release, types, placeholder)) await run(text, values)
      await close()
      await proveWholeTakeover(release, db)
    })

  test.run()
}

const report = suite('the report of a takeover', { needs: ['postgres'] })

report('names the models that its accounts were granted and that are not offered here', async () => {
  const [{ db, run, close }, home] = [await emptyPostgres(), await newHome()]
  for (const statement of statements(postgresTypes)) await run(statement)
  await run(`UPDATE users SET llm_models = '["claude-3-5-sonnet-20241022"]' WHERE id = 'u-ann'`)
  await close()
  home.configure({ db })
  const llm = { providers: { openai: { apiKey: 'sk-test' } }, models: ['gpt-6-luna', 'gemini-1.5-pro'] }
  appendFileSync(join(home.path, 'server.yaml'), `\nllm: ${JSON.stringify(llm)}\n`)
  const models = [
    'llm.models names gemini-1.5-pro, which is not offered: the catalog does not have it.',
    'claude-3-5-sonnet-20241022 is granted to 1 account, and is not offered.',
    '1 account may use models, and none that is offered: see `hub user list`.'
  ]
  assert.equal(reported.parse(await home.json('migrate', '--dry-run')).models, models)
  const { stdout } = await home.here('migrate')
  for (const text of models) assert.ok(stdout.includes(`  models: ${text}\n`), stdout)
})

report.run()
