import { z } from 'zod'
import { empty } from '../content.js'
import { begin, type EventsOf, emitter, event } from '../event.js'

export const tokenEvents = {
  /** `hash` is the sha256 of the secret, which itself is nowhere. */
  TokenCreated: begin(z.object({ userId: z.string(), name: z.string(), prefix: z.string(), hash: z.string() })),
  TokenRevoked: event(empty),
  TokenDeleted: event(empty)
}
export type TokenEvent = EventsOf<typeof tokenEvents>
export const emitToken = emitter('token', tokenEvents)
