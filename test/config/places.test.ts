import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { parseConfig } from '../../src/config/load.js'
import { configText, fileForm } from '../../src/config/print.js'
import { LIMITS } from '../../src/limits.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { assertRefused, complaints, parse, parseText, valid } from './parsing.js'

const test = suite('config of where servers are')

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const db = (section: object) => plain(parse({ db: `db: ${JSON.stringify(section)}` }).config.db)
const redis = (section: object) => plain(parse({ redis: `redis: ${JSON.stringify(section)}` }).config.redis)
const refusals = (attempt: () => unknown) => complaints(attempt)

test('the URL of a database stands for its single keys, each decoded', () => {
  const single = { user: 'a@b', password: 'p:/?#%', database: 'my db' }
  for (const [driver, scheme, port] of [
    ['postgres', 'postgres', 5432],
    ['postgres', 'postgresql', 5432],
    ['mysql', 'mysql', 3306],
    ['mysql', 'MariaDB', 3306]
  ] as const) {
    const url = (place: string) => `${scheme}://a%40b:p%3A%2F%3F%23%25@${place}/my%20db`
    assert.equal(db({ driver, url: url('db.example') }), db({ driver, host: 'db.example', port, ...single }))
    assert.equal(db({ driver, url: url('[::1]:7') }), db({ driver, host: '::1', port: 7, ...single }))
  }
  assert.is(db({ driver: 'postgres', url: 'postgres://u@h/d' }).password, '')
  assert.is(db({ driver: 'postgres', url: 'postgres://u:p@%2Frun%2Fdb/d' }).host, '/run/db')
})

test('a URL that says too little or something else is refused, and not quoted', () => {
  const example = 'postgres://user:password@host:5432/database'
  for (const [url, why] of [
    ['hunter2', `Must be a URL as ${example}.`],
    ['mysql://u:hunter2@h/d', `Must be a URL as ${example}.`],
    ['postgres://u:hunter2@h', `Must name a database behind the host: ${example}.`],
    ['postgres://h/d', `Must name a user: ${example}.`],
    ['postgres://u:hunter2@/d', `Must name a host and its port: ${example}.`],
    ['postgres://u:hunter2@h:0/d', `Must name a host and its port: ${example}.`],
    ['postgres://u:hunter2%@h/d', 'Must have a % in a user name or password written as %25.'],
    ['postgres://u:hunter2@h/d#x', 'Must have a # written as %23.']
  ] as const) {
    assertRefused(() => db({ driver: 'postgres', url }), [`db.url: ${why}`])
  }
  const several = { host: 'a', port: 3306, otherHosts: [{ host: 'b', port: 1 }] }
  const login = { user: 'u', password: 'p', database: 'd' }
  for (const said of [{ url: 'mysql://u:p@a,b:1/d' }, { hosts: ['a', 'b:1'], ...login }])
    assert.equal(db({ driver: 'mysql', ...said }), {
      ...db({ driver: 'mysql', host: 'a', port: 3306, ...login }),
      ...several
    })
})

test('a URL beside single keys is refused', () => {
  assert.equal(
    refusals(() => db({ driver: 'postgres', url: 'postgres://u@h/d', host: 'x', password: 'y' })).toSorted(),
    ['host', 'password'].map((key) => `db.${key}: db.url says this already: keep one of the two.`)
  )
  assert.equal(
    refusals(() => redis({ url: 'redis://h', db: 1, cluster: ['h'] })).toSorted(),
    ['cluster', 'db'].map((key) => `redis.${key}: redis.url says this already: keep one of the two.`)
  )
})

test('what is missing is told with the keys that may stand instead', () => {
  assert.equal(refusals(() => db({ driver: 'postgres', user: 'u' })).toSorted(), [
    'db.database: Config must include db.database.',
    'db.host: Config must include db.host (or db.url, db.hosts instead).',
    'db.password: Config must include db.password.',
    'db.port: Config must include db.port.'
  ])
  assertRefused(
    () => redis({}),
    [
      'redis.host: Config must include redis.host (or redis.url, redis.sentinels, redis.cluster instead).',
      'redis.port: Config must include redis.port.'
    ]
  )
})

