import type { RecordedEvent } from '../src/log/event.js'
import type { Storage } from '../src/storage/storage.js'
import { Compactor } from './compact.js'
import { project } from './index.js'

const PAGE = 2000
/** Changes are gathered over so many events, or so many characters, before they are written: most touch few rows. */
const WINDOW_EVENTS = 50_000
const WINDOW_LENGTH = 32 * 1024 * 1024

/** A stretch of the log, parsed, as the caller reads it. */
export type ReadEvents = (after: number, limit: number) => Promise<readonly RecordedEvent[]>

/**
 * Projects the events above `from` up to `to` into a generation that nobody reads yet, page by page, and returns the
 * position that it came to. Reports each page, so that a long replay can show how far it is. With a `label` it is remembered
 * how far the generation has come, so that an interrupted replay can go on there: every `window` events.
 */
export async function replay(
  storage: Pick<Storage, 'apply'>,
  read: ReadEvents,
  generation: number,
  from: number,
  to: number,
  progress: (position: number) => void = () => {},
  label?: string,
  window = WINDOW_EVENTS
): Promise<number> {
  let position = from
  const page = () => (position < to ? read(position, Math.min(PAGE, to - position)) : Promise.resolve([]))
  const changes = new Compactor()
  let gathered = 0
  let writing = Promise.resolve()
  for (let next = page(); ; ) {
    const events = await next
    const last = events.at(-1)
    if (last) {
      position = last.position
      gathered += events.length
      // The next page is on its way while this one is projected, and what was gathered is written meanwhile.
      next = handled(page())
      for (const event of events) for (const op of project(event)) changes.add(op)
    }
    if (gathered > 0 && (!last || gathered >= window || changes.length >= WINDOW_LENGTH)) {
      await writing
      const build = label === undefined ? undefined : { position, label }
      writing = handled(storage.apply(generation, changes.take(), build))
      gathered = 0
    }
    progress(position)
    if (last) continue
    await writing
    return position
  }
}

/** Whoever awaits the promise sees its failure; until then it is nobody's. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
