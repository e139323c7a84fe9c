import * as assert from 'uvu/assert'
import type { PostgresConfig, TlsConfig } from '../../src/config/types.js'
import { USUAL } from '../support/databases.js'
import { installedPostgres, type PrivatePostgres } from '../support/postgres-service.js'
import { suite } from '../support/suite.js'
import { refusal, tlsContract } from './contract.js'
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

tlsContract(withServer, { setting: () => setting, at, insecure: /no encryption/ })

withServer('an address is no name that the certificate has', async () => {
  assert.match(await refusal(at('127.0.0.1', setting.tls)), "IP: 127.0.0.1 is not in the cert's list")
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
