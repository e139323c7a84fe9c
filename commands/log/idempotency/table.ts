import { table } from '../../table.js'

/**
 * The keys under which commands were carried out in the last days, each with the day on which it expires. A row's revision is
 * where the log ended after its command.
 */
export const idempotencyKeysTable = table({
  name: 'idempotencyKeys',
  columns: { day: 'id', expiresAt: 'time', bodyHash: 'id', subject: 'id?' },
  indexes: { byDay: { by: [], order: ['day'] } },
  scope: 'id'
})
