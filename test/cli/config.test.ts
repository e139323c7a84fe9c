import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstSecret, type Home, newHome } from './support.js'

const test = suite('hub config')
let home: Home

test.before(async () => {
  home = await newHome()
})

const file = () => join(home.path, 'server.yaml')
const write = (...lines: readonly string[]) => writeFileSync(file(), lines.join('\n'))

test('check says that nothing is wrong', async () => {
  home.configure()
  const { code, stdout, stderr } = await home.here('config', 'check')
  assert.equal([code, stdout, stderr], [0, `${file()}: no problems.\n`, ''])
})

test('check with --connect asks the database too, and says where it does not answer', async () => {
  home.configure()
  const { code, stderr } = await home.here('config', 'check', '--connect')
  assert.is(code, 1)
  assert.match(stderr, /hub\.db|database/)
  await home.here('migrate')
  assert.is((await home.here('config', 'check', '--connect')).stdout, `${file()}: no problems.\n`)
})

test('check tells every problem and every warning, and leaves with 1', async () => {
  write(
    'server: {host: 0.0.0.0, prot: 1, port: 1}',
    'db: {driver: sqlite, path: p, ssl: true, pth: x}',
    'redis: {driver: memory}'
  )
  const { code, stdout, stderr } = await home.here('config', 'check')
  assert.is(code, 1)
  assert.is(stdout, '')
  const [warning, ...problems] = stderr.trimEnd().split('\n')
  assert.match(warning ?? '', /^Warning: .*server\.yaml:2: db\.ssl: .*db\.tls/)
  assert.equal(problems, [
    `${file()}:1: server.prot: Unknown key. Did you mean port?`,
    `${file()}:2: db.pth: Unknown key. Did you mean path?`
  ])
})

test('check refuses a path of metrics that the hub has itself, with which it would not start', async () => {
  const check = (metrics: string) => {
    const rest = 'db: {driver: sqlite, path: p}\nredis: {driver: memory}'
    write('server: {host: 127.0.0.1, port: 1}', rest, `metrics: {${metrics}}`)
    return home.here('config', 'check')
  }
  for (const path of ['/search', '/readyz', '/.well-known/oauth-authorization-server']) {
    const { code, stdout, stderr } = await check(`path: ${path}`)
    assert.equal([code, stdout], [1, ''])
    assert.is(stderr, `${file()}: metrics.path: ${path} is a path of the hub's own. Choose another one.\n`)
  }
  for (const metrics of ['path: /metrics', 'path: /ops/metrics', 'enabled: false, path: /search'])
    assert.is((await check(metrics)).code, 0, metrics)
})

test('warnings alone are no failure', async () => {
  write(
    'server: {host: 0.0.0.0, port: 1}',
    'db: {driver: sqlite, path: p}',
    'redis: {driver: memory}',
    'storage: {projectId: p}'
  )
  const { code, stdout, stderr } = await home.here('config', 'check')
  assert.is(code, 0)
  assert.is(stdout, `${file()}: no problems, warnings: 3.\n`)
  assert.equal(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => /storage\.projectId|server\.publicUrl|plain HTTP/.exec(line)?.[0]),
    ['storage.projectId', 'server.publicUrl', 'plain HTTP']
  )
})

test('print shows what is in force, with secrets hidden', async () => {
  write(
    'server: {host: 127.0.0.1, port: 1}',
    'db: {driver: mysql, host: h, port: 2, user: u, password: hunter2, database: d}',
    'redis: {driver: memory}'
  )
  const { code, stdout } = await home.here('config', 'print')
  assert.is(code, 0)
  assert.match(stdout, /^db:\n(?: {2}.*\n)* {2}host: h\n(?: {2}.*\n)* {2}password: <hidden>$/m)
  assert.match(stdout, /^ {2}expiresInHours: 24$/m)
})

test('schema prints the JSON Schema of the file, without one', async () => {
  const { code, stdout } = await home.here('config', 'schema')
  assert.is(code, 0)
  assert.is(stdout, readFileSync(new URL('../../../docs/server.schema.json', import.meta.url), 'utf8'))
})

test('start tells the warnings and the public address, links name it, and a reload refuses what check refuses', async () => {
  const port = await freePort()
  const sections = (server: string) => [
    `server: {host: 127.0.0.1, port: ${port}, publicUrl: 'https://hub.example.com/team/'${server}}`,
    'db: {driver: sqlite, path: data/hub.sqlite}',
    'redis: {driver: memory}',
    'storage: {projectId: p}'
  ]
  write(...sections(''))
  const server = await home.start(['start', '--init'], 'First collection')
  assert.match(server.stdout(), `listening on http://127.0.0.1:${port}, for others at https://hub.example.com/team\n`)
  const { stdout } = await home.here('user', 'invite', 'create', '--name', 'ann', '--role', 'user')
  assert.match(stdout, /^https:\/\/hub\.example\.com\/team\/join\?url=https%3A%2F%2Fhub\.example\.com%2Fteam&/m)
  write(...sections(', hots: x'))
  const reply = await fetch(`http://127.0.0.1:${port}/admin/config/reload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${firstSecret(server)}` }
  })
  assert.is(reply.status, 400)
  assert.match(await reply.text(), 'server.yaml:1: server.hots: Unknown key. Did you mean host?')
  const { stderr } = await server.stop()
  assert.match(stderr, /^Warning: server\.yaml:4: storage\.projectId: A key of an older hub, without effect: /m)
})

test.run()
