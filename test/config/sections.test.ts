import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { assertRefused, complaints, parse } from './parsing.js'

const test = suite('config sections')

test('a minimal file is completed with every default', () => {
  const limits = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }
  assert.equal(JSON.parse(JSON.stringify(parse().config)), {
    server: {
      ...{ host: '127.0.0.1', port: 8787, bodyLimitBytes: 8_388_608, trustedProxies: [], drainSeconds: 0 }
    },
    db: { driver: 'sqlite', path: '/etc/hub/hub.sqlite', prefix: 'hub_' },
    redis: { driver: 'memory', ...limits },
    logging: { level: 'info', format: 'json', requests: false, console: true },
    metrics: { path: '/metrics' },
    plugins: { catalogs: [], trusted: [] },
    docs: {},
    invitations: { expiresInHours: 24 },
    import: {
      ...{ maxItems: 2000, maxFiles: 5000, maxValues: 1_000_000, maxYamlParts: 3_000_000, maxSeconds: 20 },
      ...{ maxContent: 3_145_728, maxUnpackedBytes: 33_554_432 }
    },
    client: { scheme: 'harborclient', adminDataApi: false },
    collaboration: { e2ee: false },
    agents: { enabled: true },
    storage: { driver: 'db' },
    console: true,
    audit: {
      address: 'full',
      checkpointKeyFile: '/etc/hub/data/checkpoint-key.pem',
      headDirectory: '/etc/hub/known-heads',
      formerSealKeyFiles: []
    },
    multitenancy: { enabled: false, maxOpen: 20, closeAfterMinutes: 10, databases: {} },
    tenants: {},
    tokens: {}
  })
})

test('the console is switched as people say it, or as YAML does, in the file and in the environment', () => {
  for (const [text, isOn] of [
    ['on', true],
    ['off', false],
    ['true', true],
    ['false', false],
    ["'false'", false],
    ['', true]
  ] as const) {
    assert.is(parse({ console: `console: ${text}` }).config.console, isOn, text)
  }
  assert.is(parse({}, { HUB_CONSOLE: 'off' }).config.console, false)
  for (const text of ['no', '1', '{enabled: true}'])
    assertRefused(() => parse({ console: `console: ${text}` }), ['console: Must be on or off.'])
})

test('discussions are encrypted where somebody says so, with true and nothing else', () => {
  const e2ee = (text: string) => parse({ collaboration: `collaboration: ${text}` }).config.collaboration.e2ee
  for (const [text, isOn] of [
    ['{e2ee: true}', true],
    ['{e2ee: "true"}', true],
    ['{e2ee: false}', false],
    ['{}', false],
    ['', false]
  ] as const)
    assert.is(e2ee(text), isOn, text)
  assert.is(parse({}, { HUB_COLLABORATION_E2EE: 'true' }).config.collaboration.e2ee, true)
  for (const text of ['{e2ee: yes}', '{e2ee: 1}', '{e2ee: on}'])
    assertRefused(() => e2ee(text), ['collaboration.e2ee: Must be true or false.'])
  assert.equal(complaints(() => e2ee('true')).length, 1)
})

test('redis is the driver of the throttle store when none is named', () => {
  const { redis } = parse({ redis: 'redis: {host: localhost, port: 6379}' }).config
  assert.is(redis.driver, 'redis')
  assert.equal(JSON.parse(JSON.stringify(redis)), {
    driver: 'redis',
    host: 'localhost',
    port: 6379,
    db: 0,
    keyPrefix: '',
    maxFailures: 10,
    windowSeconds: 900,
    blockSeconds: 900,
    maxFailuresPerAddress: 100
  })
})

