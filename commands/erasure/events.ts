import { z } from 'zod'
import { begin, type EventsOf, emitter } from '../event.js'

/** What was taken out of the log for ever. The log itself says so, or whoever verifies it would call it tampering. */
export const erasureEvents = {
  /** Everything that happened to a deleted account or record: the payloads at these positions. */
  PayloadsErased: begin(z.object({ kind: z.string(), id: z.string(), positions: z.array(z.number()) })),
  /** Names and addresses in all events up to a position: of one account, or with null of everybody. */
  NamesErased: begin(z.object({ actorId: z.string().nullable(), after: z.number(), through: z.number() })),
  /** One value in one payload. `left` is the sha256 of the payload without it, which is now in its place. */
  ValueErased: begin(
    z.object({ kind: z.string(), id: z.string(), position: z.number(), path: z.string(), left: z.string() })
  )
}
export type ErasureEvent = EventsOf<typeof erasureEvents>
export const emitErasure = emitter('erasure', erasureEvents)
