import type { Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import type { EventHeader, StoredEvent } from './event.js'

const POSITIONS_MAX = 500

/**
 * The events of these headers with their texts, ascending, a page at a time: no more than a page is held, however many they
 * are, and others have their turn in between.
 */
export async function* eventsAt(
  storage: Pick<Storage, 'readAt'>,
  headers: readonly Pick<EventHeader, 'position'>[]
): AsyncGenerator<readonly StoredEvent[], void> {
  const positions = headers.map(({ position }) => position).sort((a, b) => a - b)
  for (let from = 0; from < positions.length; ) {
    const page = await storage.readAt(positions.slice(from, from + POSITIONS_MAX))
    if (page.length === 0) return
    yield page
    from += page.length
    await giveWay()
  }
}

/** The events of pages, one by one. */
export async function* flat<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const page of pages) yield* page
}
