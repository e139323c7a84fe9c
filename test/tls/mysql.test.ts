import type { MysqlConfig, TlsConfig } from '../../src/config/types.js'
import { USUAL } from '../support/databases.js'
import { connectMysql, mysqlDirectories, type PrivateMysql, startPrivateMysql } from '../support/mysql-service.js'
import { suite } from '../support/suite.js'
import { tlsContract } from './contract.js'
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

// MySQL says why; to MariaDB it is one more account that does not match.
tlsContract(withServer, { setting: () => setting, at, insecure: /Access denied|insecure transport/ })

test.run()
