import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import { allows, type Context, requireChange, requireRevision } from '../../context.js'
import { emitEnvironment } from '../environment/events.js'
import type { EnvironmentContent } from '../environment/fields.js'
import { environmentsTable } from '../environment/table.js'
import { requireAccess } from '../kind.js'
import { environmentKind } from '../kinds.js'
import { requireWildcard } from '../lockable.js'
import { tombstonesTable } from '../undelete/table.js'
import { isAnyWithin } from '../within.js'

/** What an import does about one environment. `revision` is what it has come to: all is refused where that is no longer so. */
export type EnvironmentChange = { readonly id: string; readonly content: EnvironmentContent } & (
  | { readonly what: 'create' }
  | { readonly what: 'update'; readonly revision: number }
)

/**
 * Decides on the environments that a file brings. Refuses who may not make, or change, each of them, and with 412 where one is not
 * as it was when the changes were found, at the position `asOf`.
 */
export async function environmentEvents(
  changes: readonly EnvironmentChange[],
  asOf: number,
  { caller, read }: Pick<Context, 'caller' | 'read'>
): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  const parents = new Map<string, string | null>()
  const ids = changes.map(({ id }) => id)
  const rows = new Map((await read.getAll(environmentsTable, ids, { body: false })).map((row) => [row.id, row]))
  const [gone] = await read.list(tombstonesTable, 'byState', ['deleted'], { reverse: true, limit: 1, body: false })
  const isAnyGone = gone !== undefined && gone.position > asOf
  for (const change of changes) {
    const { id, content } = change
    const row = rows.get(id)
    if (change.what === 'create') {
      requireWildcard(caller, environmentKind)
      // An id that was free may have a past by now, too.
      const [past] = isAnyGone ? await read.list(tombstonesTable, 'bySubject', [id], { limit: 1, body: false }) : []
      if (row || past) throw errors.changed()
    } else {
      requireAccess(caller, environmentKind, id)
      requireChange(caller, id)
      if (!row) throw errors.changed()
      requireRevision(row, [change.revision])
    }
    const { parentUuid } = content
    if (parentUuid !== null && parentUuid !== row?.parentUuid && !allows(caller.environmentAccess, parentUuid))
      throw errors.unknownIds('environment', [parentUuid])
    parents.set(id, parentUuid)
    events.push(emitEnvironment(id, change.what === 'create' ? 'EnvironmentCreated' : 'EnvironmentUpdated', content))
  }
  const parentOf = async (one: string) => {
    const row = await read.get(environmentsTable, one)
    if (!row) throw errors.changed()
    return row.parentUuid
  }
  if (await isAnyWithin(parents, parentOf)) throw errors.changed()
  return events
}
