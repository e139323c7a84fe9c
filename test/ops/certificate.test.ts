import * as assert from 'uvu/assert'
import { parseConfig } from '../../src/config/load.js'
import { certificateExpiry } from '../../src/ops/certificate.js'
import { detailOf } from '../../src/ops/check.js'
import { hostPorts } from '../../src/ops/host.js'
import { rejection } from '../log/faults.js'
import { suite } from '../support/suite.js'
import { EXPIRY_MS, type Overture, tlsServer } from './tlsServer.js'

const test = suite('when certificates expire')
const LIMIT_MS = 10_000

/** What the protocols of the databases say: Postgres' SSLRequest; MySQL's, of 32 bytes behind the greeting. */
const overtures: Readonly<Record<'at once' | 'postgres' | 'mysql', Overture | undefined>> = {
  'at once': undefined,
  postgres: { request: Buffer.from('0000000804d2162f', 'hex'), answer: Buffer.from('S') },
  mysql: {
    greeting: Buffer.from('0a382e302e33360000', 'hex'),
    request: Buffer.from(`20000001008a0000000000012d${'00'.repeat(23)}`, 'hex')
  }
}

for (const begins of ['at once', 'postgres', 'mysql'] as const) {
  test(`a server that one comes to TLS at by ${begins}: the day that its certificate says`, async () => {
    const server = await tlsServer(overtures[begins])
    try {
      const target = { what: 'it', host: '127.0.0.1', port: server.port, begins }
      assert.is(await certificateExpiry(target, LIMIT_MS), EXPIRY_MS)
    } finally {
      await server.close()
    }
  })
}

test('a Postgres that speaks no TLS says so, and one that says nothing is given up', async () => {
  const { request } = overtures.postgres ?? {}
  assert.ok(request)
  const plain = await tlsServer({ request, answer: Buffer.from('N') })
  const silent = await tlsServer({ request: Buffer.from('never') })
  try {
    const target = { what: 'it', host: '127.0.0.1', begins: 'postgres' } as const
    assert.match(
      String(await rejection(certificateExpiry({ ...target, port: plain.port }, LIMIT_MS))),
      /no|not speak TLS/
    )
    assert.ok(await rejection(certificateExpiry({ ...target, port: silent.port }, LIMIT_MS)))
    const mute = { ...target, begins: 'mysql', port: plain.port } as const
    assert.match(detailOf(await rejection(certificateExpiry(mute, 50))), /no answer within/)
  } finally {
    await plain.close()
    await silent.close()
  }
})

test('every server that a configuration reaches by TLS is looked at, by the name or the address that it has', async () => {
  const nodes = ['node1.example', 'node2.example']
  const targetsOf = (driver: 'postgres' | 'mysql', servers: object = { cluster: nodes }, more: object = {}) => {
    const hosts = ['2nd.example:1111', '[fe80::1]:2222']
    const text = JSON.stringify({
      server: { host: '127.0.0.1', port: 1, publicUrl: 'https://[::1]:8443' },
      db: { driver, hosts, user: 'hub', password: 'secret', database: 'hub', tls: { rejectUnauthorized: false } },
      redis: { driver: 'redis', ...servers, tls: { rejectUnauthorized: false } },
      ...more
    })
    const { config } = parseConfig(text, 'server.yaml', '/', {})
    const ports = hostPorts('server.yaml', () => config)
    return ports.tlsTargets().map(({ what, host, port, begins }) => [what, host, port, begins])
  }
  for (const driver of ['postgres', 'mysql'] as const)
    assert.equal(targetsOf(driver), [
      ['server.publicUrl', '::1', 8443, 'at once'],
      ['db', '2nd.example', 1111, driver],
      ['db', 'fe80::1', 2222, driver],
      ['redis', 'node1.example', 6379, 'at once'],
      ['redis', 'node2.example', 6379, 'at once']
    ])
  assert.equal(targetsOf('mysql', { sentinels: { name: 'hub', nodes } }).slice(3), [
    ['redis', 'node1.example', 26379, 'at once'],
    ['redis', 'node2.example', 26379, 'at once']
  ])
  const away = (host: string) => ({
    ...{ driver: 'postgres', host, port: 1234, user: 'hub', password: 'secret', database: 'hub' },
    tls: { rejectUnauthorized: false }
  })
  const east = { databases: { east: away('east.example') } }
  const tenants = { acme: { db: away('acme.example') }, beta: {} }
  const all = targetsOf('mysql', { cluster: nodes }, { multitenancy: { enabled: true, ...east }, tenants })
  assert.equal(all.slice(3, 5), [
    ['multitenancy.databases.east', 'east.example', 1234, 'postgres'],
    ['tenants.acme.db', 'acme.example', 1234, 'postgres']
  ])
})

test.run()
