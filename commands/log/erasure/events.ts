import { z } from 'zod'
import { type EventsOf, emitter, event, renaming } from '../../event.js'

/**
 * What was taken out of the log for ever. The log itself says so, or whoever verifies it would call it tampering. A stream is named
 * after what the erasure is about, where that is one thing.
 */
export const erasureEvents = {
  /**
   * Everything that happened to a deleted account or record: the payloads at these positions. `undone` are the deletions of other
   * things of which one of these payloads alone has told that they are undone: the positions of the deletion, and of who has told it.
   */
  PayloadsErased: event(
    z.object({
      kind: z.string(),
      id: z.string(),
      positions: z.array(z.number()),
      undone: z.array(z.object({ position: z.number(), by: z.number() })).optional()
    })
  ),
  /** Names and addresses in all events behind one position and up to another: of one account, or with null of everybody. */
  NamesErased: event(
    z.object({ actorId: z.string().nullable(), afterPosition: z.number(), throughPosition: z.number() }),
    renaming({ after: 'afterPosition', through: 'throughPosition' })
  ),
  /** One value in one payload. `remainingHash` is the sha256 of the payload without it, which is now in its place. */
  ValueErased: event(
    z.object({
      kind: z.string(),
      id: z.string(),
      position: z.number(),
      path: z.string(),
      remainingHash: z.string()
    }),
    renaming({ left: 'remainingHash' })
  )
}
export type ErasureEvent = EventsOf<typeof erasureEvents>
export const emitErasure = emitter('erasure', erasureEvents)
