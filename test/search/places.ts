import {
  firestoreTestDatabase,
  memoryDatabase,
  mysqlTestDatabase,
  postgresTestDatabase,
  sqliteDatabase,
  type TestDatabase
} from '../contract/databases.js'
import type { ServiceName } from '../support/services.js'

/** Every driver, with what it needs. */
export const places: readonly (readonly [string, readonly ServiceName[], () => Promise<TestDatabase>])[] = [
  ['memory', [], memoryDatabase],
  ['sqlite', [], sqliteDatabase],
  ['postgres', ['postgres'], postgresTestDatabase],
  ['mysql', ['mysql'], mysqlTestDatabase],
  ['firestore', ['firestore'], firestoreTestDatabase]
]
