import { errors } from '../../../src/errors.js'
import { allows, type Context, type Deciders } from '../../context.js'
import type { OptionalOf } from '../fields.js'
import { changeable, deleteAsAdmin, type Target } from '../kind.js'
import { environmentKind } from '../kinds.js'
import { deleteLockable, type Lock, requireWildcard, setLock } from '../lockable.js'
import { isWithin } from '../within.js'
import { emitEnvironment } from './events.js'
import type { environmentFields, SubmittedEnvironment } from './fields.js'
import { environmentsTable } from './table.js'

export type EnvironmentCommand =
  | ({ readonly type: 'CreateEnvironment'; readonly id: string; readonly name: string } & OptionalOf<
      typeof environmentFields
    >)
  | ({ readonly type: 'UpdateEnvironment'; readonly content: SubmittedEnvironment } & Target)
  | ({ readonly type: 'DeleteEnvironment' } & Target)
  | ({ readonly type: 'LockEnvironment' } & Lock)
  | ({ readonly type: 'DeleteEnvironmentAsAdmin' } & Target)

/** Decides on one environment (section 4, Environments). */
export const environmentDeciders: Deciders<EnvironmentCommand> = {
  async CreateEnvironment({ type: _, id, ...given }, context) {
    requireWildcard(context.caller, environmentKind)
    const content = environmentKind.whole({ variables: [], ...given }, null)
    await requireParent(id, content.parentUuid, context)
    return [emitEnvironment(id, 'EnvironmentCreated', content)]
  },
  async UpdateEnvironment(command, context) {
    const row = await changeable(environmentKind, command, context)
    const content = environmentKind.whole(command.content, row)
    if (content.parentUuid !== row.parentUuid) await requireParent(row.id, content.parentUuid, context)
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
  const parentOf = async (one: string) => {
    const row = await read.get(environmentsTable, one)
    if (!row) throw errors.unknownIds('environment', [one])
    return row.parentUuid
  }
  if (await isWithin(parentUuid, id, parentOf)) throw errors.environmentInItself()
}
