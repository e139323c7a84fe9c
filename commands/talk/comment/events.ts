import { z } from 'zod'
import { begin, type EventsOf, emitter, event } from '../../event.js'
import { encryptedPayload } from './payload.js'

/** What can be discussed, as clients call it. */
export const DISCUSSED_KINDS = ['request', 'collection', 'folder', 'runResult'] as const
export type DiscussedKind = (typeof DISCUSSED_KINDS)[number]

/** How deep a discussion nests: a comment, a reply, and replies to it beside each other. */
export const DEPTH_MAX = 3

const discussed = z.object({ kind: z.enum(DISCUSSED_KINDS), id: z.string() })
/** The thing that a comment is about. */
export type Discussed = z.infer<typeof discussed>

/** Every event says what it is about, and in which collection that was: null for what is in none. */
const about = { target: discussed, collectionId: z.string().nullable() }

export const commentAbout = z.object(about)

/** What somebody says: a text, or what their device has encrypted, with an empty text beside it. */
const said = { text: z.string(), encrypted: encryptedPayload.optional() }

export const writtenComment = z.object({
  ...about,
  /** The comment that it answers, and the one that its thread begins with, which may be itself. */
  parentId: z.string().nullable(),
  rootId: z.string(),
  depth: z.number(),
  ...said,
  /** The accounts that it mentions by name, of those that might see it. */
  mentions: z.array(z.string())
})

export type WrittenComment = z.infer<typeof writtenComment>

export const commentEvents = {
  CommentWritten: begin(writtenComment),
  CommentEdited: event(z.object({ ...about, ...said })),
  /** Its text is shown no more; it keeps its place, and what was answered to it. */
  CommentRetracted: event(commentAbout),
  /** Of the comment that a thread begins with: what it asks is settled, or open again. */
  ThreadResolved: event(commentAbout),
  ThreadReopened: event(commentAbout)
}
export type CommentEvent = EventsOf<typeof commentEvents>
export const emitComment = emitter('comment', commentEvents)
