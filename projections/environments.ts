import type { EnvironmentContent, EnvironmentEvent } from '../commands/environment/events.js'
import type { ImportEvent } from '../commands/import/events.js'
import type { UserEvent } from '../commands/user/events.js'
import type { RowOp } from '../src/storage/storage.js'
import {
  attribution,
  createdBy,
  type ImportedAs,
  nullify,
  patch,
  projector,
  put,
  remove,
  table,
  updatedBy
} from './define.js'
import { sortKey } from './keys.js'

/** Environments. The body is the record without parent, attribution and lock. */
export const environmentsTable = table({
  name: 'environments',
  columns: { sortKey: 'name', parentUuid: 'id?', deletionLocked: 'flag', ...attribution },
  indexes: { byName: { by: [], order: ['sortKey'] } },
  scope: 'id'
})

/** The content of an environment's record, as its body holds it. */
export const environmentBody = (id: string, { name, variables, marker }: EnvironmentContent) => ({
  id,
  name,
  variables,
  marker
})

const columns = ({ name, parentUuid }: EnvironmentContent) => ({ sortKey: sortKey(name), parentUuid })

function takenOver(e: ImportedAs<'EnvironmentImported'>): readonly RowOp[] {
  const { content, deletionLocked, origin } = e.data
  return [
    put(environmentsTable, e, { deletionLocked, ...columns(content), ...origin }, environmentBody(e.subject, content))
  ]
}

export const environments = projector<EnvironmentEvent | UserEvent | ImportEvent>(environmentsTable, 1, {
  EnvironmentImported: takenOver,
  EnvironmentRestored: takenOver,
  EnvironmentCreated: (e) => [
    put(
      environmentsTable,
      e,
      { deletionLocked: false, ...columns(e.data), ...createdBy(e) },
      environmentBody(e.subject, e.data)
    )
  ],
  EnvironmentUpdated: (e) => [
    patch(environmentsTable, e, { ...columns(e.data), ...updatedBy(e) }, environmentBody(e.subject, e.data))
  ],
  EnvironmentDeletionLocked: (e) => [patch(environmentsTable, e, { deletionLocked: true })],
  EnvironmentDeletionUnlocked: (e) => [patch(environmentsTable, e, { deletionLocked: false })],
  EnvironmentDeleted: (e) => [
    remove(environmentsTable, e.subject),
    nullify(environmentsTable, e, ['parentUuid'], e.subject)
  ],
  UserDeleted: (e) => [nullify(environmentsTable, e, ['createdBy', 'updatedBy'], e.subject)]
})
