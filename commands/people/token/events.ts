import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event, type Upcast } from '../../event.js'

/** Version 1 knew no agents. */
const tokenFromVersion1: Upcast = (data) => ({ ...z.looseObject({}).parse(data), agentWrites: false })

export const tokenEvents = {
  /** `hash` is the sha256 of the secret, which itself is nowhere. With `agentWrites` agents may write with the token. */
  TokenCreated: begin(
    z.object({
      userId: z.string(),
      name: z.string(),
      prefix: z.string(),
      hash: z.string(),
      agentWrites: z.boolean()
    }),
    tokenFromVersion1
  ),
  TokenRevoked: event(empty),
  TokenDeleted: event(empty)
}
export type TokenEvent = EventsOf<typeof tokenEvents>
export const emitToken = emitter('token', tokenEvents)
