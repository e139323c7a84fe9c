import { type EnvironmentContent, environmentFields } from '../commands/records/environment/fields.js'
import { environmentsTable } from '../commands/records/environment/table.js'
import { versionOf } from '../commands/records/fields.js'
import { nullify, remove } from './define.js'
import { lockable } from './lockable.js'

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
