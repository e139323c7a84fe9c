import { importedKinds } from '../../commands/takeover/events.js'
import { NOTICE_DAYS } from '../../src/followers/notices/news.js'
import type { LegacyRecord } from './read.js'
import type { LegacySource } from './source.js'
import { type People, personOf } from './users.js'

const DAY_MS = 86_400_000

/** What happened since then is told of here. There notices were kept for ever. */
export function toldSince(now: string): string {
  return new Date(Date.parse(now) - NOTICE_DAYS * DAY_MS).toISOString()
}

/** Which of the notices of an account were read, and when: by the stream of what they are about. */
export type ReadThere = ReadonlyMap<string, { readonly createdAt: string; readonly readAt: string | null }>

/** What of the records taken over notices can tell of. */
export interface News {
  /** Who saved each request last. */
  readonly savedBy: ReadonlyMap<string, string>
  readonly runResults: ReadonlySet<string>
  /** Comments that are taken; of those that were taken back nobody is told. */
  readonly comments: ReadonlyMap<string, { readonly isRetracted: boolean }>
}

/** What each user has read of the notices that can be made here; the others are counted. */
export async function noticesRead(
  source: LegacySource,
  people: People,
  users: ReadonlySet<string>,
  news: News,
  now: string
): Promise<ReadonlyMap<string, ReadThere>> {
  const since = toldSince(now)
  const read = new Map([...users].map((id) => [id, new Map<string, { createdAt: string; readAt: string | null }>()]))
  for await (const notice of source.records('notices')) {
    const recipient = personOf(people, notice.recipientUserId)
    const own = recipient === null ? undefined : read.get(recipient)
    const stream = streamOf(notice, news, personOf(people, notice.actorUserId))
    if (!own)
      source.leaveOut(
        'notices',
        recipient === null ? 'of accounts that are gone' : 'of administrators, who get none here'
      )
    else if (notice.createdAt < since) source.leaveOut('notices', `older than ${NOTICE_DAYS} days`)
    else if (stream === null)
      source.leaveOut('notices', 'about what is not there, or was changed by somebody else since')
    else {
      const { createdAt, readAt } = notice
      const other = own.get(stream)
      if (other) source.leaveOut('notices', 'about what a newer one is about as well')
      else source.report('notices').taken++
      if (!other || other.createdAt < createdAt) own.set(stream, { createdAt, readAt })
    }
  }
  return read
}

/** The stream by whose event the notice is made here; null where none is. */
function streamOf(notice: LegacyRecord<'notices'>, news: News, actorId: string | null): string | null {
  const { eventType, entityId, discussionCommentId: commentId } = notice
  if (eventType === 'request.updated' && actorId !== null && news.savedBy.get(entityId) === actorId)
    return `${importedKinds.RequestImported}-${entityId}`
  if (eventType.startsWith('runResult.') && news.runResults.has(entityId))
    return `${importedKinds.RunResultImported}-${entityId}`
  const isSaid = commentId !== null && news.comments.get(commentId)?.isRetracted === false
  return eventType.startsWith('discussion.') && isSaid ? `${importedKinds.CommentImported}-${commentId}` : null
}
