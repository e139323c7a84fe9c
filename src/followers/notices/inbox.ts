import type { Caller } from '../../../commands/context.js'
import { reachesRun } from '../../../commands/people/token/scopes.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { commentsTable } from '../../../commands/talk/comment/table.js'
import { NOTICE_LEVELS, type NoticeLevel } from '../../../commands/talk/notification/events.js'
import { noticeLevelsTable, threadSubscriptionsTable } from '../../../commands/talk/notification/table.js'
import { LIMITS } from '../../limits.js'
import type { ReadStore, Row } from '../../storage/storage.js'
import type { NoticeBoard } from './board.js'
import { takingPart } from './discussions.js'
import { type ReadMarks, readAt, readThrough } from './marks.js'
import type { Location, NewsItem } from './news.js'
import { type NoticeType, noticeType, type Recipient } from './rules.js'

/** Something that somebody is told. It goes by the id of what it is about: of several changes of a request the last one counts. */
export interface Notice {
  readonly id: string
  readonly type: NoticeType
  readonly news: NewsItem
  /** When it was read; null where it was not. */
  readonly readAt: string | null
}

type Reads = Pick<ReadStore, 'get' | 'list'>

/** Which notices an account wants, and since when. */
export async function levelOf(read: Pick<ReadStore, 'get'>, userId: string) {
  const row = await read.get(noticeLevelsTable, userId)
  return { level: levelIn(row), updatedAt: row?.updatedAt ?? new Date(0).toISOString() }
}

function levelIn(row: Row<typeof noticeLevelsTable.columns> | null): NoticeLevel {
  return NOTICE_LEVELS.find((level) => level === row?.level) ?? 'all'
}

/** Somebody as the rules of notices see them. */
export async function recipientOf(read: Reads, caller: Caller): Promise<Recipient> {
  const { userId, collectionAccess } = caller
  const limit = LIMITS.threadSubscriptions.max
  const [user, { level }, threads] = await Promise.all([
    read.get(usersTable, userId),
    levelOf(read, userId),
    read.list(threadSubscriptionsTable, 'byUser', [userId], { body: false, limit })
  ])
  const access = new Set(collectionAccess)
  const sees = ({ collectionId, ranIn = null }: Location) =>
    collectionId === null ? reachesRun(caller, ranIn) : access.has('*') || access.has(collectionId)
  return {
    userId,
    since: user?.createdAt ?? '',
    level,
    threads: new Map(threads.map(({ rootId, isSubscribed, at }) => [rootId, { isSubscribed, at }])),
    sees
  }
}

/** All notices of somebody, newest first: what came from an older hub, too, by when it happened. What the list shows and what is counted is made of nothing else. */
export function noticesOf(board: Pick<NoticeBoard, 'entries'>, recipient: Recipient, marks: ReadMarks): Notice[] {
  const found: Notice[] = []
  for (const { all } of board.entries()) {
    const notice = noticeIn(all, recipient, marks)
    if (notice) found.push(notice)
  }
  return found.sort(({ news: a }, { news: b }) => (a.at === b.at ? b.position - a.position : a.at < b.at ? 1 : -1))
}

/** How many of them were not read. */
export function unreadOf(board: Pick<NoticeBoard, 'entries'>, recipient: Recipient, marks: ReadMarks): number {
  let count = 0
  const through = readThrough(marks)
  for (const { newest, all } of board.entries()) {
    // Everything further back was read.
    if (newest <= through) break
    if (noticeIn(all, recipient, marks)?.readAt === null) count++
  }
  return count
}

/** Those of them that have come behind a position, oldest first. */
export function noticesAfter(
  board: Pick<NoticeBoard, 'entries'>,
  recipient: Recipient,
  marks: ReadMarks,
  position: number
): readonly Notice[] {
  const found: Notice[] = []
  for (const { newest, all } of board.entries()) {
    if (newest <= position) break
    const notice = noticeIn(all, recipient, marks)
    if (notice && notice.news.position > position) found.push(notice)
  }
  return found.sort((a, b) => a.news.position - b.news.position)
}

function noticeIn(all: readonly NewsItem[], recipient: Recipient, marks: ReadMarks): Notice | null {
  for (const news of all) {
    const type = noticeType(news, recipient)
    if (!type) continue
    const id = news.is === 'commented' ? news.commentId : news.target.id
    return { id, type, news, readAt: readAt(marks, news.position) }
  }
  return null
}

/** Whether somebody is told of answers in a thread: as they have said, or else where they take part in it. */
export async function isSubscribed(read: Pick<ReadStore, 'list'>, userId: string, rootId: string): Promise<boolean> {
  const [said] = await read.list(threadSubscriptionsTable, 'byThread', [userId, rootId], { limit: 1 })
  if (said) return said.isSubscribed
  const newest = { body: false, reverse: true, limit: LIMITS.threadComments.max }
  const comments = await read.list(commentsTable, 'byThread', [rootId], newest)
  return comments.some((row) => takingPart(row).includes(userId))
}
