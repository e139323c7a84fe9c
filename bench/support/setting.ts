import { join } from 'node:path'
import { parseConfig } from '../../src/config/load.js'
import type { HubConfig } from '../../src/config/types.js'
import { postgresDatabase, redisSpace, temporaryDirectory } from '../../test/support/databases.js'
import { findService, missingServices } from '../../test/support/services.js'
import type { BenchOptions, Driver } from '../benchmark.js'

/** A database and a throttle store of one's own, as a hub is configured to use them. */
export interface Setting {
  readonly driver: Driver
  /** What it consists of, for the reader of the results. */
  readonly description: string
  readonly config: HubConfig
  /** Removes everything that was written. */
  drop(): Promise<void>
}

/** The strongest database that there is. */
export async function defaultDriver(): Promise<Driver> {
  return 'url' in (await findService('postgres')) ? 'postgres' : 'sqlite'
}

/** Sections of a configuration beside the server, the database and the throttle store. */
type Sections = Readonly<Record<string, unknown>>

/** Sets up a driver; rejects when its server is missing. */
export function openSetting(driver: Driver, sections: Sections = {}): Promise<Setting> {
  return driver === 'sqlite' ? sqliteSetting(sections) : postgresSetting(sections)
}

/** Measures in a new setting on each driver that is asked for, by default on the strongest that there is. */
export async function onEachSetting(
  { drivers }: Pick<BenchOptions, 'drivers'>,
  measure: (setting: Setting) => Promise<void>
): Promise<void> {
  for (const driver of drivers ?? [await defaultDriver()]) {
    const setting = await openSetting(driver)
    await measure(setting).finally(() => setting.drop())
  }
}

/** What a small installation has: one file, and the failures counted in the process. */
async function sqliteSetting(sections: Sections): Promise<Setting> {
  const directory = await temporaryDirectory()
  const db = { driver: 'sqlite', path: join(directory.path, 'hub.sqlite') }
  return {
    driver: 'sqlite',
    description: 'sqlite, throttle in memory',
    config: hubConfig(
      db,
      { driver: 'memory' },
      { audit: { headDirectory: join(directory.path, 'heads') }, ...sections }
    ),
    drop: directory.remove
  }
}

async function postgresSetting(sections: Sections): Promise<Setting> {
  const database = await postgresDatabase('bench')
  if (!database) throw new Error(`There is no Postgres to measure: ${await missingServices(['postgres'])}`)
  const redis = await redisSpace()
  const throttle = redis ? { driver: 'redis', ...redis } : { driver: 'memory' }
  return {
    driver: 'postgres',
    description: `postgres, throttle in ${redis ? 'Redis' : 'memory'}`,
    config: hubConfig(database.config, throttle, sections),
    async drop() {
      await database.drop()
      await redis?.clear()
    }
  }
}

/** Through the real schema, so that every default is the product's own. */
function hubConfig(db: object, redis: object, sections: Sections): HubConfig {
  const text = JSON.stringify({ server: { host: '127.0.0.1', port: 1 }, db, redis, ...sections })
  return parseConfig(text, 'benchmark', process.cwd(), {}).config
}
