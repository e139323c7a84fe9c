import type { IdempotencyEvent } from '../commands/log/idempotency/events.js'
import { idempotencyKeysTable } from '../commands/log/idempotency/table.js'
import { projector, putOther, removeWhere } from './define.js'

export const idempotencyKeys = projector<IdempotencyEvent>(idempotencyKeysTable, 1, {
  IdempotencyKeyUsed: (e) => {
    const { keyHash, bodyHash, resourceId: subject, expiresAt, expiredDay } = e.data
    const columns = { day: expiresAt.slice(0, 10), expiresAt, bodyHash, subject }
    const row = putOther(idempotencyKeysTable, e, keyHash, columns, {})
    return expiredDay === undefined ? [row] : [removeWhere(idempotencyKeysTable, 'day', expiredDay), row]
  }
})
