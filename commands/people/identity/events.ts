import { z } from 'zod'
import { begin, type EventsOf, emitter, event } from '../../event.js'

const tokens = z.array(z.string())

export const identityEvents = {
  /**
   * From now on whoever signs in at the provider as this subject is that account, whatever they are called there. `provider` is its id
   * in the configuration, `name` what it calls them, `key` the sha256 of issuer and subject, by which they are found.
   */
  IdentityBound: begin(
    z.object({
      userId: z.string(),
      provider: z.string(),
      issuer: z.string(),
      subject: z.string(),
      name: z.string(),
      key: z.string()
    })
  ),
  /** They signed in, and got this token until `expiresAt`. `session` is the sha256 of the issuer and what it calls the session; null where it does not say. */
  IdentitySignedIn: event(
    z.object({ userId: z.string(), tokenId: z.string(), expiresAt: z.string(), session: z.string().nullable() })
  ),
  /**
   * The provider has logged them out, or lets them in no more, and these tokens of their account have ended; or they have signed out
   * everywhere, and these sessions have.
   */
  IdentitySignedOut: event(z.object({ reason: z.enum(['provider', 'notAllowed', 'self']), tokens })),
  /** It is bound to no account any more, and these tokens have ended. */
  IdentityUnbound: event(z.object({ tokens }))
}
export type IdentityEvent = EventsOf<typeof identityEvents>
export const emitIdentity = emitter('identity', identityEvents)
