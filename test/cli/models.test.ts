import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('models that are named and not offered')
let home: Home

/** A hub that offers one of the models that it names, and accounts that were granted others. */
test.before(async () => {
  home = await newHome()
  configure(1, ['gpt-6-luna', 'gpt-6.1-sol', 'claude-haiku-5-5'])
  await home.here('migrate')
  const user = async (name: string, ...models: readonly string[]) => {
    const granted = models.flatMap((id) => ['--llm-model', id])
    const { code, stderr } = await home.here(
      ...['user', 'create', '--name', name, '--role', 'user', '--llm-access', ...granted]
    )
    assert.is(code, 0, stderr)
  }
  await user('ada', 'gpt-6-luna', 'gpt-6.1-sol')
  await user('bob', 'gpt-6.1-sol')
  await user('eve', '*')
})

function configure(port: number, models: readonly string[]): void {
  const llm = { providers: { openai: { apiKey: 'sk-test', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 } }, models }
  const db = { driver: 'sqlite', path: 'data/hub.sqlite' }
  const config = { server: { host: '127.0.0.1', port }, db, redis: { driver: 'memory' }, llm }
  writeFileSync(join(home.path, 'server.yaml'), JSON.stringify(config), { mode: 0o600 })
}

const UNKNOWN = 'llm.models names gpt-0, which is not offered: the catalog does not have it.'
const GRANTED = 'gpt-6.1-sol is granted to 2 accounts, and is not offered.'
const WITHOUT = '1 account may use models, and none that is offered: see `hub user list`.'

test('are told by the check of the configuration', async () => {
  configure(1, ['gpt-6-luna', 'gpt-0'])
  const { stdout, stderr } = await home.here('config', 'check')
  assert.is(stderr, `Warning: ${UNKNOWN}\n`)
  assert.match(stdout, /server\.yaml: no problems, warnings: 1\.\n$/)
})

test('are told by the doctor, with those that accounts were granted', async () => {
  configure(1, ['gpt-6-luna', 'gpt-0'])
  const { stdout } = await home.here('doctor')
  for (const text of [UNKNOWN, GRANTED, WITHOUT]) assert.ok(stdout.includes(text), stdout)
  assert.match(stdout, /^warning +models /m)
})

test('are told in the log of a start', async () => {
  configure(await freePort(), ['gpt-6-luna', 'gpt-0'])
  const server = await home.start()
  for (const text of [UNKNOWN, GRANTED, WITHOUT]) assert.ok(server.stdout().includes(text), server.stdout())
  await server.stop()
})

test('are not told of where all are on offer', async () => {
  configure(1, ['gpt-6-luna', 'gpt-6.1-sol'])
  assert.is((await home.here('config', 'check')).stderr, '')
  assert.match((await home.here('doctor')).stdout, /^ok +models +What is granted is among the 2 models on offer\.$/m)
})

test.run()
