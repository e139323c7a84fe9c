import { z } from 'zod'
import { begin, type EventsOf, emitter } from '../../event.js'
import { commentAbout } from '../comment/events.js'

/**
 * What devices send each other by way of the hub, so that those of a discussion share its keys. The hub reads none of it: it keeps
 * the order, and says who may send and read. A discussion has one group, which goes by what is discussed.
 */
export const mlsCommitEvents = {
  /** The group is at this epoch from here on. */
  MlsCommitPosted: begin(
    commentAbout.extend({ epoch: z.number(), ciphertext: z.string(), senderDeviceId: z.string() })
  ),
  /** What was sent in the group until here counts no more: the next commit is its first one. */
  MlsGroupRestarted: begin(commentAbout)
}
export type MlsCommitEvent = EventsOf<typeof mlsCommitEvents>
export const emitMlsCommit = emitter('mlscommit', mlsCommitEvents)

export const mlsWelcomeEvents = {
  /** A device is let into the group: the enrolment `recipientId` of the account `ownerId`, which calls itself `recipientDeviceId`. */
  MlsWelcomePosted: begin(
    commentAbout.extend({
      recipientId: z.string(),
      ownerId: z.string(),
      recipientDeviceId: z.string(),
      ciphertext: z.string(),
      ratchetTree: z.string()
    })
  )
}
export type MlsWelcomeEvent = EventsOf<typeof mlsWelcomeEvents>
export const emitMlsWelcome = emitter('mlswelcome', mlsWelcomeEvents)
