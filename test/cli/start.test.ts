import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { ensureFirstAdmin } from '../../src/app/start.js'
import { loadConfig } from '../../src/config/load.js'
import { serverUrl } from '../../src/net/serverUrl.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstSecret, firstSteps, type Home, newHome } from './support.js'

const shell = promisify(execFile)
const test = suite('hub start')
let home: Home
let port: number

test.before.each(async () => {
  home = await newHome()
  port = await freePort()
})

const session = (secret = '') =>
  fetch(`http://127.0.0.1:${port}/auth/session`, { headers: { authorization: `Bearer ${secret}` } })

/** Takes a port, as soon as nobody else has it. */
async function listenAt(wanted: number): Promise<Server> {
  for (;;) {
    const server = createServer().listen(wanted, '127.0.0.1')
    const isOurs = await once(server, 'listening').then(
      () => true,
      () => false
    )
    if (isOurs) return server
    await sleep(50)
  }
}

test('a database that may not be looked at is not told as one that is not there', async () => {
  home.configure({ port, db: '{driver: sqlite, path: loop/hub.sqlite}' })
  symlinkSync('loop', join(home.path, 'loop'))
  for (const words of [['start'], ['user', 'list']])
    assert.match((await home.here(...words)).stderr, /^The database file cannot be opened: ELOOP/)
})

test('a first start that finds its port taken has used nothing up: the next one is the first', async () => {
  const taken = await listenAt(8787)
  const failed = await home.hub('start', '--init')
  taken.close()
  assert.equal(failed, {
    code: 1,
    stdout: 'Wrote server.yaml.\nDatabase migration completed successfully.\n',
    stderr: 'Port 8787 on 127.0.0.1 is already in use. Stop what listens there, or change server.port.\n'
  })
  const path = join(home.path, 'server.yaml')
  writeFileSync(path, readFileSync(path, 'utf8').replace('8787', String(port)))
  const server = await home.start(['start', '--init'], 'First collection')
  assert.ok(firstSecret(server))
  await server.stop()
})

test('a first start shows a token once and what to try, which works when it is pasted', async () => {
  home.configure({ port })
  const server = await home.start(['start', '--init'], 'First collection')
  const told = server.stdout()
  assert.match(
    told,
    `Collections Hub listening on http://127.0.0.1:${port}\nThe console is at http://127.0.0.1:${port}/console/\nFailed authentications`
  )
  assert.is(told.split('hbk_').length, 2)
  const lines = firstSteps(server)
  const pasted = (await shell('sh', ['-euc', `${lines}\n${lines}`])).stdout.trim().split('\n')
  const [health, who, secret, collection, ...again] = pasted
  assert.is(JSON.parse(health ?? '').status, 'ok')
  assert.is(JSON.parse(who ?? '').user.name, 'admin')
  assert.match(secret ?? '', /^hbk_/)
  assert.is(JSON.parse(collection ?? '').name, 'First collection')
  assert.equal(again.slice(0, 3), [health, who, secret], 'pasted again, they go on with the user that is there')
  assert.is(JSON.parse(again[3] ?? '').name, 'First collection')
  const { code, stdout } = await server.stop('SIGINT')
  const since = stdout.slice(told.length).trim().split('\n')
  const messages = since.filter(Boolean).map((line) => JSON.parse(line).msg)
  assert.equal([code, messages], [0, ['stopping', 'stopped']], 'it tells nothing for people twice')

  const restarted = await home.start(['start', '--init'])
  assert.is((await session(firstSecret(server))).status, 200)
  const second = await restarted.stop()
  assert.is(second.code, 0)
  assert.not.match(second.stdout, /hbk_|Wrote|migration/)
})

test('an explicit path is where --init writes the configuration, and nothing else writes one', async () => {
  const result = await home.here('-c', join(home.path, 'other/hub.yaml'), 'start', '--init')
  assert.equal([result.code, result.stdout], [1, ''])
  assert.match(result.stderr, /ENOENT.*other\/hub\.yaml/)
  assert.match((await home.here('start')).stderr, /^Config file not found: .*\nName yours .* run `hub start --init` to/)
  assert.not.ok(existsSync(join(home.path, 'server.yaml')))
})

test('what it needs and does not find is told in one line', async () => {
  home.configure({ port, redis: '{host: 127.0.0.1, port: 1}' })
  await home.here('migrate')
  const noRedis = await home.here('start')
  assert.equal([noRedis.code, noRedis.stdout], [1, ''])
  assert.match(noRedis.stderr, /^Redis at 127\.0\.0\.1:1 cannot be used: .*\n$/)
  home.configure({ port, db: '{driver: sqlite, path: data/other.sqlite}' })
  const notMigrated = await home.here('start')
  assert.match(
    notMigrated.stderr,
    /^There is no database at .*other\.sqlite\. Run `hub migrate` first, or name another file as db\.path\.\n$/
  )
  assert.not.ok(existsSync(join(home.path, 'data/other.sqlite')), 'nothing was made for a path that may be mistyped')
})

test('a start says that it cannot be kept how far the log has come', async () => {
  home.configure({ port })
  appendFileSync(join(home.path, 'server.yaml'), 'audit: {headDirectory: server.yaml}\n')
  const server = await home.start(['start', '--init'], 'First collection')
  const { stdout } = await server.stop()
  assert.match(
    stdout,
    /"level":40,.*server\.yaml","msg":"It cannot be kept how far the log has come, .*audit\.headDirectory\."/
  )
})

test('the address shown is one that can be called', () => {
  assert.is(serverUrl({ host: '0.0.0.0', port: 1 }), 'http://127.0.0.1:1')
  assert.is(serverUrl({ host: '::', port: 1 }), 'http://127.0.0.1:1')
  assert.is(serverUrl({ host: '::1', port: 1 }), 'http://[::1]:1')
  assert.is(serverUrl({ host: 'hub.example.com', port: 80 }), 'http://hub.example.com:80')
})

test('of two first starts on one database one makes the administrator, and both serve', async () => {
  home.configure()
  assert.is((await home.here('migrate')).code, 0)
  await home.withLedger(async (ledger) => {
    const { tokens } = loadConfig(join(home.path, 'server.yaml'), {}).config
    const made = await Promise.all([ensureFirstAdmin(ledger, tokens), ensureFirstAdmin(ledger, tokens)])
    assert.equal(
      made.map((one) => one?.name),
      ['admin', undefined]
    )
  })
})

test.run()