test('Postgres may have several hosts, in a list or in the URL', () => {
  const login = { driver: 'postgres', user: 'u', password: 'p', database: 'd' }
  const listed = db({ ...login, hosts: ['a', 'b:6000', '[::1]:7'], targetSessionAttrs: 'read-write' })
  assert.equal(listed.otherHosts, [
    { host: 'b', port: 6000 },
    { host: '::1', port: 7 }
  ])
  assert.equal([listed.host, listed.port, listed.targetSessionAttrs], ['a', 5432, 'read-write'])
  const url = 'postgres://u:p@a,b:6000,[::1]:7/d'
  assert.equal(db({ driver: 'postgres', url, targetSessionAttrs: 'read-write' }), listed)
  assertRefused(
    () => db({ ...login, hosts: ['a b'], targetSessionAttrs: 'primary' }),
    [
      'db.hosts[0]: Must be host:port, such as db.example.com:5432 or [::1]:5432.',
      'db.targetSessionAttrs: targetSessionAttrs must be "any" or "read-write".'
    ]
  )
  assertRefused(
    () => db({ ...login, hosts: ['a'], host: 'b' }),
    ['db.host: db.hosts says this already: keep one of the two.']
  )
})

test('pool and time-outs have bounds', () => {
  const login = { driver: 'mysql', host: 'h', port: 1, user: 'u', password: 'p', database: 'd' }
  assert.is(db({ ...login, poolSize: '20' }).poolSize, 20)
  assertRefused(
    () => db({ ...login, poolSize: 101, connectTimeoutMs: 99, statementTimeoutMs: 60_001 }),
    [
      'db.poolSize: Must be an integer between 1 and 100.',
      'db.connectTimeoutMs: Must be an integer between 100 and 60000.',
      'db.statementTimeoutMs: Must be an integer between 500 and 60000.'
    ]
  )
})

test('Redis is one server, by single keys or a URL, the master of sentinels, or a cluster', () => {
  const single = redis({ host: 'h', port: 6379, username: 'u', password: 'p:', db: 3 })
  assert.equal(redis({ url: 'redis://u:p%3A@h/3' }), single)
  assert.equal(redis({ url: 'rediss://u:p%3A@h/3' }), { ...single, tls: { rejectUnauthorized: true } })
  assert.is(redis({ url: 'redis://:p@h' }).password, 'p')
  const sentinels = { name: 'hub', nodes: ['a', 'b:1'], username: 's', password: 't' }
  assert.equal(redis({ sentinels, db: 2, password: 'p' }).sentinels, {
    ...sentinels,
    nodes: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 }
    ]
  })
  assert.equal(redis({ cluster: ['a:7000', 'b'] }).cluster, [
    { host: 'a', port: 7000 },
    { host: 'b', port: 6379 }
  ])
  assertRefused(
    () => redis({ cluster: [], db: 1 }),
    ['redis.cluster: Must name at least one server.', 'redis.db: redis.cluster says this already: keep one of the two.']
  )
  const wrong = ['redis://a,b', 'redis://h/16', 'redis://h/x', 'http://h']
  for (const url of wrong) assert.is(refusals(() => redis({ url })).length, 1, url)
})

test('a URL that wants encryption gets it, with a verified certificate, unless the key tls says more', () => {
  const tls = { rejectUnauthorized: true }
  const plainUrl = { postgres: 'postgres://u:p@h/d', mysql: 'mysql://u:p@h/d' }
  for (const [driver, parameters] of [
    ...['sslmode=require', 'sslmode=verify-full', 'sslmode=verify-ca', 'ssl=true'].map(
      (one) => ['postgres', one] as const
    ),
    ...['ssl-mode=REQUIRED', 'ssl-mode=VERIFY_IDENTITY', 'sslmode=require', 'ssl=1'].map(
      (one) => ['mysql', one] as const
    )
  ]) {
    const url = `${plainUrl[driver]}?${parameters}`
    assert.equal(db({ driver, url }), { ...db({ driver, url: plainUrl[driver] }), tls }, url)
  }
  const url = `${plainUrl.postgres}?sslmode=require`
  assert.equal(db({ driver: 'postgres', url, tls: { servername: 'n' } }).tls, { ...tls, servername: 'n' })
  assert.is(db({ driver: 'postgres', url: `${plainUrl.postgres}?sslmode=disable` }).tls, undefined)
})

