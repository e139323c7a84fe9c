import { effect } from '@preact/signals'
import { type Notice, tells } from '../model/notices.js'
import { onChange, together } from './live.js'
import { ask, identity, ofSession, session, whenLeaving } from './session.js'

/** Changes that come together are one question. */
const TOGETHER_MS = 500
const PAGE = 50
/** So many pages are shown at most. */
const NOTICE_PAGES_MOST = 10

/** How many notices somebody has not read. */
export const unread = ofSession(0)

/** Whether who is signed in is told what others do, and talks with them. */
export const isTold = (): boolean => session.value.is === 'open' && identity().capabilities.communication

let stopping = new AbortController()

/** How often was counted. */
let counts = 0

/** Counts anew. What was counted stays where the hub does not answer. */
export async function countUnread(): Promise<void> {
  if (!isTold()) return
  const mine = ++counts
  const { signal } = stopping
  const answer = await ask('GET', '/notices/unread-count', { signal }).catch(() => null)
  if (answer && !signal.aborted && mine === counts) unread.value = answer.count
}

const { ask: countSoon, stop } = together(countUnread, TOGETHER_MS)

effect(() => {
  if (isTold()) void countUnread()
})
onChange(({ kind }) => {
  if (tells(kind) && isTold()) countSoon()
})
// They may have been read elsewhere.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && isTold()) countSoon()
})
whenLeaving(() => {
  stop()
  stopping.abort()
  stopping = new AbortController()
})

/** The newest notices, as many pages of them, and whether there are older ones. */
export async function loadNotices(pages: number, signal: AbortSignal) {
  const notices: Notice[] = []
  let cursor: string | undefined
  for (let page = 0; page < Math.min(pages, NOTICE_PAGES_MOST); page++) {
    const answer = await ask('GET', '/notices', { query: { limit: PAGE, cursor }, signal })
    notices.push(...answer.notices)
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return { notices, hasOlder: cursor !== undefined && pages < NOTICE_PAGES_MOST }
}
