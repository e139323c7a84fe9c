import type { NoticeLevel } from '../../../commands/talk/notification/events.js'
import type { Commented, Location, NewsItem, TakingPart } from './news.js'

/** What a notice tells, as clients call it. */
export const NOTICE_TYPES = [
  'request.updated',
  'runResult.created',
  'runResult.failed',
  'discussion.comment',
  'discussion.reply',
  'discussion.mention'
] as const
export type NoticeType = (typeof NOTICE_TYPES)[number]

/** Somebody who may be told, with the access of now and what they have asked for. */
export interface Recipient {
  readonly userId: string
  /** When the account was made: what was before is news to nobody. */
  readonly since: string
  readonly level: NoticeLevel
  /** Threads that were subscribed to, and unsubscribed from, with the time of it. */
  readonly threads: ReadonlyMap<string, { readonly isSubscribed: boolean; readonly at: string }>
  sees(place: Location): boolean
}

/** What this is to somebody; null for no news. Nobody is told of what they did, or may not see. */
export function noticeType(news: NewsItem, recipient: Recipient): NoticeType | null {
  const { actorId, at, place } = news
  if (actorId === recipient.userId || at < recipient.since || !recipient.sees(place)) return null
  const type = typeOf(news, recipient)
  return type && isWanted(type, recipient.level) ? type : null
}

/** Who is told what. Of what a comment may be to somebody, the first counts. */
function typeOf(news: NewsItem, recipient: Recipient): NoticeType | null {
  switch (news.is) {
    case 'requestSaved':
      return 'request.updated'
    case 'runShared':
      return news.hasFailed ? 'runResult.failed' : 'runResult.created'
    case 'commented':
      if (news.mentions.has(recipient.userId)) return 'discussion.mention'
      if (isReply(news)) return follows(news, recipient) ? 'discussion.reply' : null
      return tookPart(news.inDiscussion, recipient.userId, news.at) ? 'discussion.comment' : null
  }
}

function isWanted(type: NoticeType, level: NoticeLevel): boolean {
  return level === 'all' || (level === 'mentions' && type === 'discussion.mention')
}

const isReply = ({ commentId, rootId }: Commented) => commentId !== rootId

/** Whether somebody is told of answers in a thread: what they have said about it themselves counts before what they wrote. */
function follows({ rootId, inThread, at }: Commented, { userId, threads }: Recipient): boolean {
  const said = threads.get(rootId)
  if (said && said.at <= at) return said.isSubscribed
  return tookPart(inThread, userId, at)
}

function tookPart(since: TakingPart, userId: string, at: string): boolean {
  const first = since.get(userId)
  return first !== undefined && first < at
}
