import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { withClock } from '../../src/log/clockAhead.js'
import type { Head } from '../../src/log/event.js'
import { guardedBy } from '../../src/log/headGuard.js'
import { openMysql } from '../../src/storage/mysql.js'
import { openPostgres } from '../../src/storage/postgres.js'
import type { Storage } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { afterwards } from '../support/afterwards.js'
import { mysqlDatabase, postgresDatabase } from '../support/databases.js'
import { installedPostgres, startPrivatePostgres } from '../support/postgres-service.js'
import { suite } from '../support/suite.js'
import { needing } from '../tls/setting.js'
import { asked, postgresAt } from './postgresServers.js'
import { contractTables } from './tables.js'

const test = suite('what a server of a database is told to be', { needs: ['postgres', 'mysql'] })
const withServers = await needing(test, ['postgres', await installedPostgres()])

const texts = async (storage: Storage) => (await storage.circumstances()).map(({ text }) => text)

withServers('Postgres: standbys that follow asynchronously and what is off, until both are mended', async () => {
  const primary = await startPrivatePostgres({ settings: ['synchronous_commit=off'] })
  const standby = await startPrivatePostgres({ follows: primary.port })
  const storage = await openPostgres(postgresAt([primary]), contractTables)
  afterwards(() => Promise.all([primary.stop(), standby.stop()]))
  afterwards(() => storage.close())
  while ((await texts(storage)).length < 2) await sleep(20)
  assert.equal(await texts(storage), [
    'fsync, synchronous_commit are off: what was acknowledged can be lost when its machine crashes.',
    '1 standby follows it asynchronously: where one takes over, the last acknowledged changes can be missing.'
  ])
})

withServers('what speaks as Postgres does and is something else is refused by its name', async () => {
  const server = await startPrivatePostgres()
  const storage = await openPostgres(postgresAt([server]), contractTables)
  await storage.close()
  afterwards(() => server.stop())
  await asked(
    server.port,
    `CREATE SCHEMA other;
    CREATE FUNCTION other.version() RETURNS text LANGUAGE sql AS $$ SELECT 'CockroachDB CCL v25.1' $$;
    ALTER DATABASE postgres SET search_path = other, pg_catalog, public`
  )
  const error = await rejection(openPostgres(postgresAt([server]), contractTables))
  assert.match(String(error), 'The server is CockroachDB, and the hub does not run on it: see docs/engines.md.')
})

for (const name of ['postgres', 'mysql'] as const)
  test(`${name}: who writes with a clock that is minutes ahead of the database's is refused`, async () => {
    const database = name === 'postgres' ? await postgresDatabase('clock') : await mysqlDatabase('clock')
    if (!database) throw new Error(`There is no ${name}.`)
    const { config } = database
    const storage =
      config.driver === 'postgres'
        ? await openPostgres(config, contractTables)
        : await openMysql(config, contractTables)
    afterwards(() => storage.close())
    await storage.schema.createTables()
    const seen: Head[] = []
    const write = (ahead_ms: number) =>
      guardedBy(
        storage,
        withClock(() => Date.now() + ahead_ms)
      ).write(async (head) => {
        seen.push(head)
        return null
      })
    await write(-3_600_000)
    await write(60_000)
    assert.is(seen.length, 2)
    const error = await rejection(write(600_000))
    assert.match(String(error), "The clock of this machine is 10 minutes ahead of the database's")
    assert.is(seen.length, 2)
  })

test.run()
