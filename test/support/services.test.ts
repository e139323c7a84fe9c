import { spawn } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { mysqlDatabase, postgresDatabase, redisSpace } from './databases.js'
import { connectMysql, mysqlDirectories, mysqlService } from './mysql-service.js'
import { installedPostgres, postgresService } from './postgres-service.js'
import { findBinary } from './private-server.js'
import { redisService } from './redis-service.js'
import { servicesDemanded } from './services.js'
import { suite } from './suite.js'

const databases = suite('test databases', { needs: ['mysql', 'postgres', 'redis'] })

databases('a Postgres database is new, and gone after drop even with somebody connected', async () => {
  const database = await postgresDatabase('Services: test')
  assert.ok(database)
  const client = new pg.Client(database.config)
  const ended = endOf(client)
  await client.connect()
  assert.is((await client.query('SELECT current_database() AS name')).rows[0].name, database.config.database)
  await database.drop()
  await ended
  const other = await postgresDatabase('other')
  assert.ok(other)
  const admin = new pg.Client(other.config)
  await admin.connect()
  const left = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database.config.database])
  assert.is(left.rowCount, 0)
  await admin.end()
  await other.drop()
})

databases(
  'a MySQL database is new, and gone after drop even with somebody in the middle of a transaction',
  async () => {
    const [database, other] = await Promise.all([mysqlDatabase('Services: test'), mysqlDatabase('other')])
    assert.ok(database)
    assert.ok(other)
    const { host, port, user, password, database: name } = database.config
    const place = host.startsWith('/') ? { socketPath: host } : { host, port }
    const client = await mysql.createConnection({ ...place, user, password, database: name })
    const ended = endOf(client)
    await client.query('CREATE TABLE t (id INT)')
    await client.query('START TRANSACTION')
    await client.query('SELECT * FROM t')
    await database.drop()
    await ended
    const here = new URL(
      `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/`
    )
    const admin = await connectMysql(here)
    const [left] = await admin.query('SHOW DATABASES LIKE ?', [name])
    assert.equal(left, [])
    await admin.end()
    await other.drop()
  }
)

databases('a space in Redis clears its own keys and no others', async () => {
  const [one, two] = await Promise.all([redisSpace(), redisSpace()])
  assert.ok(one)
  assert.ok(two)
  const { clear, keyPrefix, ...address } = one
  const redis = new Redis(address)
  await redis.mset(`${keyPrefix}:a`, '1', `${keyPrefix}:b`, '1', `${two.keyPrefix}:a`, '1')
  await clear()
  assert.equal(await redis.mget(`${keyPrefix}:a`, `${keyPrefix}:b`, `${two.keyPrefix}:a`), [null, null, '1'])
  await two.clear()
  redis.disconnect()
})

databases.run()

const servers = suite('private servers')
const have = async (binary: string, directories?: readonly string[]) =>
  servicesDemanded || (await findBinary(binary, directories)) !== null
const hasRedis = await have('redis-server')
const hasMysql = await have('mariadbd', mysqlDirectories)
const hasPostgres = await have('initdb', await installedPostgres())
const withRedis = hasRedis ? servers : (name: string) => servers.skip(name, 'no redis-server on PATH')
const withMysql = hasMysql ? servers : (name: string) => servers.skip(name, 'no mariadbd on PATH')
const withPostgres = hasPostgres ? servers : (name: string) => servers.skip(name, 'no initdb on PATH')

withRedis('a private Redis serves until it is stopped', async () => {
  const service = await redisService.start()
  const redis = new Redis(service.url, { retryStrategy: () => null })
  assert.is(await redis.ping(), 'PONG')
  const directory = (await redis.config('GET', 'dir')).at(1)
  assert.ok(typeof directory === 'string' && existsSync(directory))
  const closed = endOf(redis)
  await service.stop()
  await closed
  assert.is(existsSync(directory), false)
})

withPostgres('a private Postgres serves until it is stopped, also for root', async () => {
  const service = await postgresService.start()
  const client = new pg.Client(service.url)
  const ended = endOf(client)
  await client.connect()
  const directory = (await client.query('SHOW data_directory')).rows[0].data_directory
  await service.stop()
  await ended
  assert.is(existsSync(directory), false)
})

withMysql('a private MariaDB serves until it is stopped, also for root', async () => {
  const service = await mysqlService.start()
  const client = await connectMysql(new URL(service.url))
  const ended = endOf(client)
  const [[row] = []] = await client.query<RowDataPacket[]>('SELECT @@datadir AS directory')
  await service.stop()
  await ended
  assert.is(existsSync(String(row?.directory)), false)
})

withRedis('a private server does not outlive a process that is killed', async () => {
  const program = `
    const { startPrivateRedis } = await import('${new URL('redis-service.js', import.meta.url)}')
    const { pid } = await startPrivateRedis()
    console.log(pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), once(child, 'exit')])
  const pid = Number.parseInt(line, 10)
  process.kill(pid, 0)
  child.kill('SIGKILL')
  while (isAlive(pid)) await sleep(20)
})

/** Resolves when the connection has ended, which the client may also report as an error or two. */
function endOf(client: EventEmitter): Promise<unknown> {
  client.on('error', () => undefined)
  return new Promise((resolve) => client.once('end', resolve))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

servers.run()
