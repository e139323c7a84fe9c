import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { LiveHub } from '../../src/app/live.js'
import { migrateDatabase } from '../../src/app/start.js'
import { parseConfig } from '../../src/config/load.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('the keys that a hub makes where they are first needed, as it starts')
const PROVIDER = { id: 'company', name: 'Company', issuer: 'https://id.example.com', clientId: 'hub' }
const SECTIONS = {
  signIn: { keyFile: 'key', providers: [PROVIDER] },
  authorization: { keyFile: 'key' },
  webhooks: { keyFile: 'key' }
}

/** A hub that has one of these sections is to be opened: where it is, how, and what it logs. */
async function starting(section: keyof typeof SECTIONS) {
  const { path } = await temporaryDirectory()
  const others = { server: { host: '127.0.0.1', port: 1 }, redis: { driver: 'memory' } }
  const text = JSON.stringify({
    ...others,
    db: { driver: 'sqlite', path: 'hub.sqlite' },
    [section]: SECTIONS[section]
  })
  const load = () => parseConfig(text, 'server.yaml', path, {})
  await migrateDatabase(load().config)
  const lines: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  return { key: join(path, 'key'), open: () => LiveHub.open(load, () => logger), lines }
}

for (const section of ['signIn', 'authorization', 'webhooks'] as const) {
  test(`a hub whose ${section}.keyFile holds no key, or is none, does not start`, async () => {
    const { key, open } = await starting(section)
    const refusal = async () => open().then(() => 'started', String)
    writeFileSync(key, 'short', { mode: 0o600 })
    assert.match(await refusal(), /: The key of .*\/key must hold 32 bytes, and it holds 5\.$/)
    const other = await starting(section)
    mkdirSync(other.key)
    assert.match(
      await other.open().then(() => 'started', String),
      /: The key of .* cannot be read.*: .*\/key \(EISDIR\)$/
    )
  })

  test(`a hub whose ${section}.keyFile others can read starts, and says so`, async () => {
    const { key, open, lines } = await starting(section)
    writeFileSync(key, Buffer.alloc(32))
    chmodSync(key, 0o644)
    await (await open()).close()
    assert.equal(
      lines.map(({ level, msg, file, key }) => [level, msg, file, key]),
      [[40, 'a key can be read by others', key, `${section}.keyFile`]]
    )
  })
}

test('a key that is not there yet keeps no hub from starting, and is not made by that', async () => {
  for (const section of ['signIn', 'authorization'] as const) {
    const { key, open, lines } = await starting(section)
    await (await open()).close()
    assert.equal([existsSync(key), lines], [false, []])
  }
})

test.run()
