import type { Storage } from '../src/storage/storage.js'
import { type Migration, migrations } from './index.js'

/** How the schema of a database stands to this version of the hub. */
export type SchemaState = 'current' | 'older' | 'newer'

/** Compares what a database has with what this version knows. */
export async function schemaState(storage: Storage): Promise<SchemaState> {
  const applied = new Set(await storage.schema.applied())
  if ([...applied].some((number) => number > migrations.length)) return 'newer'
  return pendingOf(applied).length > 0 ? 'older' : 'current'
}

/** Applies what is missing, in order, while no other process does, and returns what was applied. */
export function migrate(storage: Storage, now: () => number = Date.now): Promise<readonly Migration[]> {
  return storage.schema.exclusively(async () => {
    const pending = pendingOf(new Set(await storage.schema.applied()))
    for (const { number, name, up } of pending) {
      await up(storage)
      await storage.schema.record(number, name, new Date(now()).toISOString())
    }
    return pending
  })
}

function pendingOf(applied: ReadonlySet<number>): readonly Migration[] {
  return migrations.filter(({ number }) => !applied.has(number))
}
