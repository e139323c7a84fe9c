import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { afterwards } from '../support/afterwards.js'
import { suite } from '../support/suite.js'
import { assertRefused, parse, parseText, refused, valid } from './parsing.js'

const test = suite('config problems')

const whole = (lines: readonly string[]) => refused(() => parseText(lines.join('\n')))

test('every problem is told at once, each with its line', () => {
  const error = whole([
    '# The hub.',
    'server:',
    '  host: ""',
    'db:',
    '  driver: postgres',
    '  host: localhost',
    '  port:',
    '    70000',
    '  user: hub',
    '  password: ""',
    '  database:',
    'redis:',
    '  host: localhost',
    '  port: 0',
    'plugins:',
    '  catalogs:',
    '    - https://a.example',
    '    - nowhere',
    'logging: loud'
  ])
  assert.is(
    error.message,
    [
      'server.yaml:2: server.port: Config must include server.port.',
      'server.yaml:3: server.host: Host must not be empty.',
      'server.yaml:8: db.port: Postgres port must be an integer between 1 and 65535.',
      'server.yaml:11: db.database: Config must include db.database.',
      'server.yaml:14: redis.port: Port must be an integer between 1 and 65535.',
      'server.yaml:18: plugins.catalogs[1]: Must be an http or https URL.',
      'server.yaml:19: logging: Must be a mapping.'
    ].join('\n')
  )
  assert.equal(error.problems[4], {
    line: 14,
    key: 'redis.port',
    message: 'Port must be an integer between 1 and 65535.'
  })
})

test('the three required sections are asked for by name', () => {
  const lines = ['# Nothing here yet.', '', 'x-other: 1']
  assert.is(
    whole(lines).message,
    ['server', 'db', 'redis']
      .map((section) => `server.yaml:3: ${section}: Config must include a "${section}" mapping.`)
      .join('\n')
  )
  assertRefused(
    () => parseText('server: 1\ndb: []\nredis:'),
    ['server', 'db', 'redis'].map((section) => `${section}: Config must include a "${section}" mapping.`)
  )
})

test('what is missing is looked for at the nearest parent there is', () => {
  const error = refused(() =>
    parse({
      llm: 'llm:\n  providers:\n    openai: {apiKey: k}\n  mcp:\n    - name: a\n      url: http://a\n    - name: b'
    })
  )
  assert.equal(error.problems, [{ line: 10, key: 'llm.mcp[1].url', message: 'Config must include llm.mcp[1].url.' }])
})

test('a file that is no mapping is refused', () => {
  for (const text of ['', '# only a comment', '- a', 'text', '12', '---\n']) {
    assert.is(refused(() => parseText(text)).message, 'server.yaml:1: Config must be a YAML mapping.', text)
  }
})

test('broken YAML is refused with its line', () => {
  const { problems } = whole([valid.server, 'db: {driver: sqlite', valid.redis])
  assert.ok(problems.length > 0)
  for (const { line, message } of problems) {
    assert.ok(line >= 2)
    assert.match(message, /^Failed to parse config file: /)
  }
  assert.is(whole(['server: 1', '---', 'server: 2']).problems[0]?.line, 2)
})

test('a key given twice is a problem beside the others', () => {
  const text = ['server:', '  host: a', '  port: 1', '  host: b', 'db: {driver: x}', valid.redis, valid.redis]
  assert.equal(
    whole(text).problems.map(({ line, key }) => [line, key]),
    [
      [4, 'server.host'],
      [5, 'db.driver'],
      [7, 'redis']
    ]
  )
})

test('anchors may be used, and problems behind an alias are found', () => {
  const base = ['x-server: &server', '  host: h', '  port: 1', 'server: *server', valid.db, valid.redis]
  assert.is(parseText(base.join('\n')).config.server.port, 1)
  assert.equal(whole(base.with(2, '  port: 0')).problems[0]?.line, 3)
})

test('aliases that lead nowhere or multiply are refused', () => {
  assertRefused(() => parse({ db: 'db: *nothing' }), ['db: The alias has no anchor before it.'])
  const ten = (name: string) => `[${`*${name}, `.repeat(10)}]`
  const bomb = `x: [&a [1], &b ${ten('a')}, &c ${ten('b')}, &d ${ten('c')}]`
  assert.match(refused(() => parse({ x: bomb })).message, 'its aliases multiply beyond measure')
})

test('a value that looks like a tag is refused, not emptied', () => {
  const { problems } = refused(() => parse({ redis: 'redis: {host: h, port: 1, password: !secret}' }))
  assert.is(problems.length, 1)
  assert.match(problems[0]?.message ?? '', 'put a value that starts with ! in quotes')
})