test('numbers may be given as strings', () => {
  const { server, redis } = parse({
    server: `server: {host: h, port: '80', bodyLimitMb: '0.5'}`,
    redis: `redis: {host: h, port: '6379', db: '15', maxFailures: '3', windowSeconds: ' 60 ', blockSeconds: '1'}`
  }).config
  assert.is(server.port, 80)
  assert.is(server.bodyLimitBytes, 524_288)
  assert.is('port' in redis && redis.port, 6379)
  assert.is(redis.driver === 'redis' && redis.db, 15)
  assert.equal([redis.maxFailures, redis.windowSeconds, redis.blockSeconds], [3, 60, 1])
})

test('a number out of its range is refused, as a number and as a string', () => {
  for (const port of ['0', '65536', '1.5', '-1', 'abc', `''`, `'65536'`, `'1e3'`, '.nan', '[]', 'true']) {
    assertRefused(
      () => parse({ server: `server: {host: h, port: ${port}}` }),
      ['server.port: Port must be an integer between 1 and 65535.'],
      port
    )
  }
  assertRefused(
    () => parse({ redis: 'redis: {driver: memory, maxFailures: 0, windowSeconds: 0, blockSeconds: -1}' }),
    ['maxFailures', 'windowSeconds', 'blockSeconds'].map(
      (key) => `redis.${key}: Must be an integer between 1 and 2147483647.`
    )
  )
  assertRefused(
    () => parse({ redis: 'redis: {host: h, port: 1, db: 16}' }),
    ['redis.db: Must be an integer between 0 and 15.']
  )
  for (const limit of ['0', '-1', '.inf', 'x', `'-1'`]) {
    assertRefused(
      () => parse({ server: `server: {host: h, port: 1, bodyLimitMb: ${limit}}` }),
      ['server.bodyLimitMb: Must be a number of megabytes above 0.'],
      limit
    )
  }
})

test('how large imports may be is set key by key, within bounds', () => {
  const { import: bounds } = parse({ import: 'import: {maxItems: 5, maxContentMb: 0.5, maxUnpackedMb: 1}' }).config
  assert.equal([bounds.maxItems, bounds.maxContent, bounds.maxUnpackedBytes], [5, 524_288, 1_048_576])
  for (const [key, max] of [
    ['maxItems', 20_000],
    ['maxFiles', 50_000],
    ['maxValues', 20_000_000],
    ['maxYamlParts', 60_000_000],
    ['maxSeconds', 120]
  ] as const)
    assertRefused(
      () => parse({ import: `import: {${key}: ${max + 1}}` }),
      [`import.${key}: Must be an integer between 1 and ${max}.`]
    )
  assertRefused(
    () => parse({ import: 'import: {maxContentMb: 65}' }),
    ['import.maxContentMb: Must be at most 64 megabytes.']
  )
})

test('trailing colons of the key prefix are stripped', () => {
  const { redis } = parse({ redis: `redis: {host: h, port: 1, keyPrefix: 'team:hub::'}` }).config
  assert.is(redis.driver === 'redis' && redis.keyPrefix, 'team:hub')
})

test('an empty redis password means none', () => {
  const { redis } = parse({ redis: `redis: {host: h, port: 1, password: '\${NONE:-}'}` }).config
  assert.is(redis.driver === 'redis' && redis.password, undefined)
})

test('postgres, mysql and firestore each have their own keys', () => {
  const server = { host: '/run/db', port: 5432, user: 'u', password: '', database: 'd' }
  for (const driver of ['postgres', 'mysql']) {
    const db = JSON.stringify({ driver, ...server, prefix: 'team_' })
    const several = driver === 'postgres' ? { targetSessionAttrs: 'any' } : {}
    const usual = { poolSize: 6, connectTimeoutMs: 3000, statementTimeoutMs: 4000 }
    const expected = { driver, ...server, prefix: 'team_', ...several, ...usual }
    assert.equal(JSON.parse(JSON.stringify(parse({ db: `db: ${db}` }).config.db)), expected)
  }
  assert.equal(parse({ db: 'db: {driver: firestore, projectId: p, keyFilename: k.json}' }).config.db, {
    driver: 'firestore',
    projectId: 'p',
    keyFilename: '/etc/hub/k.json',
    prefix: 'hub_'
  })
})

