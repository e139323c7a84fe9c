import type { RecordedEvent } from '../src/log/event.js'
import type { Storage } from '../src/storage/storage.js'
import { compact } from './compact.js'
import { project } from './index.js'

const PAGE = 2000

/** A stretch of the log, parsed, as the caller reads it. */
export type ReadEvents = (after: number, limit: number) => Promise<readonly RecordedEvent[]>

/**
 * Projects the events above `from` up to `to` into a generation that nobody reads yet, page by page, and returns the
 * position that it came to. Reports each page, so that a long replay can show how far it is.
 */
export async function replay(
  storage: Pick<Storage, 'apply'>,
  read: ReadEvents,
  generation: number,
  from: number,
  to: number,
  progress: (position: number) => void = () => {}
): Promise<number> {
  let position = from
  while (position < to) {
    const events = await read(position, Math.min(PAGE, to - position))
    const last = events.at(-1)
    if (!last) break
    await storage.apply(generation, compact(events.flatMap(project)))
    position = last.position
    progress(position)
  }
  return position
}
