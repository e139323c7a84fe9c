import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event, type Upcast } from '../../event.js'

/** Version 1 knew no agents. */
const tokenFromVersion1: Upcast = (data) => ({ ...z.looseObject({}).parse(data), agentWrites: false })

/** Version 2 knew no end and no scopes. */
const tokenFromVersion2: Upcast = (data) => ({ ...z.looseObject({}).parse(data), expiresAt: null, scopes: null })

export const tokenEvents = {
  /**
   * `hash` is the sha256 of the secret, which itself is nowhere. With `agentWrites` agents may write with the token. It is in force
   * until `expiresAt` (ISO 8601), or with null until it is revoked, and for what `scopes` name, or with null for all that its account may.
   */
  TokenCreated: begin(
    z.object({
      userId: z.string(),
      name: z.string(),
      prefix: z.string(),
      hash: z.string(),
      agentWrites: z.boolean(),
      expiresAt: z.string().nullable(),
      scopes: z.array(z.string()).nullable()
    }),
    tokenFromVersion1,
    tokenFromVersion2
  ),
  /** It ends earlier than was said: another one takes its place. */
  TokenReplaced: event(z.object({ by: z.string(), expiresAt: z.string() })),
  TokenRevoked: event(empty),
  TokenDeleted: event(empty)
}
export type TokenEvent = EventsOf<typeof tokenEvents>
export const emitToken = emitter('token', tokenEvents)
