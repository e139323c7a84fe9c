import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { newHome } from '../cli/support.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { statements } from './fixture.js'
import { hardStatements, proveHardTakeover, proveHardTakeoverFrom, repairs } from './hard.js'
import { reported } from './reports.js'
import { proveTakeover } from './takeover.js'

const test = suite('an older hub in Postgres', { needs: ['postgres'] })

const types = { time: 'timestamp', flag: 'boolean', text: 'text', yes: 'TRUE', no: 'FALSE' }

for (const [where, prove] of [
  ['in its own database', proveHardTakeover],
  ['from another database', proveHardTakeoverFrom]
] as const) {
  test(`with a bootstrap, names that are taken and a table that cannot be read is taken over once it is mended, ${where}`, async () => {
    const database = await postgresDatabase('legacy')
    assert.ok(database)
    const client = new pg.Client(database.config)
    await client.connect()
    client.on('error', () => {})
    for (const statement of hardStatements(types)) await client.query(statement)
    await prove(JSON.stringify(database.config), async () => {
      for (const statement of repairs(types)) await client.query(statement)
    })
    await client.end()
  })
}

test('is taken over by migrate: old tokens authenticate and every record reads as before', async () => {
  const database = await postgresDatabase('legacy')
  assert.ok(database)
  const client = new pg.Client(database.config)
  await client.connect()
  for (const statement of statements(types)) await client.query(statement)
  await client.end()
  await proveTakeover({ db: JSON.stringify(database.config) })
})

test('the report names the models that its accounts were granted and that are not offered here', async () => {
  const database = await postgresDatabase('legacy')
  assert.ok(database)
  const home = await newHome()
  const client = new pg.Client(database.config)
  await client.connect()
  for (const statement of statements(types)) await client.query(statement)
  await client.query(`UPDATE users SET llm_models = '["claude-3-5-sonnet-20241022"]' WHERE id = 'u-ann'`)
  await client.end()
  home.configure({ db: JSON.stringify(database.config) })
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

test.run()
