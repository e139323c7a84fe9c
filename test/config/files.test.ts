import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import * as assert from 'uvu/assert'
import { firstConfig, writeFirstConfig } from '../../src/config/first.js'
import { loadConfig } from '../../src/config/load.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { parse, parseText, refused } from './parsing.js'

const test = suite('config files')

// From dist/test/config to the root of the project.
const example = new URL('../../../server.yaml.example', import.meta.url)

test('a file is read, and its relative paths start at its directory', async () => {
  const { path: directory } = await temporaryDirectory()
  const path = join(directory, 'server.yaml')
  writeFileSync(path, firstConfig())
  const { db } = loadConfig(path, {}).config
  assert.is(db.driver === 'sqlite' && db.path, join(directory, 'data', 'hub.sqlite'))
})

test('a problem is told with the path as it was given', async () => {
  const { path: directory } = await temporaryDirectory()
  const path = join(directory, 'other.yaml')
  writeFileSync(path, 'server: {port: 1}')
  assert.ok(refused(() => loadConfig(path, {})).message.startsWith(`${path}:1: server.host: `))
})

test('a missing or unreadable file is refused with its path', async () => {
  const { path: directory } = await temporaryDirectory()
  assert.is(refused(() => loadConfig('./no/server.yaml', {})).message, 'Config file not found: ./no/server.yaml')
  assert.is(refused(() => loadConfig(directory, {})).message, `Config file cannot be read: ${directory} (EISDIR)`)
})

test('a file that is longer than any configuration is refused without being read', async () => {
  const { path: directory } = await temporaryDirectory()
  const path = join(directory, 'server.yaml')
  writeFileSync(path, firstConfig())
  truncateSync(path, 16 * 1024 * 1024 + 1)
  const { message } = refused(() => loadConfig(path, {}))
  assert.is(message, `Config file cannot be read: ${path} is longer than 16777216 bytes`)
})

test('the raw sections are equal after a reload that changed nothing in them', () => {
  const before = parse({ redis: `redis: {driver: memory, maxFailures: "\${N:-10}"}` }).raw
  const after = parse({ redis: 'redis:\n  # moved\n  maxFailures: "10"\n  driver: memory', docs: 'docs: {}' }).raw
  assert.ok(isDeepStrictEqual(before.redis, after.redis))
  assert.not.ok(isDeepStrictEqual(before.docs, after.docs))
})

test('the first configuration is valid and needs no other server', () => {
  const { server, db, redis } = parseText(firstConfig()).config
  assert.equal([server.host, server.port], ['127.0.0.1', 8787])
  assert.equal(db, { driver: 'sqlite', path: '/etc/hub/data/hub.sqlite', prefix: 'hub_' })
  assert.is(redis.driver, 'memory')
})

test('the first configuration is for its owner only and replaces no file', async () => {
  const { path: directory } = await temporaryDirectory()
  const path = join(directory, 'server.yaml')
  writeFirstConfig(path)
  assert.is(statSync(path).mode & 0o777, 0o600)
  chmodSync(path, 0o640)
  writeFileSync(path, 'mine')
  assert.throws(() => writeFirstConfig(path), /EEXIST/)
  assert.is(readFileSync(path, 'utf8'), 'mine')
})

test('the example file parses and states the defaults', () => {
  const { config } = parseText(readFileSync(example, 'utf8'))
  assert.equal(
    JSON.parse(JSON.stringify(config)),
    JSON.parse(JSON.stringify(parse({ db: 'db: {driver: sqlite, path: data/hub.sqlite}' }).config))
  )
})

test('every setting that the example comments out is valid once it is in force', () => {
  const text = readFileSync(example, 'utf8')
    .replaceAll(/^( +)#(?=\w)/gm, '$1')
    // Some file that is there.
    .replaceAll('/run/secrets/sign-in', fileURLToPath(import.meta.url))
  const blocks = [...text.matchAll(/^#(\w+):\n(?:#.*\n)*/gm)]
  const sections =
    'db db db db db db db redis redis redis redis llm signIn authorization collaboration storage storage webhooks tenants'
  assert.is(blocks.map(([, section]) => section).join(' '), sections)
  const env = {
    DB_PASSWORD: 'p',
    REDIS_PASSWORD: 'r',
    OPENAI_API_KEY: 'o',
    CLAUDE_API_KEY: 'c',
    SIGN_IN_SECRET: 's',
    GEMINI_API_KEY: 'g',
    TICKETS_TOKEN: 't',
    WITNESS_TOKEN: 'w',
    METRICS_TOKEN: 'sixteen-characters',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 's'
  }
  for (const [block, section] of blocks) {
    const others = text.replace(new RegExp(`^${section}:\n(?: .*\n)*`, 'm'), '')
    // The files of certificates are read, and are not there.
    const inForce = block.replaceAll(/^#/gm, '').replaceAll(/^ {4}(?:ca|cert|key): .*\n/gm, '')
    const { config } = parseText(`${others}\n${inForce}`, env)
    assert.ok(config.docs.searchIndexPath)
    assert.is(section === 'llm', config.llm !== undefined)
  }
})

test.run()
