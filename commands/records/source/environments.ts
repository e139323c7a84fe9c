import { environmentsTable } from '../../../projections/environments.js'
import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import { allows, type Context, requireRevision, requireUser } from '../../context.js'
import { emitEnvironment } from '../environment/events.js'
import type { EnvironmentContent } from '../environment/fields.js'
import { environmentKind } from '../kinds.js'
import { requireWildcard } from '../lockable.js'

/** What an import does about one environment. `revision` is what it has come to: all is refused where that is no longer so. */
export type EnvironmentChange = { readonly id: string; readonly content: EnvironmentContent } & (
  | { readonly what: 'create' }
  | { readonly what: 'update'; readonly revision: number }
)

/**
 * Decides on the environments that a file brings. Refuses who may not make, or change, each of them, and with 412 where one is not
 * as it was when the changes were found.
 */
export async function environmentEvents(
  changes: readonly EnvironmentChange[],
  { caller, read }: Pick<Context, 'caller' | 'read'>
): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  const made = new Set<string>()
  for (const change of changes) {
    const { id, content } = change
    const row = await read.get(environmentsTable, id)
    if (change.what === 'create') {
      requireWildcard(caller, environmentKind)
      if (row) throw errors.changed()
    } else {
      requireUser(caller)
      if (!allows(caller.environmentAccess, id)) throw errors.forbidden()
      if (!row) throw errors.changed()
      requireRevision(row, [change.revision])
    }
    const { parentUuid } = content
    if (parentUuid !== null && !made.has(parentUuid)) await requireAbove(id, parentUuid, read)
    made.add(id)
    events.push(emitEnvironment(id, change.what === 'create' ? 'EnvironmentCreated' : 'EnvironmentUpdated', content))
  }
  return events
}

/** Refuses a parent that is not there, or that is below the environment itself by now. */
async function requireAbove(id: string, parentUuid: string, read: Context['read']): Promise<void> {
  for (let above: string | null = parentUuid; above !== null; ) {
    const row: { readonly parentUuid: string | null } | null | undefined = await read.get(environmentsTable, above)
    if (!row || above === id) throw errors.changed()
    above = row.parentUuid
  }
}
