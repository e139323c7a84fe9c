import * as assert from 'uvu/assert'
import { openPlain } from '../../src/app/plainTables.js'
import type { PostgresConfig, TlsConfig } from '../../src/config/types.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { contractTables } from '../contract/tables.js'
import { rejection } from '../log/faults.js'
import { USUAL } from '../support/databases.js'
import { installedPostgres, type PrivatePostgres } from '../support/postgres-service.js'
import { suite } from '../support/suite.js'
import { postgresOverTls } from './server.js'
import { needing, type TlsSetting, tlsSetting } from './setting.js'

const test = suite('postgres over TLS alone')
const withServer = await needing(test, ['postgres', await installedPostgres()], ['openssl'])

let setting: TlsSetting
let server: PrivatePostgres

test.before(async () => {
  setting = await tlsSetting()
  server = await postgresOverTls(setting)
})
test.after(() => server?.stop())

const at = (host: string, tls?: TlsConfig): PostgresConfig => ({
  driver: 'postgres',
  host,
  port: server.port,
  user: 'postgres',
  password: '',
  database: 'postgres',
  targetSessionAttrs: 'any',
  ...USUAL,
  ...(tls && { tls })
})

async function uses(config: PostgresConfig): Promise<void> {
  const storage = await openPostgres(config, contractTables)
  try {
    await storage.schema.createTables()
    assert.is((await storage.head()).position, 0)
  } finally {
    await storage.close()
  }
}

async function refusal(config: PostgresConfig): Promise<string> {
  const error = await rejection(openPostgres(config, contractTables))
  assert.instance(error, StorageUnavailable)
  return String(error instanceof Error && error.cause)
}

withServer('it is used for reading and writing, and for the tables of an older hub', async () => {
  await uses(at('localhost', setting.tls))
  const plain = await openPlain(at('localhost', setting.tls))
  assert.ok(((await plain?.names())?.size ?? 0) > 0)
  await plain?.close()
})

withServer('without TLS it refuses, and says so', async () => {
  assert.match(await refusal(at('localhost')), 'no encryption')
})

withServer('a certificate of somebody else is refused, unless any is taken', async () => {
  assert.match(await refusal(at('localhost', setting.stranger)), /certificate/)
  await uses(at('localhost', { rejectUnauthorized: false }))
})

withServer('the certificate must name the host, or the servername that is given', async () => {
  assert.match(await refusal(at('127.0.0.1', setting.tls)), "IP: 127.0.0.1 is not in the cert's list")
  await uses(at('127.0.0.1', { ...setting.tls, servername: 'localhost' }))
  assert.match(
    await refusal(at('localhost', { ...setting.tls, servername: 'db.example' })),
    'db.example. is not in the cert'
  )
})

withServer('a certificate of its own lets a client in', async () => {
  const config = { ...at('localhost', { ...setting.tls, ...setting.client }), user: 'certified' }
  // It is taken, and then there is no such account.
  assert.match(await refusal(config), 'role "certified" does not exist')
  assert.match(await refusal({ ...config, tls: setting.tls }), 'valid client certificate')
  const { cert, key } = setting.stranger
  assert.match(await refusal({ ...config, tls: { ...setting.tls, cert, key } }), /unknown ca|ECONNRESET|EPIPE|ended/i)
})

test.run()
