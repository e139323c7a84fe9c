import { environmentsTable } from '../../projections/environments.js'
import { errors } from '../../src/errors.js'
import { allows, type Context, type Deciders } from '../context.js'
import { changeable, deleteAsAdmin, type Target } from '../kind.js'
import { environmentKind } from '../kinds.js'
import { deleteLockable, type Lock, markerOf, requireWildcard, setLock } from '../lockable.js'
import { type EnvironmentContent, emitEnvironment } from './events.js'

interface Optional {
  readonly marker?: string | null | undefined
  readonly parentUuid?: string | null | undefined
}

type Changes = Omit<EnvironmentContent, keyof Optional> & Optional

export type EnvironmentCommand =
  | ({ readonly type: 'CreateEnvironment'; readonly id: string; readonly name: string } & Optional)
  | ({ readonly type: 'UpdateEnvironment'; readonly content: Changes } & Target)
  | ({ readonly type: 'DeleteEnvironment' } & Target)
  | ({ readonly type: 'LockEnvironment' } & Lock)
  | ({ readonly type: 'DeleteEnvironmentAsAdmin' } & Target)

/** Decides on one environment (section 4, Environments). */
export const environmentDeciders: Deciders<EnvironmentCommand> = {
  async CreateEnvironment({ id, name, marker = null, parentUuid = null }, context) {
    requireWildcard(context.caller, environmentKind)
    await requireParent(id, parentUuid, context)
    return [emitEnvironment(id, 'EnvironmentCreated', { name, variables: [], marker, parentUuid })]
  },
  async UpdateEnvironment(command, context) {
    const row = await changeable(environmentKind, command, context)
    const { name, variables, marker = markerOf(row), parentUuid = row.parentUuid } = command.content
    if (parentUuid !== row.parentUuid) await requireParent(row.id, parentUuid, context)
    const content = { name, variables, marker, parentUuid }
    return environmentKind.holds(row, content) ? [] : [emitEnvironment(row.id, 'EnvironmentUpdated', content)]
  },
  DeleteEnvironment: deleteLockable(environmentKind),
  LockEnvironment: setLock(environmentKind),
  DeleteEnvironmentAsAdmin: deleteAsAdmin(environmentKind)
}

/**
 * A parent must exist and must not be the environment itself or anything below it. One that the caller may not see is refused
 * as one that is not there.
 */
async function requireParent(id: string, parentUuid: string | null, { caller, read }: Context): Promise<void> {
  if (parentUuid !== null && !allows(caller.environmentAccess, parentUuid))
    throw errors.unknownIds('environment', [parentUuid])
  for (let above = parentUuid; above !== null; ) {
    if (above === id) throw errors.environmentInItself()
    const row = await read.get(environmentsTable, above)
    if (!row) throw errors.unknownIds('environment', [above])
    above = row.parentUuid
  }
}
