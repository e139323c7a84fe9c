import { z } from 'zod'
import { begin, type EventsOf, emitter, renaming } from '../../event.js'

export const idempotencyEvents = {
  /** A command was carried out under a key: the last event of its commit, and the only one of its stream. */
  IdempotencyKeyUsed: begin(
    z.object({
      /** The sha256 of the key with whose it is and where it was sent. */
      keyHash: z.string(),
      bodyHash: z.string(),
      /** The id of what the command made or changed; null where that is not one thing. */
      resourceId: z.string().nullable(),
      expiresAt: z.string(),
      /** A day that is over, `YYYY-MM-DD`: all keys that expired on it are removed. */
      expiredDay: z.string().optional()
    }),
    renaming({ key: 'keyHash', subject: 'resourceId', forgets: 'expiredDay' })
  )
}
export type IdempotencyEvent = EventsOf<typeof idempotencyEvents>
export const emitKey = emitter('key', idempotencyEvents)
