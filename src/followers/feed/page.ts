import type { Caller } from '../../../commands/context.js'
import { errors } from '../../errors.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import { type FeedChange, seenBy } from './change.js'
import { cursorOf } from './cursor.js'
import type { Tail } from './tail.js'

/** So many pages of the log are gone through at most for one page of changes. */
const PAGES_MAX = 10

/** Where changes are read from. */
export interface FeedSource {
  readonly tail: Pick<Tail, 'after'>
  readonly readModel: Pick<ReadModel, 'head'>
}

/** One page of changes. The next begins at `cursor`, or `position` alone; a page may be empty and `more` true. */
export interface FeedPage {
  readonly changes: readonly FeedChange[]
  readonly position: number
  readonly cursor: string
  readonly more: boolean
}

/**
 * The changes behind a position that somebody may see, at most `limit`. `callerNow` is asked behind each reading, so that what
 * took access away counts; 401 where it says that there is none any more.
 */
export async function changesAfter(
  { tail, readModel }: FeedSource,
  after: number,
  limit: number,
  callerNow: () => Promise<Caller | null>
): Promise<FeedPage> {
  let position = after
  const changes: FeedChange[] = []
  for (let pages = 0; pages < PAGES_MAX && changes.length < limit; pages++) {
    const entries = await tail.after(position)
    if (entries.length === 0) break
    const caller = await callerNow()
    // The position of an empty page would say that there was nothing to see.
    if (!caller) throw errors.unauthorized()
    for (const entry of entries) {
      if (changes.length === limit) break
      position = entry.change.position
      const change = seenBy(entry, caller)
      if (change) changes.push(change)
    }
  }
  return { changes, position, cursor: cursorOf(position, readModel.head), more: position < readModel.head.position }
}
