import { LIMITS, slices } from '../../limits.js'
import type { Storage } from '../../storage/storage.js'
import { changeMarks } from './marks.js'
import { IMPORTED_NEWS } from './news.js'

const AT_ONCE = 500

/**
 * Keeps what accounts of an older hub have read, by the streams of what they were told of there. What they were not told of
 * counts as read: it is no news. Of very much the newest counts.
 */
export async function keepRead(
  storage: Pick<Storage, 'head' | 'lastOf' | 'state'>,
  read: ReadonlyMap<string, ReadonlyMap<string, { readonly readAt: string | null }>>,
  now: string
): Promise<void> {
  const { position: through } = await storage.head()
  const positions = new Map<string, number>()
  const streams = [...new Set([...read.values()].flatMap((own) => [...own.keys()]))]
  for (const some of slices(streams, AT_ONCE))
    for (const { stream, position } of await storage.lastOf(some, IMPORTED_NEWS, through))
      positions.set(stream, position)
  for (const [userId, own] of read) {
    const single: [number, string][] = []
    const unread: number[] = []
    for (const [stream, { readAt }] of own) {
      const position = positions.get(stream)
      if (position === undefined) continue
      if (readAt === null) unread.push(position)
      else single.push([position, readAt])
    }
    const marks = {
      ...{ through, at: now, earlier: [] },
      single: single.sort(([a], [b]) => a - b).slice(-LIMITS.noticesRead.max),
      unread: unread.sort((a, b) => a - b).slice(-LIMITS.noticesRead.max)
    }
    await changeMarks(storage.state, userId, () => marks)
  }
}
