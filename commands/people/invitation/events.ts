import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

export const invitationEvents = {
  /** `hash` is the sha256 of the single-use secret, which itself is nowhere. */
  InvitationCreated: begin(
    z.object({ userId: z.string(), hash: z.string(), prefix: z.string(), expiresAt: z.string() })
  ),
  InvitationRedeemed: event(z.object({ tokenId: z.string() })),
  InvitationRevoked: event(empty)
}
export type InvitationEvent = EventsOf<typeof invitationEvents>
export const emitInvitation = emitter('invitation', invitationEvents)
