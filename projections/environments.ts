import { type EnvironmentContent, environmentFields } from '../commands/records/environment/fields.js'
import { versionOf } from '../commands/records/fields.js'
import { attribution, nullify, remove, table } from './define.js'
import { lockable, lockableIndexes } from './lockable.js'

export const environmentsTable = table({
  name: 'environments',
  // In the order in which rows are digested.
  columns: { sortKey: 'name', parentUuid: 'id?', deletionLocked: 'flag', ...attribution },
  indexes: lockableIndexes,
  scope: 'id'
})

export const environments = lockable('Environment', {
  table: environmentsTable,
  version: versionOf(environmentFields),
  columns: ({ parentUuid }: EnvironmentContent) => ({ parentUuid }),
  body: ({ parentUuid: _, ...body }) => body,
  handlers: {
    EnvironmentDeleted: (e) => [
      remove(environmentsTable, e.subject),
      nullify(environmentsTable, e, ['parentUuid'], e.subject)
    ]
  }
})
