import * as assert from 'uvu/assert'
import { openPlain } from '../../src/app/plainTables.js'
import type { MysqlConfig, TlsConfig } from '../../src/config/types.js'
import { openMysql } from '../../src/storage/mysql.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { contractTables } from '../contract/tables.js'
import { rejection } from '../log/faults.js'
import { USUAL } from '../support/databases.js'
import { connectMysql, mysqlDirectories, type PrivateMysql, startPrivateMysql } from '../support/mysql-service.js'
import { suite } from '../support/suite.js'
import { needing, type TlsSetting, tlsSetting } from './setting.js'

const test = suite('mysql over TLS alone')
const withServer = await needing(
  test,
  ['mariadbd', mysqlDirectories],
  ['mariadb-install-db', mysqlDirectories],
  ['openssl']
)

let setting: TlsSetting
let server: PrivateMysql

test.before(async () => {
  setting = await tlsSetting()
  server = await startPrivateMysql({
    files: setting.files,
    // Relative to the directory of its data.
    settings: ['ssl-cert=../cert.pem', 'ssl-key=../key.pem', 'ssl-ca=../ca.pem', 'require-secure-transport=ON'],
    isEncrypted: true
  })
  const admin = await connectMysql(new URL(`mysql://root@127.0.0.1:${server.port}/`), true)
  await admin.query('CREATE DATABASE hub')
  await admin.end()
})
test.after(() => server?.stop())

const at = (host: string, tls?: TlsConfig): MysqlConfig => ({
  driver: 'mysql',
  host,
  port: server.port,
  user: 'root',
  password: '',
  database: 'hub',
  ...USUAL,
  ...(tls && { tls })
})

async function uses(config: MysqlConfig): Promise<void> {
  const storage = await openMysql(config, contractTables)
  try {
    await storage.schema.createTables()
    assert.is((await storage.head()).position, 0)
  } finally {
    await storage.close()
  }
}

async function refusal(config: MysqlConfig): Promise<string> {
  const error = await rejection(openMysql(config, contractTables))
  assert.instance(error, StorageUnavailable)
  return String(error instanceof Error && error.cause)
}

withServer('it is used for reading and writing, and for the tables of an older hub', async () => {
  await uses(at('localhost', setting.tls))
  const plain = await openPlain(at('localhost', setting.tls))
  assert.ok(((await plain?.names())?.size ?? 0) > 0)
  await plain?.close()
})

withServer('without TLS it refuses', async () => {
  // MySQL says why; to MariaDB it is one more account that does not match.
  assert.match(await refusal(at('localhost')), /Access denied|insecure transport/)
})

withServer('a certificate of somebody else is refused, unless any is taken', async () => {
  assert.match(await refusal(at('localhost', { ...setting.tls, ca: setting.stranger.ca })), /certificate/)
  await uses(at('localhost', { rejectUnauthorized: false }))
})

withServer('the certificate must name the host, or the servername that is given', async () => {
  await uses(at('127.0.0.1', { ...setting.tls, servername: 'localhost' }))
  assert.match(
    await refusal(at('localhost', { ...setting.tls, servername: 'db.example' })),
    'db.example. is not in the cert'
  )
})

test.run()
