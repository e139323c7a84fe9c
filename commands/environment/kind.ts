import { environmentsTable } from '../../projections/environments.js'
import type { LockableKind } from '../kind.js'
import { lockableKind } from '../lockable.js'
import { type EnvironmentContent, emitEnvironment, environmentContent } from './events.js'

export const environmentKind: LockableKind<'Environment', EnvironmentContent, typeof environmentsTable.columns> =
  lockableKind({
    emit: emitEnvironment,
    label: 'Environment',
    plural: 'environments',
    access: 'environmentAccess',
    table: environmentsTable,
    listed: 'byName',
    content: environmentContent,
    columns: ['parentUuid'],
    update({ content: { parentUuid, ...rest }, ...command }, hasParent) {
      return { type: 'UpdateEnvironment', ...command, content: hasParent ? { ...rest, parentUuid } : rest }
    }
  })
