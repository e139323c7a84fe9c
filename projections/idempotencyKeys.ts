import type { IdempotencyEvent } from '../commands/log/idempotency/events.js'
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
    const { keyHash, bodyHash, resourceId: subject, expiresAt, expiredDay } = e.data
    const columns = { day: expiresAt.slice(0, 10), expiresAt, bodyHash, subject }
    const row = putOther(idempotencyKeysTable, e, keyHash, columns, {})
    return expiredDay === undefined ? [row] : [removeWhere(idempotencyKeysTable, 'day', expiredDay), row]
  }
})
