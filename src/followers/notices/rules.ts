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

interface Rule<H extends NewsItem> {
  readonly tells: (news: H) => NoticeType
  readonly whom: (news: H, recipient: Recipient) => boolean
}

/** Who is told what. Of several rules that apply, the first one does. Nobody is told of what they did, or may not see. */
const RULES: { readonly [K in NewsItem['is']]: readonly Rule<Extract<NewsItem, { is: K }>>[] } = {
  requestSaved: [{ tells: () => 'request.updated', whom: () => true }],
  runShared: [{ tells: ({ hasFailed }) => (hasFailed ? 'runResult.failed' : 'runResult.created'), whom: () => true }],
  commented: [
    { tells: () => 'discussion.mention', whom: ({ mentions }, { userId }) => mentions.has(userId) },
    { tells: () => 'discussion.reply', whom: (comment, recipient) => isReply(comment) && follows(comment, recipient) },
    {
      tells: () => 'discussion.comment',
      whom: (comment, { userId }) => !isReply(comment) && tookPart(comment.inDiscussion, userId, comment.at)
    }
  ]
}

/** What this is to somebody; null for no news. */
export function noticeType(news: NewsItem, recipient: Recipient): NoticeType | null {
  const { actorId, at, place } = news
  if (actorId === recipient.userId || at < recipient.since || !recipient.sees(place)) return null
  const type = typeOf(news, recipient)
  return type && isWanted(type, recipient.level) ? type : null
}

function typeOf(news: NewsItem, recipient: Recipient): NoticeType | null {
  switch (news.is) {
    case 'requestSaved':
      return firstOf(RULES.requestSaved, news, recipient)
    case 'runShared':
      return firstOf(RULES.runShared, news, recipient)
    case 'commented':
      return firstOf(RULES.commented, news, recipient)
  }
}

function firstOf<H extends NewsItem>(rules: readonly Rule<H>[], news: H, recipient: Recipient) {
  return rules.find(({ whom }) => whom(news, recipient))?.tells(news) ?? null
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
