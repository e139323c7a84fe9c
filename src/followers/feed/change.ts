import { z } from 'zod'
import { allows, type Caller } from '../../../commands/context.js'
import { codec } from '../../../commands/index.js'
import { isConfined } from '../../../commands/people/token/scopes.js'
import { asEditor } from '../../../commands/people/user/system.js'
import { isMember, isRecord, kinds } from '../../../commands/records/kinds.js'
import { commentAbout } from '../../../commands/talk/comment/events.js'
import { decoded } from '../../log/codec.js'
import { type StoredEvent, subjectOf } from '../../log/event.js'

/** That something has changed, and what: never what it is now. Whoever wants to know that reads it, with the access of then. */
export const feedChange = z.object({
  position: z.int().min(0).describe('The position of the event in the log.'),
  at: z.iso.datetime().describe('When it happened.'),
  type: z.string().describe('What happened, such as `RequestUpdated`.'),
  kind: z
    .string()
    .describe(
      'The kind of thing: a kind of record, `comment` or `user`; for administrators any other kind too. What changes of a group is told its members as a change of their own account.'
    ),
  id: z.string().describe('The id of what has changed.'),
  collectionId: z
    .string()
    .nullable()
    .describe('The id of the collection that it is in, or is; null for what is in none.'),
  actorId: z.string().describe('The id of the account that changed it.')
})
export type FeedChange = Readonly<z.infer<typeof feedChange>>

/** A change with every collection that it concerns: an item that goes to another one concerns both. */
export interface FeedEntry {
  readonly change: Omit<FeedChange, 'collectionId'>
  readonly collections: readonly string[]
  /** True where every user may see what it is about, which is in no collection. */
  readonly isForAll?: true
}

const text = z.string().nullish().catch(null)
const collectionIds = z.object({ collectionId: text, previousCollectionId: text })

/**
 * What of an event the feed tells. It holds nothing of its payload but ids. An event of a newer version, whose payload cannot be
 * read here, concerns no collection.
 */
export function feedEntryOf(event: StoredEvent): FeedEntry {
  const { position, at, type, schema, stream, actorId, payload } = event
  const kind = stream.slice(0, stream.indexOf('-'))
  const id = subjectOf(stream)
  const change = { position, at, type, kind, id, actorId }
  if (kind === 'collection') return { change, collections: [id] }
  const isReadable = payload.text !== null && codec.knows(type) && schema <= codec.schemaOf(type)
  if (!isReadable) return { change, collections: [] }
  if (kind === 'comment') return { change, ...commentSeen(decoded(event, codec).data) }
  if (!isMember(kind)) return { change, collections: [] }
  const { collectionId, previousCollectionId } = collectionIds.parse(decoded(event, codec).data)
  return { change, collections: [collectionId, previousCollectionId].filter((one) => typeof one === 'string') }
}

/** A comment is seen by whoever may see what it is about. */
function commentSeen(data: unknown): Omit<FeedEntry, 'change'> {
  const { target, collectionId } = commentAbout.parse(data)
  if (collectionId !== null) return { collections: [collectionId] }
  return target.kind === 'runResult' ? { collections: [], isForAll: true } : { collections: [] }
}

/**
 * The change as somebody may see it; null where they may not. Users see what their access lists allow, and their own account,
 * by which they learn that their access has changed: that of a group of theirs they see as one of it. Administrators see everything.
 * A token that is limited to collections sees what is in them, and nothing of what is said about run results: no event says which
 * collection one is of.
 */
export function seenBy(entry: FeedEntry, asking: Caller): FeedChange | null {
  const { change, collections, isForAll } = entry
  const caller = asking.role === 'admin' && isConfined(asking) ? asEditor(asking) : asking
  const shown = (collectionId: string | null): FeedChange => ({ ...change, collectionId })
  if (caller.role === 'admin') return shown(collections[0] ?? null)
  if (change.kind === 'user') return change.id === caller.userId ? shown(null) : null
  if (change.kind === 'group')
    return caller.groups?.includes(change.id) ? { ...shown(null), kind: 'user', id: caller.userId } : null
  if (isForAll) return isConfined(caller) ? null : shown(null)
  const kind = isRecord(change.kind) ? kinds[change.kind] : null
  // A collection is in itself.
  if (kind && !kind.isMember && collections.length === 0)
    return allows(caller[kind.access], change.id) ? shown(null) : null
  const visible = collections.find((one) => allows(caller.collectionAccess, one))
  return visible === undefined ? null : shown(visible)
}
