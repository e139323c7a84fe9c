import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../../commands/context.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import { cursorOf } from '../feed/cursor.js'
import type { Batch, Followed } from '../feed/follow.js'
import type { NoticeBoard } from './board.js'
import { noticesAfter, recipientOf, unreadOf } from './inbox.js'

/** What comes within so long is told together: the count is then made once. */
const PACE_MS = 250

/** The notices behind a position as events, for whoever the caller is by then; null where nobody is, or an administrator. */
export function noticesFor(
  { board, readModel }: { readonly board: NoticeBoard; readonly readModel: ReadModel },
  callerNow: () => Promise<Caller | null>
): Followed['next'] {
  return async (position): Promise<Batch | null> => {
    await sleep(PACE_MS)
    const caller = await callerNow()
    if (caller?.role !== 'user') return null
    await board.current()
    const [recipient, marks] = await Promise.all([recipientOf(readModel, caller), board.marks.recent(caller.userId)])
    // Nothing is waited for between these: they tell of the same moment.
    const notices = noticesAfter(board, recipient, marks, position)
    const unreadCount = notices.length > 0 ? unreadOf(board, recipient, marks) : 0
    const frames = notices.map(({ id: noticeId, news }) => {
      const data = { v: 1, type: 'notice.created', noticeId, unreadCount }
      return `id: ${cursorOf(news.position, readModel.head)}\ndata: ${JSON.stringify(data)}\n\n`
    })
    return { frames: frames.join(''), position: board.position }
  }
}