test('what a database driver lacks is named with the driver', () => {
  assertRefused(
    () => parse({ db: `db: {driver: postgres, host: '', port: 0, user: ' ', password: p}` }),
    [
      'db.host: Postgres host must not be empty.',
      'db.port: Postgres port must be an integer between 1 and 65535.',
      'db.user: Postgres user must not be empty.',
      'db.database: Config must include db.database.'
    ]
  )
  assertRefused(
    () => parse({ db: `db: {driver: mysql, host: h, port: x, user: u, password: 5, database: ''}` }),
    [
      'db.port: MySQL port must be an integer between 1 and 65535.',
      'db.password: Must be a string: put the value in quotes.',
      'db.database: MySQL database must not be empty.'
    ]
  )
  assertRefused(
    () => parse({ db: `db: {driver: firestore, projectId: ''}` }),
    ['db.projectId: Firestore projectId must not be empty.']
  )
  assertRefused(() => parse({ db: 'db: {driver: sqlite}' }), ['db.path: Config must include db.path.'])
})

test('an unknown, empty or missing driver is refused', () => {
  const of = (sections: Record<string, string>) => complaints(() => parse(sections))
  const databases = 'Expected "firestore", "mysql", "postgres", or "sqlite".'
  assert.equal(of({ db: 'db: {driver: oracle}' }), [`db.driver: Unsupported database driver "oracle". ${databases}`])
  assert.equal(of({ db: `db: {driver: ''}` }), ['db.driver: Database driver must not be empty.'])
  assert.equal(of({ db: 'db: {path: x}' }), ['db.driver: Config must include db.driver.'])
  assert.equal(of({ redis: 'redis: {driver: etcd}' }), [
    'redis.driver: Unsupported redis driver "etcd". Expected "memory" or "redis".'
  ])
})

test('a table prefix is lower-case letters, digits and underscores', () => {
  const prefixed = (prefix: string) => parse({ db: `db: {driver: sqlite, path: p, prefix: '${prefix}'}` })
  for (const prefix of ['h', 'hub2_', `a${'b'.repeat(30)}`]) assert.is(prefixed(prefix).config.db.prefix, prefix)
  for (const prefix of ['', '_hub', '2hub', 'Hub_', 'hub-', 'hub_;', `a${'b'.repeat(31)}`]) {
    assert.is(complaints(() => prefixed(prefix)).length, 1, prefix)
  }
})

test('relative paths start at the directory of the file, absolute ones stay', () => {
  const { db, docs, logging } = parse({
    db: 'db: {driver: sqlite, path: /data/hub.sqlite}',
    docs: 'docs: {searchIndexPath: ./data/index.json}',
    logging: 'logging: {file: ../hub.log}'
  }).config
  assert.is(db.driver === 'sqlite' && db.path, '/data/hub.sqlite')
  assert.is(docs.searchIndexPath, '/etc/hub/data/index.json')
  assert.is(logging.file, '/etc/hub.log')
})

test('trusted proxies are addresses and CIDR ranges', () => {
  const listed = ['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8']
  const proxies = (list: readonly string[]) =>
    parse({ server: `server: {host: h, port: 1, trustedProxies: ${JSON.stringify(list)}}` })
  assert.equal(proxies(listed).config.server.trustedProxies, listed)
  const wrong = ['10.0.0.0/33', 'localhost', '::/129', '1.2.3.4/', '1.2.3.4/8/8']
  assertRefused(
    () => proxies(wrong),
    wrong.map((_, index) => `server.trustedProxies[${index}]: Must be an IP address or a CIDR range.`)
  )
  const everybody = ['0.0.0.0/0', '::/0', '10.0.0.0/00']
  assertRefused(
    () => proxies(everybody),
    everybody.map((_, i) => `server.trustedProxies[${i}]: Must not be everybody: clients would choose their addresses.`)
  )
})

