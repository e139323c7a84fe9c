import type { Storage } from '../src/storage/storage.js'

/** One step of the schema, frozen once released. It may be interrupted and is then run again from its beginning. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly up: (storage: Storage) => Promise<void>
}

/** Every migration, ascending. */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'schema',
    up: ({ schema }) => schema.createTables()
  }
]

/** The number of the last migration. */
export const NEWEST = migrations.at(-1)?.number ?? 0
