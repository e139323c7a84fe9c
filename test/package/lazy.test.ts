import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { sqlite } from '../http/drivers.js'
import { startHub } from '../http/support.js'
import { suite } from '../support/suite.js'

const test = suite('loading of dependencies')
const DIST = new URL('../../', import.meta.url)

/** What only some hubs use. */
const CLIENTS = [
  ...['@google-cloud/firestore', 'ioredis', 'libsql', 'mysql2', 'pg'],
  ...['@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'aws4fetch', 'openai', 'undici']
]

/** The packages that modules need to be loaded, by their imports and those of what they import. */
function packagesOf(...entries: readonly string[]): readonly string[] {
  const modules = new Set(entries.map((entry) => new URL(entry, DIST).href))
  const packages = new Set<string>()
  for (const module of modules) {
    const url = new URL(module)
    assert.ok(existsSync(url), module)
    for (const [, name = ''] of readFileSync(url, 'utf8').matchAll(
      /^(?:import|export)\b[^'"=(;]*?['"]([^'"]+)['"]/gm
    )) {
      if (name.startsWith('.')) modules.add(new URL(name, url).href)
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    }
  }
  return [...packages].toSorted()
}

const clientsOf = (...entries: readonly string[]) => packagesOf(...entries).filter((name) => CLIENTS.includes(name))

test('the version is told without any command being loaded', () => {
  const packages = packagesOf('cli/process.js')
  assert.not.ok(packages.includes('clipanion') || packages.includes('fastify'), packages.join())
  assert.ok(packagesOf('cli/commands.js').includes('clipanion'))
})

test('a hub on SQLite loads no client of another database, of Redis, of a model or of tool servers', () => {
  const started = ['cli/process.js', 'cli/commands.js', 'cli/lib/help.js', 'cli/hub/serve.js', 'src/storage/sqlite.js']
  assert.ok(packagesOf(...started).includes('fastify'))
  assert.equal(clientsOf(...started), ['libsql'])
})

test('a hub on SQLite that was installed loads no more than that either', () => {
  const names = readdirSync(new URL('bin', DIST))
  const started = ['process', 'commands', 'help', 'serve', 'sqlite'].flatMap((name) => {
    const files = names.filter((file) => file.startsWith(`${name}-`))
    assert.ok(files.length > 0, name)
    return files.map((file) => `bin/${file}`)
  })
  assert.ok(packagesOf(...started).includes('fastify'))
  assert.equal(clientsOf(...started), ['libsql'])
})

test('what reads and writes files of other tools is loaded in the threads that do it', () => {
  assert.not.ok(packagesOf('cli/commands.js', 'cli/hub/serve.js').includes('fflate'))
  for (const thread of ['import/reader', 'export/writer'])
    assert.ok(packagesOf(`src/records/${thread}.js`).includes('fflate'), thread)
})

for (const [what, module, own] of [
  ['Postgres', 'src/storage/postgres.js', ['pg']],
  ['MySQL', 'src/storage/mysql.js', ['mysql2']],
  ['Firestore', 'src/storage/firestore.js', ['@google-cloud/firestore']],
  ['a bucket', 'src/storage/s3.js', ['aws4fetch', 'undici']],
  ['Redis', 'src/throttle/redis.js', ['ioredis']],
  ['agents', 'src/agents/server.js', ['@modelcontextprotocol/sdk']],
  ['tool servers', 'src/llm/mcp/connection.js', ['@modelcontextprotocol/sdk', 'undici']]
] as const) {
  test(`what ${what} needs is loaded by ${module}, and by nothing that a hub without it loads`, () => {
    assert.equal(clientsOf(module), own)
  })
}

for (const [name, module] of [
  ['openai', 'src/llm/openai.js'],
  ['@anthropic-ai/sdk', 'src/llm/anthropic.js']
] as const) {
  test(`${name} is loaded with its first use`, () => {
    assert.not.ok(packagesOf(module).includes(name))
    assert.ok(readFileSync(new URL(module, DIST), 'utf8').includes(`import('${name}')`))
  })
}

test('a hub that serves has loaded no compiler of schemas', async () => {
  const hub = await startHub(sqlite)
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  await hub.close()
  assert.ok(loaded.some((path) => path.includes('/fastify/')))
  assert.equal(
    loaded.filter((path) => /fastify\/(ajv|fast-json-stringify)-compiler/.test(path)),
    []
  )
})

test.run()
