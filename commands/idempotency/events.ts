import { z } from 'zod'
import { begin, type EventsOf, emitter } from '../event.js'

export const idempotencyEvents = {
  /** A command was carried out under a key: the last event of its commit, and the only one of its stream. */
  IdempotencyKeyUsed: begin(
    z.object({
      key: z.string(),
      bodyHash: z.string(),
      /** What the command made or changed; null where that is not one thing. */
      subject: z.string().nullable(),
      expiresAt: z.string(),
      /** A day that is over, and with it all keys that expired on it: they are forgotten. */
      forgets: z.string().optional()
    })
  )
}
export type IdempotencyEvent = EventsOf<typeof idempotencyEvents>
export const emitKey = emitter('key', idempotencyEvents)
