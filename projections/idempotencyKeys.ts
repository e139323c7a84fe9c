import type { IdempotencyEvent } from '../commands/idempotency/events.js'
import { projector, putOther, removeWhere, table } from './define.js'

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

export const idempotencyKeys = projector<IdempotencyEvent>(idempotencyKeysTable, 1, {
  IdempotencyKeyUsed: (e) => {
    const { key, forgets, ...use } = e.data
    const row = putOther(idempotencyKeysTable, e, key, { day: use.expiresAt.slice(0, 10), ...use }, {})
    return forgets === undefined ? [row] : [removeWhere(idempotencyKeysTable, 'day', forgets), row]
  }
})
