import type { Storage } from '../src/storage/storage.js'
import { fences } from './fences.js'
import { headSeal } from './head-seal.js'
import { logIndexes } from './log-indexes.js'

/** One step of the schema, frozen once released. It may be interrupted and is then run again from its beginning. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly up: (storage: Storage) => Promise<void>
}

/** Every migration, ascending and without gaps. */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'log-and-read-tables',
    up: (storage) => storage.schema.createTables()
  },
  { number: 2, ...headSeal },
  { number: 3, ...logIndexes },
  { number: 4, ...fences }
]
