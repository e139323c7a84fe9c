import type { DecodedEvent } from '../src/log/event.js'
import type { Storage } from '../src/storage/storage.js'
import { Compactor } from './compact.js'
import { project } from './index.js'

/** A replay remembers how far it has come after so many events at the latest, and holds about so many characters at most. */
const WINDOW_EVENTS = 500_000
const WINDOW_LENGTH = 32 * 1024 * 1024
/** This much of what is left is one window: while it is written, the rest is projected. */
const WINDOW_SHARE = 0.6
const WINDOW_EVENTS_MIN = 1000

/** The events above the position `from` up to `to`, parsed, page by page. */
export type ReadEvents = (from: number, to: number) => AsyncIterable<readonly DecodedEvent[]>

/** What is to be replayed into which generation: the events above `from`, where it has come to, up to `to`. */
export interface ReplayOptions {
  readonly generation: number
  /** Who fills it; nothing is written before this is known. */
  readonly builder: string | Promise<string>
  readonly from: number
  readonly to: number
  /** Changes of so many events at most are gathered before they are written. */
  readonly window?: number | undefined
}

/**
 * Projects a range of the log into a generation that nobody reads yet, page by page, and returns the position that it
 * came to. Reports each page, so that a long replay can show how far it is. Changes are gathered before they are written, as
 * many as the storage wants at a time; it is remembered each time how far the generation has come, so that an interrupted
 * replay can go on there. Throws `BuildLost` once the generation is another builder's.
 */
export async function replay(
  storage: Pick<Storage, 'apply' | 'changesAtOnce'>,
  read: ReadEvents,
  { generation, builder, from, to, window = WINDOW_EVENTS }: ReplayOptions,
  progress: (position: number) => void = () => {}
): Promise<number> {
  let position = from
  let written = from
  const changes = new Compactor()
  let writing: Promise<unknown> = Promise.resolve(builder)
  const write = async () => {
    // What was gathered is written while the next events are projected.
    await writing
    const fence = { generation, builder: await builder, position: written }
    writing = storage.apply(fence, changes.take(), position)
    // Whoever awaits it sees its failure; until then it is nobody's.
    writing.catch(() => {})
    written = position
  }
  for await (const events of read(from, to)) {
    for (const event of events) for (const op of project(event)) changes.add(op)
    position = events.at(-1)?.position ?? position
    const isFull = changes.size >= storage.changesAtOnce || changes.length >= WINDOW_LENGTH
    const enough = Math.min(window, Math.max(WINDOW_EVENTS_MIN, (to - written) * WINDOW_SHARE))
    if (isFull || position - written >= enough) await write()
    progress(position)
  }
  if (position > written) await write()
  await writing
  return position
}