test('no message quotes a secret', () => {
  const secret = 'hunter2'
  const passwords = [
    '[hunter2]',
    '{hunter2: hunter2}',
    '*hunter2',
    '!hunter2 x',
    '"\\hunter2"',
    '@hunter2',
    'a: hunter2: b'
  ]
  passwords.push(
    '"hunter2" hunter2',
    '|hunter2',
    '[hunter2',
    "'hunter2",
    '%hunter2',
    '`hunter2`',
    '&hunter2',
    '"hunter2\n  x'
  )
  const server = 'db:\n  driver: postgres\n  host: h\n  port: 0\n  user: u\n  database: d\n'
  for (const password of passwords) {
    const { message } = refused(() => parse({ db: `${server}  password: ${password}` }))
    assert.not.match(message, secret, password)
  }
  for (const value of ['"hunter2\\n"', '"hunter2 x"', '[hunter2]', '["hunter2"', '*hunter2']) {
    const { message } = refused(() => parse({ llm: `llm: {providers: {openai: {apiKey: ${value}, maxRetries: x}}}` }))
    assert.not.match(message, secret, value)
  }
  const providers = 'providers: {openai: {apiKey: k}}'
  for (const headers of ['{A: "x\\nhunter2"}', '[A hunter2]', '"A: hunter2"', '{A: [hunter2]}', '{"A: hunter2": }']) {
    const mcp = `mcp: [{name: t, url: http://t, headers: ${headers}}]`
    const { message } = refused(() => parse({ llm: `llm: {${providers}, ${mcp}}` }))
    assert.not.match(message, secret, headers)
  }
})

test('a database is that of the hub or of one tenant; tables with another prefix are another one', () => {
  const own = (path: string, prefix = 'hub_') => `{db: {driver: sqlite, path: ${path}, prefix: ${prefix}}}`
  const tenants = [
    `a: ${own('hub.sqlite')}`,
    `b: ${own('b.sqlite')}`,
    `c: ${own('b.sqlite', 'c_')}`,
    `d: ${own('./b.sqlite')}`
  ]
  const ofOther = (other: string) =>
    `This is the database of ${other} already. Give it a prefix, or a path, of its own.`
  assertRefused(
    () => parse({ tenants: `tenants: {${tenants.join(', ')}}` }),
    [`tenants.a.db: ${ofOther('the hub')}`, `tenants.d.db: ${ofOther('b')}`]
  )
})

test('a file that lines are appended to is no database, no key, and not the other one', () => {
  const audit = 'audit: {checkpointFile: ./lines, sealKeyFile: seal.pem, formerSealKeyFiles: [old.pem]}'
  for (const [file, other] of [
    ['./hub.sqlite', 'db.path'],
    ['seal.pem', 'audit.sealKeyFile'],
    ['old.pem', 'audit.formerSealKeyFiles'],
    ['data/checkpoint-key.pem', 'audit.checkpointKeyFile'],
    ['hooks', 'webhooks.keyFile']
  ])
    assertRefused(
      () => parse({ audit, webhooks: 'webhooks: {keyFile: hooks}', logging: `logging: {file: ${file}}` }),
      [`logging.file: This is the file of ${other}. Name another one.`]
    )
  assertRefused(
    () => parse({ audit, logging: 'logging: {file: lines}' }),
    ['audit.checkpointFile: This is the file of logging.file. Name another one.']
  )
  parse({ audit, logging: 'logging: {file: hub.log}' })
})

test('a file is the same one by whichever symbolic link it is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-links-'))
  afterwards(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'data'))
  symlinkSync('data', join(folder, 'linked'))
  const named = (path: string) => `{db: {driver: sqlite, path: ${folder}/${path}}}`
  const tenants = `tenants: {a: ${named('data/a.sqlite')}, b: ${named('linked/a.sqlite')}, c: ${named('linked/c.sqlite')}}`
  const logging = `logging: {file: ${folder}/linked/hub.sqlite}`
  assertRefused(
    () => parse({ db: `db: {driver: sqlite, path: ${folder}/data/hub.sqlite}`, tenants, logging }),
    [
      'tenants.b.db: This is the database of a already. Give it a prefix, or a path, of its own.',
      'logging.file: This is the file of db.path. Name another one.'
    ]
  )
})

test('a database is the same one however it is reached, and on whichever of its hosts', () => {
  const server = (hosts: string, more = '') =>
    `{db: {driver: postgres, hosts: ${hosts}, user: u, password: p, database: d${more}}}`
  const firestore = (more: string) => `{db: {driver: firestore, projectId: p${more}}}`
  const tenants = [
    `a: ${server('[one, two]')}`,
    `b: ${server('[two, one]', ', poolSize: 2, connectTimeoutMs: 500')}`,
    `c: ${server('[three, ONE:5432]', ', prefix: c_')}`,
    `d: ${server('["one:5433", three]')}`,
    `e: ${server('[three]', ', prefix: c_')}`,
    `f: ${firestore('')}`,
    `g: ${firestore(', keyFilename: key')}`,
    `h: ${firestore(', prefix: h_')}`
  ]
  const ofOther = (other: string) =>
    `This is the database of ${other} already. Give it a prefix, or a path, of its own.`
  assertRefused(
    () => parse({ tenants: `tenants: {${tenants.join(', ')}}` }),
    [`tenants.b.db: ${ofOther('a')}`, `tenants.e.db: ${ofOther('c')}`, `tenants.g.db: ${ofOther('f')}`]
  )
})

test.run()
