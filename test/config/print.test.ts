import * as assert from 'uvu/assert'
import { parse as parseYaml, stringify } from 'yaml'
import { configText, fileForm } from '../../src/config/print.js'
import type { HubConfig } from '../../src/config/types.js'
import { fields } from '../http/client.js'
import { suite } from '../support/suite.js'
import { parse, parseText } from './parsing.js'

const test = suite('config as it is printed')

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const sections = {
  db: 'db: {driver: postgres, host: h, port: 1, user: u, password: hunter2, database: d}',
  redis: 'redis: {host: h, port: 1, password: hunter2, keyPrefix: a}',
  llm: `llm:
  providers: {provider_a: {apiKey: hunter2}, claude: {apiKey: hunter2, baseUrl: 'https://me:hunter2@proxy.example/x'}}
  mcp: [{name: t, url: 'http://u:hunter2@t', headers: [{A: hunter2}, {B: hunter2}, {A: hunter2}]}]`,
  audit: 'audit: {witness: {url: https://w.example, headers: {Authorization: hunter2}}, retentionDays: 3}',
  storage: 'storage: {driver: s3, bucket: faces, region: r, accessKeyId: id, secretAccessKey: hunter2}'
}

const hosts = "hosts: ['a:1', 'b:2', '[::1]:3'], user: u, password: p, database: d"
const endpoint = "{id: house, name: House, interface: openai, baseUrl: 'http://x', apiKeys: [a, b]}"
/** Forms that are told apart: several servers, and what tenants have of their own. */
const elsewhere: readonly Readonly<Record<string, string>>[] = [
  { db: `db: {driver: postgres, ${hosts}}`, redis: "redis: {sentinels: {name: m, nodes: ['s:1', '[::1]:2']}}" },
  { db: `db: {driver: mysql, ${hosts}, tls: {servername: db.example}}`, redis: "redis: {cluster: ['c:1', 'd:2']}" },
  { db: "db: {driver: mysql, url: 'mysql://u:p@a:1,b:2/d'}", redis: "redis: {url: 'rediss://u:p@h:1/3'}" },
  { db: 'db: {driver: mysql, host: h, port: 1, user: u, password: p, database: d}' },
  { db: 'db: {driver: firestore, projectId: p, keyFilename: k}' },
  {
    multitenancy: `multitenancy: {enabled: true, databases: {west: {driver: mysql, ${hosts}}}}`,
    tenants: `tenants: {acme: {db: {driver: mysql, ${hosts}}, llm: off, audit: {retentionDays: 3}}, b: {hosts: [b.example]}}`
  },
  { llm: `llm: {providers: {}, endpoints: [${endpoint}], catalog: [{id: m, label: M, provider: house}]}` },
  {
    signIn: "signIn: {providers: [{id: c, name: C, issuer: 'https://c', clientId: i, clientSecret: s}]}",
    authorization: 'authorization: {}',
    webhooks: "webhooks: {keyFile: k, allowPrivateAddresses: ['10.0.0.0/8']}",
    import: 'import: {maxContentMb: 1.5, maxSeconds: 3}',
    console: 'console: off',
    tokens: 'tokens: {expiresInDays: 3}',
    server: "server: {host: h, port: 1, cors: {origins: ['https://a.example']}}"
  }
]

test('what is printed means the same when it is read again, but for the secrets', () => {
  for (const config of [
    parse().config,
    parse(sections).config,
    parse({ server: 'server: {host: h, port: 1, bodyLimitMb: 0.3}' }).config,
    ...elsewhere.map((text) => parse(text).config)
  ]) {
    const again = parseText(stringify(plain(fileForm(config)))).config
    assert.equal(plain(again), plain(config))
  }
})

test('every secret is hidden, and every other value is there', () => {
  const text = configText(parse(sections).config)
  assert.not.match(text, 'hunter2')
  const printed: HubConfig = parseYaml(text)
  assert.equal(printed.db, {
    driver: 'postgres',
    host: 'h',
    port: 1,
    user: 'u',
    password: '<hidden>',
    database: 'd',
    poolSize: 6,
    connectTimeoutMs: 3000,
    statementTimeoutMs: 4000,
    targetSessionAttrs: 'any',
    prefix: 'hub_'
  })
  assert.is(printed.llm?.providers.claude?.baseUrl, 'https://me:<hidden>@proxy.example/x')
  assert.equal(printed.llm?.mcp[0]?.headers, [{ A: '<hidden>' }, { B: '<hidden>' }, { A: '<hidden>' }])
  assert.equal(printed.audit.witness?.headers, [{ Authorization: '<hidden>' }])
  assert.equal(fileForm(parse().config).storage, { driver: 'db' })
  assert.equal(fields(printed.storage), {
    driver: 's3',
    bucket: 'faces',
    region: 'r',
    accessKeyId: 'id',
    secretAccessKey: '<hidden>',
    prefix: 'avatars',
    timeoutSeconds: 3
  })
  assert.is(printed.logging.level, 'info')
})

test.run()
