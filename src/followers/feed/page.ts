import type { Caller } from '../../../commands/context.js'
import { errors } from '../../errors.js'
import { chainAt, type LogEnd } from '../../log/logEnd.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import { type FeedChange, seenBy } from './change.js'
import type { Tail } from './tail.js'

const MARK_LENGTH = 12
/** What a client goes on with: a position alone, or a cursor. */
export const POSITION_OR_CURSOR = /^\d{1,15}(-\d{1,15}-[0-9a-f]{12})?$/

/**
 * A place in the log that a client goes on behind: the position, and the end that the log had when it was given, with a bit of its
 * chain. So it is known again where the log went back since, and has gone on in another way.
 */
export function cursorOf(position: number, head: LogEnd): string {
  return `${position}-${head.position}-${markOf(head.chain)}`
}

/**
 * The position in a text that is `POSITION_OR_CURSOR`; `what` is the name of its field. Refuses with 410 a cursor from before the log
 * went back, and with 400 a position beyond the end.
 */
export async function positionIn(
  text: string,
  what: string,
  head: LogEnd,
  storage: Pick<Storage, 'readHeaders'>
): Promise<number> {
  const [position, end, mark] = text.split('-')
  if (mark !== undefined && mark !== (await markAt(Number(end), head, storage))) throw errors.cursorLost(what)
  if (Number(position) > head.position) throw errors.beyondEnd(what, head.position)
  return Number(position)
}

async function markAt(position: number, head: LogEnd, storage: Pick<Storage, 'readHeaders'>) {
  const chain = position === head.position ? head.chain : await chainAt(storage, position)
  return chain && markOf(chain)
}

function markOf(chain: string): string {
  return chain.slice(0, MARK_LENGTH)
}

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
