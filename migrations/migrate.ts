import { versions } from '../projections/index.js'
import { liveProjections } from '../src/ledger/rebuild.js'
import { isNewerSchema, SCHEMA, textOfWriting, writingOf } from '../src/ledger/release.js'
import type { Storage } from '../src/storage/storage.js'
import { type Migration, migrations } from './index.js'

/** How the schema of a database stands to this version of the hub. */
export type SchemaState = 'current' | 'older' | 'newer'

/** Compares what a database has with what this version knows. */
export async function schemaState(storage: Pick<Storage, 'schema' | 'head'>): Promise<SchemaState> {
  const applied = new Set(await storage.schema.applied())
  if ([...applied].some((number) => number > SCHEMA)) return 'newer'
  // The head names a schema before it is there, so that nobody writes under the one before it meanwhile.
  if (applied.size > 0 && isNewerSchema(await storage.head())) return 'newer'
  return pendingOf(applied).length > 0 ? 'older' : 'current'
}

/**
 * Applies what is missing, in order, while no other process does, and returns what was applied. Whoever writes under an earlier
 * schema is stopped before a step changes anything.
 */
export function migrate(storage: Storage, now: () => number = Date.now): Promise<readonly Migration[]> {
  return storage.schema.exclusively(async () => {
    const applied = new Set(await storage.schema.applied())
    const pending = pendingOf(applied)
    const isNew = applied.size === 0
    if (!isNew) await nameSchema(storage, isNew)
    for (const { number, name, up } of pending) {
      await up(storage)
      await storage.schema.record(number, name, new Date(now()).toISOString())
    }
    await nameSchema(storage, isNew)
    return pending
  })
}

/** Names this schema in the head where another one stands, with the projectors that the live tables were built by. */
async function nameSchema(storage: Storage, isNew: boolean): Promise<void> {
  const head = await storage.head()
  const written = writingOf(head)
  if (written?.schema === SCHEMA || isNewerSchema(head)) return
  const projections = written?.projections ?? (isNew ? versions : (await liveProjections(storage)).built)
  await storage.schema.writeUnder(textOfWriting({ schema: SCHEMA, projections }))
}

function pendingOf(applied: ReadonlySet<number>): readonly Migration[] {
  return migrations.filter(({ number }) => !applied.has(number))
}
