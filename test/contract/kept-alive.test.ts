import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { mysqlPlaces } from '../../src/storage/mysql/connection.js'
import { openMysql } from '../../src/storage/mysql.js'
import { postgresPlaces } from '../../src/storage/postgres/connection.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { startNetwork } from '../race/network.js'
import { mysqlDatabase, postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { contractTables } from './tables.js'

// Linux says of each connection when it will be asked for a sign of life.
const CONNECTIONS = '/proc/net/tcp'
const TICKS_PER_SECOND = 100
const LINE = /: \w+:\w+ \w+:(\w{4}) 01 \w+:\w+ 02:(\w+)/

/** In how many seconds the idle connection to a port is asked for a sign of life. */
async function untilAsked_s(port: number): Promise<number> {
  for (;;) {
    for (const line of (await readFile(CONNECTIONS, 'latin1')).split('\n')) {
      const [, to = '', ticks = ''] = LINE.exec(line) ?? []
      if (Number.parseInt(to, 16) === port) return Number.parseInt(ticks, 16) / TICKS_PER_SECOND
    }
    await sleep(10)
  }
}

const opened = {
  postgres: async (port: number) => {
    const { config } = (await postgresDatabase('idle')) ?? {}
    if (!config) throw new Error('There is no Postgres.')
    const { client } = await postgresPlaces({ ...config, host: '127.0.0.1', port }).connect({ limit_ms: 10_000 })
    return () => client.end()
  },
  mysql: async (port: number) => {
    const { config } = (await mysqlDatabase('idle')) ?? {}
    if (!config) throw new Error('There is no MySQL.')
    return (await mysqlPlaces({ ...config, host: '127.0.0.1', port }).connect({ limit_ms: 10_000 })).close
  }
}

const LIMIT_MS = { statementTimeoutMs: 500 }
const stores = {
  postgres: async (port: number) => {
    const { config } = (await postgresDatabase('silent')) ?? {}
    if (!config) throw new Error('There is no Postgres.')
    return openPostgres({ ...config, ...LIMIT_MS, host: '127.0.0.1', port }, contractTables)
  },
  mysql: async (port: number) => {
    const { config } = (await mysqlDatabase('silent')) ?? {}
    if (!config) throw new Error('There is no MySQL.')
    return openMysql({ ...config, ...LIMIT_MS, host: '127.0.0.1', port }, contractTables)
  }
}

for (const [name, database] of [
  ['postgres', postgresDatabase],
  ['mysql', mysqlDatabase]
] as const) {
  const test = suite(`idle connections to ${name}`, { needs: [name] })
  test('are not used any more where one of them has fallen silent at its work', async () => {
    const { config } = (await database('behind')) ?? {}
    if (!config) throw new Error(`There is no ${name}.`)
    const network = await startNetwork(config)
    const storage = await stores[name](network.port)
    await storage.schema.createTables()
    await storage.write(async () => null)
    await Promise.all(Array.from({ length: 10 }, () => storage.head()))
    network.freeze()
    network.thaw(true)
    assert.instance(await rejection(storage.head()), StorageUnavailable)
    assert.is((await storage.head()).position, 0)
    assert.is(await storage.write(async () => null), 'committed')
    await storage.close()
    await network.stop()
  })
  if (existsSync(CONNECTIONS))
    test('are asked for a sign of life each minute, so that no router on the way forgets them', async () => {
      const { config } = (await database('behind')) ?? {}
      if (!config) throw new Error(`There is no ${name}.`)
      const network = await startNetwork(config)
      const close = await opened[name](network.port)
      const soon = await untilAsked_s(network.port)
      assert.ok(soon <= 60, `in ${soon} s`)
      await close()
      await network.stop()
    })
  test.run()
}