test('what a URL says beside is what the keys of its own would say', () => {
  const postgres = 'postgres://u:p@h/d'
  for (const [parameters, said] of [
    ['connect_timeout=10', { connectTimeoutMs: 10_000 }],
    ['statement_timeout=9000&connection_limit=3', { statementTimeoutMs: 9000, poolSize: 3 }],
    ['target_session_attrs=primary', { targetSessionAttrs: 'read-write' }],
    ['sslmode=no-verify', { tls: { rejectUnauthorized: false } }],
    ['pgbouncer=true&application_name=x&keepalives=1', {}]
  ] as const) {
    const plain = db({ driver: 'postgres', url: postgres })
    assert.equal(db({ driver: 'postgres', url: `${postgres}?${parameters}` }), { ...plain, ...said }, parameters)
  }
  assert.is(db({ driver: 'mysql', url: 'mysql://u:p@h/d?connectionLimit=4' }).poolSize, 4)
})

test('a certificate that a URL names is read, beside the file of the configuration', async () => {
  const folder = await temporaryDirectory()
  await writeFile(join(folder.path, 'ca.pem'), 'THE CA')
  const url = 'postgres://u:p@h/d?sslmode=no-verify&sslrootcert=ca.pem'
  const text = [valid.server, valid.redis, `db: ${JSON.stringify({ driver: 'postgres', url })}`].join('\n')
  const { db: said } = parseConfig(text, 'server.yaml', folder.path, {}).config
  assert.equal('tls' in said && said.tls, { ca: 'THE CA', rejectUnauthorized: false })
  await writeFile(join(folder.path, 'ca.pem'), Buffer.alloc(LIMITS.secretFile.max + 1, 'x'))
  assertRefused(
    () => parseConfig(text, 'server.yaml', folder.path, {}),
    ['db.url: sslrootcert names a file that cannot be read.']
  )
})

test('what means nothing behind ? is refused, with the key that says it here, and not quoted', () => {
  for (const [parameters, why] of [
    ['sslrootcert=/hunter2.pem', 'sslrootcert names a file that cannot be read.'],
    ['connect_timeout=hunter2', 'connect_timeout must be 1 to 60.'],
    ['connection_limit=0', 'connection_limit must be 1 to 100.'],
    ['target_session_attrs=standby', 'target_session_attrs must say any, read-write or primary.'],
    ['password=hunter2', 'password has a key of its own here: write db.password.'],
    ['schema=hunter2', 'schema has no meaning in the URL here: leave it out.'],
    ['sslmode=prefer', 'sslmode must say disable, require, verify-full or no-verify; db.tls says the rest.']
  ] as const)
    assertRefused(() => db({ driver: 'postgres', url: `postgres://u:hunter2@h/d?${parameters}` }), [`db.url: ${why}`])
  assert.match(refusals(() => redis({ url: 'redis://h?ssl=true' }))[0] ?? '', 'rediss:// encrypts')
})

test('what is printed of them means the same, with their passwords hidden', () => {
  const all: readonly Record<string, string>[] = [
    {
      db: 'db: {driver: postgres, url: "postgres://u:hunter2@a,[::1]:2/d"}',
      redis: 'redis: {url: "rediss://u:hunter2@h/1"}'
    },
    { redis: 'redis: {sentinels: {name: n, nodes: [a, b], password: hunter2}, password: hunter2}' },
    { redis: 'redis: {cluster: [a, "b:1"], username: u, password: hunter2}' }
  ]
  for (const sections of all) {
    const { config } = parse(sections)
    assert.equal(plain(parseText(stringify(plain(fileForm(config)))).config), plain(config))
    assert.not.match(configText(config), 'hunter2')
  }
})

test.run()
