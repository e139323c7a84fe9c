import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { variableOf } from '../../src/config/environment.js'
import { knownKeys } from '../../src/config/knownKeys.js'
import { parseConfig } from '../../src/config/load.js'
import { hubSchema } from '../../src/config/schema.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { assertRefused, complaints, parse, refused, valid } from './parsing.js'

const test = suite('config from the environment')

// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference that is interpolated looks like this
const postgres = 'db: {driver: postgres, host: h, port: 1, user: u, password: "${NOT_THERE}", database: d}'

test('a variable wins over the file, and is read as the schema says', () => {
  const { config, raw } = parse(
    { db: postgres },
    {
      HUB_DB_PASSWORD: 'from env',
      HUB_SERVER_PORT: '99',
      HUB_LOGGING_CONSOLE: 'false',
      HUB_SERVER_PUBLIC_URL: 'https://h/'
    }
  )
  assert.is(config.db.driver === 'postgres' && config.db.password, 'from env')
  assert.equal([config.server.port, config.server.publicUrl], [99, 'https://h'])
  assert.is(config.logging.console, false)
  assert.equal(raw.server, { host: '127.0.0.1', port: '99', publicUrl: 'https://h/' })
})

test('a variable makes the sections that its key stands in', () => {
  const { config } = parse({}, { HUB_LLM_PROVIDERS_OPENAI_API_KEY: 'k', HUB_AUDIT_WITNESS_URL: 'https://w.example' })
  assert.is(config.llm?.providers.openai?.apiKey, 'k')
  assert.is(config.audit.witness?.url, 'https://w.example')
})

test('an empty variable counts as unset', () => {
  assert.is(parse({}, { HUB_SERVER_PORT: '', HUB_DB_PATH_FILE: '' }).config.server.port, 8787)
})

test('what a variable holds is told with its name, and never quoted', () => {
  const error = refused(() =>
    parse({ db: postgres }, { HUB_DB_PORT: 'hunter2', HUB_DB_PASSWORD: 'x', HUB_DB_PATH: 'y' })
  )
  assert.is(
    error.message,
    [
      'HUB_DB_PORT: db.port: Postgres port must be an integer between 1 and 65535.',
      'HUB_DB_PATH: db.path: Unknown key. Known here: driver, url, host, port, user, password, database, hosts, tls, poolSize, connectTimeoutMs, statementTimeoutMs, targetSessionAttrs, prefix, searchDirectory.'
    ].join('\n')
  )
})

test('a file that a variable names is read, without the line break at its end', async () => {
  const { path: directory } = await temporaryDirectory()
  const text = [valid.server, postgres, valid.redis].join('\n')
  const password = (env: Record<string, string>) => {
    const { db } = parseConfig(text, 'server.yaml', directory, env).config
    return db.driver === 'postgres' && db.password
  }
  for (const [content, read] of [
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    [' two\nlines\n\n', ' two\nlines\n']
  ] as const) {
    writeFileSync(join(directory, 'secret'), content)
    assert.is(password({ HUB_DB_PASSWORD_FILE: join(directory, 'secret') }), read)
    assert.is(password({ HUB_DB_PASSWORD_FILE: 'secret' }), read)
  }
  assertRefused(
    () => password({ HUB_DB_PASSWORD_FILE: 'none' }),
    [`db.password: The file ${join(directory, 'none')} cannot be read (ENOENT).`]
  )
  writeFileSync(join(directory, 'secret'), 'x'.repeat(1024 * 1024 + 1))
  assert.match(complaints(() => password({ HUB_DB_PASSWORD_FILE: 'secret' }))[0] ?? '', 'is longer than 1048576 bytes')
})

test('both forms of a variable at once are refused', () => {
  const error = refused(() => parse({ db: postgres }, { HUB_DB_PASSWORD: 'a', HUB_DB_PASSWORD_FILE: '/b' }))
  assert.is(error.message, 'HUB_DB_PASSWORD_FILE: db.password: HUB_DB_PASSWORD is set too: keep one of the two.')
})

test('a name that no key has is a warning with the nearest one, but for those that others set', () => {
  const { warnings } = parse(
    {},
    {
      HUB_DB_PAHT: 'x',
      HUB_SERVER_TRUSTED_PROXIES: '::1',
      HUB_COLOUR: 'red',
      HUB_TEST_POSTGRES_URL: 'x',
      HUB_LIMITS_SCALE: '1',
      HUB_URL: 'http://x',
      HUB_DB_SERVICE_HOST: '10.0.0.1',
      HUB_DB_PORT: 'tcp://10.0.0.1:5432',
      HUB_DB_PORT_5432_TCP_ADDR: '10.0.0.1',
      HUBRIS: 'x'
    }
  )
  assert.equal(warnings, [
    'HUB_COLOUR: No key has this name.',
    'HUB_DB_PAHT: No key has this name. Did you mean HUB_DB_PATH?',
    'HUB_SERVER_TRUSTED_PROXIES: server.trustedProxies is a list or a mapping: it can only stand in the file.'
  ])
})

test('a name that the file itself refers to is no mistake', () => {
  const db = postgres.replace('NOT_THERE', 'HUB_SECRET')
  const { config, warnings } = parse({ db }, { HUB_SECRET: 's' })
  assert.is(config.db.driver === 'postgres' && config.db.password, 's')
  assert.equal(warnings, [])
})

test('no two keys share a variable, nor one with the file of another', () => {
  const names = knownKeys(hubSchema('.')).map(({ path }) => variableOf(path))
  assert.is(new Set(names).size, names.length)
  assert.ok(names.length > 40)
  for (const name of names) assert.not.ok(names.includes(`${name}_FILE`), name)
})

test.run()
