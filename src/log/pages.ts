import { giveWay } from '../lib/turns.js'
import type { LogFilter, PositionRange, Storage } from '../storage/storage.js'
import type { EventHeader, StoredEvent } from './event.js'

/** So many pages are on their way at a time: while one is worked on, the database makes the next ones. */
const AHEAD = 3

/**
 * The pages of a log from the position `from` up to `to`, at most `size` events each, asked for ahead of their use.
 * Positions have no gaps, so it is known where each begins; where an answer ends earlier, since its events are large, what is
 * missing of it is read before the next one. Only an empty answer is the end.
 */
export async function* pages<E>(
  read: (after: number, limit: number) => Promise<readonly E[]>,
  from: number,
  to: number,
  size: number
): AsyncGenerator<readonly E[], void> {
  const coming: { readonly after: number; readonly limit: number; readonly page: Promise<readonly E[]> }[] = []
  for (let asked = from; ; ) {
    while (coming.length < AHEAD && asked < to) {
      const limit = Math.min(size, to - asked)
      coming.push({ after: asked, limit, page: begun(read(asked, limit)) })
      asked += limit
    }
    const next = coming.shift()
    if (!next) return
    let page = await next.page
    for (let count = 0; ; ) {
      if (page.length === 0) return
      yield page
      count += page.length
      if (count >= next.limit) break
      page = await read(next.after + count, next.limit - count)
    }
  }
}

/** Whoever stops in the middle of a page never asks what became of the next. */
function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

const POSITIONS_MAX = 500
/** So many headers are asked for at a time, from the newest on. */
const NEWEST = 500

/**
 * The events of these headers with their texts, ascending: no more than a page of them is held, however many they are, and others
 * have their turn in between.
 */
export async function* eventsAt(
  storage: Pick<Storage, 'readAt'>,
  headers: readonly Pick<EventHeader, 'position'>[]
): AsyncGenerator<StoredEvent, void> {
  const positions = headers.map(({ position }) => position).sort((a, b) => a - b)
  for (let from = 0; from < positions.length; ) {
    const page = await storage.readAt(positions.slice(from, from + POSITIONS_MAX))
    if (page.length === 0) return
    yield* page
    from += page.length
    await giveWay()
  }
}

/** The events in a range of the log that a filter wants, from the newest on. */
export async function* newestFirst(
  storage: Pick<Storage, 'searchLog'>,
  filter: LogFilter,
  { after, through: end }: PositionRange
): AsyncGenerator<EventHeader, void> {
  for (let through = end; ; ) {
    const page = await storage.searchLog(filter, { after, through }, NEWEST, true)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < NEWEST) return
    through = last.position - 1
    await giveWay()
  }
}
