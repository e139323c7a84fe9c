import type { EnvironmentContent } from '../commands/environment/events.js'
import { nullify, remove, table } from './define.js'
import { lockable, lockableColumns, lockableIndexes } from './lockable.js'

export const environmentsTable = table({
  name: 'environments',
  columns: { parentUuid: 'id?', ...lockableColumns },
  indexes: lockableIndexes,
  scope: 'id'
})

export const environments = lockable('Environment', {
  table: environmentsTable,
  version: 1,
  columns: ({ parentUuid }: EnvironmentContent) => ({ parentUuid }),
  body: ({ parentUuid: _, ...body }) => body,
  handlers: {
    EnvironmentDeleted: (e) => [
      remove(environmentsTable, e.subject),
      nullify(environmentsTable, e, ['parentUuid'], e.subject)
    ]
  }
})