test('plugin sources are http or https URLs, each kept once and in order', () => {
  const plugins = (urls: string) => parse({ plugins: `plugins: {catalogs: ${urls}}` })
  assert.equal(plugins('[http://b.example/x, https://a.example, http://b.example/x]').config.plugins, {
    catalogs: ['http://b.example/x', 'https://a.example'],
    trusted: []
  })
  assertRefused(
    () => plugins('[ftp://a.example, "file:///etc/passwd", no-url]'),
    [0, 1, 2].map((index) => `plugins.catalogs[${index}]: Must be an http or https URL.`)
  )
})

test('logging refuses a level or a flag that it does not know', () => {
  assertRefused(
    () => parse({ logging: 'logging: {level: verbose, console: maybe}' }),
    ['logging.level: Level must be "debug", "info", "warn" or "error".', 'logging.console: Must be true or false.']
  )
})

test('a flag may come from the environment', () => {
  assert.is(parse({ logging: `logging: {console: '\${LOG}'}` }, { LOG: 'false' }).config.logging.console, false)
})

test('an optional section or key without a value counts as absent', () => {
  const { config } = parse({
    plugins: 'plugins:',
    docs: 'docs: {searchIndexPath: }',
    logging: 'logging: {level: , file: , console: }'
  })
  assert.equal(config.plugins, { catalogs: [], trusted: [] })
  assert.is(config.docs.searchIndexPath, undefined)
  assert.is(config.logging.level, 'info')
})

test('a checkpoint that has somewhere to go is made every hour, unless the file says how often', () => {
  const often = (audit: string) => parse({ audit: `audit: ${audit}` }).config.audit.checkpointEveryMinutes
  assert.equal([often('{}'), often('{checkpointEveryMinutes: 5}')], [undefined, 5])
  assert.equal([often('{checkpointFile: c}'), often('{witness: {url: https://w.example}}')], [60, 60])
  assert.is(often('{checkpointFile: c, checkpointEveryMinutes: 7}'), 7)
})

test('a witness is asked over https, on this machine over http too, and in bounded time', () => {
  const witness = (given: string) => parse({ audit: `audit: {witness: ${given}}` })
  for (const url of ['https://w.example/x', 'http://localhost:1', 'http://127.0.0.1', "'http://[::1]:2/'"])
    assert.is(witness(`{url: ${url}}`).config.audit.witness?.timeoutSeconds, 10, url)
  for (const url of ['http://w.example', 'http://127.0.0.1.w.example', 'http://10.0.0.1'])
    assertRefused(
      () => witness(`{url: ${url}}`),
      ['audit.witness.url: Must be an https URL; http only for this machine.'],
      url
    )
  for (const url of ['https://ada@w.example', 'https://ada:secret@w.example', 'http://:secret@localhost'])
    assertRefused(
      () => witness(`{url: '${url}'}`),
      ['audit.witness.url: Must not hold a user name or a password: give them as a header, under headers.'],
      url
    )
  assertRefused(
    () => witness('{url: ftp://x, timeoutSeconds: 0}'),
    [
      'audit.witness.url: Must be an http or https URL.',
      'audit.witness.timeoutSeconds: Must be an integer between 1 and 300.'
    ]
  )
})

test('the public address is kept without slashes at its end, and may have a path', () => {
  const server = (url: string) => parse({ server: `server: {host: h, port: 1, publicUrl: '${url}'}` })
  assert.is(server('https://hub.example.com/team/').config.server.publicUrl, 'https://hub.example.com/team')
  assert.is(server('').config.server.publicUrl, undefined)
  for (const url of ['hub.example.com', 'ftp://a', 'https://a/?x=1', 'https://a/#x', 'https://u:p@a'])
    assert.is(complaints(() => server(url)).length, 1, url)
})

test('the scheme of the client is one that a URL can have', () => {
  assert.is(parse({ client: 'client: {scheme: harbor-dev}' }).config.client.scheme, 'harbor-dev')
  assert.is(complaints(() => parse({ client: `client: {scheme: 'a b'}` })).length, 1)
})

test.run()
