import { join } from 'node:path'
import type { DbConfig, RedisConfig, ThrottleLimits } from '../../src/config/types.js'
import {
  firestoreDatabase,
  mysqlDatabase,
  postgresDatabase,
  type RedisSpace,
  redisSpace,
  temporaryDirectory
} from '../support/databases.js'
import type { ServiceName } from '../support/services.js'

/** A new, empty database with a throttle store, for one hub. */
export interface Place {
  readonly db: DbConfig
  readonly redis: RedisConfig
  remove(): Promise<void>
}

/** How a hub under test stores what it knows. */
export interface Driver {
  readonly name: string
  readonly needs: readonly ServiceName[]
  open(label: string, limits: ThrottleLimits): Promise<Place>
}

function redisIn({ host, port, password, db, keyPrefix }: RedisSpace, limits: ThrottleLimits): RedisConfig {
  return { driver: 'redis', host, port, db, keyPrefix, ...(password !== undefined && { password }), ...limits }
}

/** SQLite in a file of its own, and counters in memory: a hub that needs no other server. */
export const sqlite: Driver = {
  name: 'sqlite',
  needs: [],
  async open(_label, limits) {
    const directory = await temporaryDirectory()
    return {
      db: { driver: 'sqlite', path: join(directory.path, 'hub.sqlite'), prefix: 'hub_' },
      redis: { driver: 'memory', ...limits },
      remove: directory.remove
    }
  }
}

export const postgres: Driver = {
  name: 'postgres and redis',
  needs: ['postgres', 'redis'],
  async open(label, limits) {
    const [database, space] = await Promise.all([postgresDatabase(label), redisSpace()])
    if (database === null || space === null)
      throw new Error('A suite on Postgres and Redis must say that it needs them')
    return {
      db: database.config,
      redis: redisIn(space, limits),
      async remove() {
        await Promise.all([database.drop(), space.clear()])
      }
    }
  }
}

export const mysql: Driver = {
  name: 'mysql',
  needs: ['mysql'],
  async open(label, limits) {
    const database = await mysqlDatabase(label)
    if (database === null) throw new Error('A suite on MySQL must say that it needs it')
    return { db: database.config, redis: { driver: 'memory', ...limits }, remove: database.drop }
  }
}

export const firestore: Driver = {
  name: 'firestore',
  needs: ['firestore'],
  async open(label, limits) {
    const database = await firestoreDatabase(label)
    if (database === null) throw new Error('A suite on Firestore must say that it needs it')
    return { db: database.config, redis: { driver: 'memory', ...limits }, remove: database.clear }
  }
}

/** Every driver: what goes by the storage is tested on each. One more driver is one more of these. */
export const drivers: readonly Driver[] = [sqlite, postgres, mysql, firestore]

/** Where what is decided above the storage is tested: SQLite, and with `HUB_TEST_DRIVERS=all` each of them. */
export const usualDrivers: readonly Driver[] = process.env.HUB_TEST_DRIVERS === 'all' ? drivers : [sqlite]
