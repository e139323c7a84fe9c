import * as assert from 'uvu/assert'
import { closestName } from '../../src/lib/didYouMean.js'
import { suite } from '../support/suite.js'
import { assertRefused, complaints, parse, parseText, refused, valid } from './parsing.js'

const test = suite('config keys that nobody knows')

test('every unknown key is told at once, with its line and the key that was probably meant', () => {
  const lines = [
    'server:',
    '  host: h',
    '  port: 1',
    '  trusted_proxies: []',
    'db: {driver: sqlite, path: p, prefx: a_}',
    valid.redis,
    'logging:',
    '  levle: debug',
    'audti: {}'
  ]
  assert.is(
    refused(() => parseText(lines.join('\n'))).message,
    [
      'server.yaml:4: server.trusted_proxies: Unknown key. Did you mean trustedProxies?',
      'server.yaml:5: db.prefx: Unknown key. Did you mean prefix?',
      'server.yaml:8: logging.levle: Unknown key. Did you mean level?',
      'server.yaml:9: audti: Unknown key. Did you mean audit?'
    ].join('\n')
  )
})

test('an unknown key is told beside other problems, however deep it is', () => {
  const llm =
    'llm: {providers: {openai: {apiKey: k, url: x}, other: {}}, mcp: [{name: t, url: http://t, header: {}}], models: [""]}'
  assert.equal(
    complaints(() => parse({ llm, audit: 'audit: {witness: {url: https://w.example, timeout: 1}}' })).toSorted(),
    [
      'audit.witness.timeout: Unknown key. Known here: url, headers, timeoutSeconds.',
      'llm.mcp[0].header: Unknown key. Did you mean headers?',
      'llm.models[0]: Must not be empty.',
      'llm.providers.openai.url: Unknown key. Known here: apiKey, baseUrl, timeoutSeconds, maxRetries.',
      'llm.providers.other: Unknown key. Known here: openai, claude, gemini, provider_a, provider_b, provider_c.'
    ]
  )
})

test('a key of another driver is unknown, and those of this one are named', () => {
  assertRefused(
    () => parse({ db: 'db: {driver: sqlite, path: p, password: x}' }),
    ['db.password: Unknown key. Known here: driver, path, prefix.']
  )
})

test('names of headers are free, and so are sections of the file that start with x-', () => {
  const llm = 'llm: {providers: {openai: {apiKey: k}}, mcp: [{name: t, url: http://t, headers: {x-Any: v}}]}'
  assert.equal(parse({ x: 'x-anchors: {a: 1}', llm }).config.llm?.mcp[0]?.headers, [['x-Any', 'v']])
})

test('keys of an older hub are warnings that say what stands for them here, and change nothing', () => {
  const { config, warnings } = parse({
    db: 'db: {driver: postgres, host: h, port: 1, user: u, password: p, database: d, max: 3, ssl: true}',
    redis: 'redis: {driver: memory, noticeEventsPubSub: true}',
    server: 'server: {host: 127.0.0.1, port: 1, workers: 4}',
    more: 'storage: {signedUrlTtlSeconds: 900, projectId: p}',
    tenants: 'multitenancy: {enabled: true, peerHost: 10.0.0.5}'
  })
  assert.not.ok('workers' in config.server)
  assert.not.ok('peerHost' in config.multitenancy)
  assert.equal(
    config.db,
    parse({ db: 'db: {driver: postgres, host: h, port: 1, user: u, password: p, database: d}' }).config.db
  )
  assert.equal(
    warnings.map((warning) => warning.split(':').slice(0, 3).join(':')),
    [
      'server.yaml:1: server.workers',
      'server.yaml:5: multitenancy.peerHost',
      'server.yaml:2: db.max',
      'server.yaml:2: db.ssl',
      'server.yaml:3: redis.noticeEventsPubSub',
      'server.yaml:4: storage.signedUrlTtlSeconds',
      'server.yaml:4: storage.projectId'
    ]
  )
  assert.match(warnings[0] ?? '', 'start several hubs behind a proxy')
  assert.match(warnings[1] ?? '', 'hashes X-Harbor-Tenant')
  assert.match(warnings[2] ?? '', 'db.poolSize')
  assert.match(warnings[3] ?? '', 'db.tls')
})

test('warnings are told beside problems', () => {
  const error = refused(() => parse({ db: 'db: {driver: sqlite, pth: x}', more: 'storage: {projectId: p}' }))
  assert.is(error.warnings.length, 1)
  assert.is(error.problems.length, 2)
})

test('the nearest name is the one with the fewest mistakes, and none where all are far', () => {
  const names = ['host', 'port', 'password', 'trustedProxies']
  assert.is(closestName('prot', names), 'port')
  assert.is(closestName('PASSWROD', names), 'password')
  assert.is(closestName('trusted-proxys', names), 'trustedProxies')
  assert.is(closestName('colour', names), undefined)
  assert.is(closestName('', names), undefined)
  assert.is(closestName('x'.repeat(100_000), names), undefined)
})

test.run()
