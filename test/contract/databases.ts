import { join } from 'node:path'
import type { DbConfig } from '../../src/config/types.js'
import { openFirestore } from '../../src/storage/firestore.js'
import { openMysql } from '../../src/storage/mysql.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import type { Storage, TableSpec } from '../../src/storage/storage.js'
import { onceAfterwards } from '../support/afterwards.js'
import { firestoreDatabase, mysqlDatabase, postgresDatabase, temporaryDirectory } from '../support/databases.js'
import { isFull } from '../support/full.js'
import { openMemory } from '../support/memoryStorage.js'
import type { ServiceName } from '../support/services.js'

/** An empty database of the test's own, which is removed after it as those of `support/databases.ts` are. */
export interface TestDatabase {
  /** How another process opens it; null where none can. */
  readonly config: DbConfig | null
  /** One more connection to the log of that prefix, as another process would have it. */
  open(tables: readonly TableSpec[], prefix?: string): Promise<Storage>
  /** Closes every connection. */
  disconnect(): Promise<void>
  /** Closes every connection and removes the database. */
  remove(): Promise<void>
}

/** Logs in memory: whoever opens the same prefix gets the same one. */
export async function memoryDatabase(): Promise<TestDatabase> {
  const logs = new Map<string, Storage>()
  return {
    config: null,
    async open(_tables, prefix = 'hub_') {
      const storage = logs.get(prefix) ?? openMemory()
      logs.set(prefix, storage)
      return storage
    },
    disconnect: async () => {},
    remove: async () => {}
  }
}

/** A file in a directory of its own. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const directory = await temporaryDirectory()
  const path = join(directory.path, 'hub.db')
  const config = { driver: 'sqlite', path, prefix: 'hub_' } as const
  return opened(config, (tables, prefix) => openSqlite(path, prefix, tables), directory.remove)
}

/** A database on the Postgres of the tests. */
export async function postgresTestDatabase(): Promise<TestDatabase> {
  const database = await postgresDatabase('contract')
  if (!database) throw new Error('There is no Postgres.')
  const { config, drop } = database
  return opened(config, (tables, prefix) => openPostgres({ ...config, prefix }, tables), drop)
}

/** A database on the MySQL of the tests. */
export async function mysqlTestDatabase(): Promise<TestDatabase> {
  const database = await mysqlDatabase('contract')
  if (!database) throw new Error('There is no MySQL.')
  const { config, drop } = database
  return opened(config, (tables, prefix) => openMysql({ ...config, prefix }, tables), drop)
}

/** A project on the Firestore emulator of the tests. */
export async function firestoreTestDatabase(): Promise<TestDatabase> {
  const database = await firestoreDatabase('contract')
  if (!database) throw new Error('There is no Firestore emulator.')
  const { config, clear } = database
  return opened(config, (_, prefix) => openFirestore({ ...config, prefix }), clear)
}

function opened(
  config: DbConfig,
  open: (tables: readonly TableSpec[], prefix: string) => Promise<Storage>,
  remove: () => Promise<void>
): TestDatabase {
  const storages: Storage[] = []
  const disconnect = async () => {
    await Promise.all(storages.splice(0).map((storage) => storage.close()))
  }
  return {
    config,
    disconnect,
    async open(tables: readonly TableSpec[], prefix = 'hub_') {
      const storage = await open(tables, prefix)
      storages.push(storage)
      return storage
    },
    remove: onceAfterwards(async () => {
      await disconnect()
      await remove()
    })
  }
}

/** A driver of databases, and the service that it needs. */
interface DatabaseDriver {
  readonly name: 'sqlite' | ServiceName
  readonly needs: readonly ServiceName[]
  readonly open: () => Promise<TestDatabase>
}

/** Every driver that a hub can be configured with. */
export const databaseDrivers: readonly DatabaseDriver[] = [
  { name: 'sqlite', needs: [], open: sqliteDatabase },
  { name: 'postgres', needs: ['postgres'], open: postgresTestDatabase },
  { name: 'mysql', needs: ['mysql'], open: mysqlTestDatabase },
  { name: 'firestore', needs: ['firestore'], open: firestoreTestDatabase }
]

/**
 * Where that is tested which goes by the storage as its contract has it, which is tested on each: in a file and on a server; with
 * `HUB_TEST_DRIVERS=all` on every driver.
 */
export const usualDatabaseDrivers = isFull ? databaseDrivers : databaseDrivers.slice(0, 2)
