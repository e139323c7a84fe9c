import * as assert from 'uvu/assert'
import type { MysqlConfig } from '../../src/config/types.js'
import { openMysql } from '../../src/storage/mysql.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { afterwards } from '../support/afterwards.js'
import { USUAL } from '../support/databases.js'
import { connectMysql, mysqlDirectories, type PrivateMysql, startPrivateMysql } from '../support/mysql-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { change, puts } from './commits.js'
import { contractTables, thing, things } from './tables.js'

const test = suite('storage: mysql with several hosts')
const withServers = await needing(test, ['mariadbd', mysqlDirectories])
const DATABASE = 'hosts'

let servers: readonly [PrivateMysql, PrivateMysql]

test.before(async () => {
  servers = await Promise.all([startPrivateMysql(), startPrivateMysql()])
  for (const server of servers) await asked(server, `CREATE DATABASE ${DATABASE}`)
})
test.after(() => Promise.all(servers?.map(({ stop }) => stop()) ?? []))
test.after.each(async () => {
  for (const server of servers) await onlyReads(server, false)
})

async function asked({ port }: PrivateMysql, text: string): Promise<unknown> {
  const connection = await connectMysql(new URL(`mysql://root@127.0.0.1:${port}/`))
  try {
    return (await connection.query(text))[0]
  } finally {
    connection.destroy()
  }
}

/** Has a server take no writes, of whom it does not count as an administrator either, or take them again. */
const onlyReads = (server: PrivateMysql, is: boolean) => asked(server, `SET GLOBAL read_only = ${is ? 1 : 0}`)

const configOf = ([first, ...others]: readonly PrivateMysql[], user = 'root'): MysqlConfig => {
  const place = (port = 0) => ({ host: '127.0.0.1', port })
  const otherHosts = others.map(({ port }) => place(port))
  return { driver: 'mysql', ...place(first?.port), otherHosts, user, password: '', database: DATABASE, ...USUAL }
}

withServers('one that only reads is passed over, and where all do it is said', async () => {
  await onlyReads(servers[0], true)
  const storage = await openMysql(configOf(servers), contractTables)
  await storage.schema.createTables()
  await storage.close()
  const [first, second] = servers
  const tablesOf = (server: PrivateMysql) => asked(server, `SHOW TABLES IN ${DATABASE}`)
  assert.equal(await tablesOf(first), [])
  assert.not.equal(await tablesOf(second), [])
  await onlyReads(second, true)
  const error = await rejection(openMysql(configOf([first]), contractTables))
  assert.instance(error, StorageUnavailable)
  assert.match(String(error), 'The server only reads (read_only is on): name the one that it follows.')
})

withServers('when the one in use begins to only read, the other one is used from the next write on', async () => {
  for (const server of servers) {
    await asked(server, `CREATE USER IF NOT EXISTS hub@'%'`)
    await asked(server, `GRANT ALL ON ${DATABASE}.* TO hub@'%'`)
    const own = await openMysql(configOf([server]), contractTables)
    await own.schema.drop()
    await own.schema.createTables()
    await own.close()
  }
  const storage = await openMysql(configOf(servers, 'hub'), contractTables)
  afterwards(() => storage.close())
  await change(storage, ...puts(things, [thing('a')]))
  await onlyReads(servers[0], true)
  assert.instance(await rejection(change(storage, ...puts(things, [thing('b')]))), StorageUnavailable)
  await change(storage, ...puts(things, [thing('c')]))
  const other = await openMysql(configOf([servers[1]]), contractTables)
  assert.equal(
    (await other.scan(1, things, '', 10)).map(({ id }) => id),
    ['c']
  )
  await other.close()
})

test.run()
