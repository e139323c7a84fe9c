import { codec } from '../../commands/index.js'
import { project } from '../../projections/index.js'
import { type CommandResult, withPositions } from '../../src/ledger/sequencing.js'
import { decoded } from '../../src/log/codec.js'
import type { Head, StoredEvent } from '../../src/log/event.js'
import { eventsAt } from '../../src/log/pages.js'
import { WHOLE_LOG } from '../../src/storage/search.js'
import type { RowOp, Storage } from '../../src/storage/storage.js'

const STREAM_MAX = 1000

/** Events as they stand in the log, with the head before and after them. */
export interface Appended {
  readonly after: Head
  readonly events: readonly StoredEvent[]
  readonly head: Head
}

interface AppendOptions {
  /** The head that they come behind; the log's own without it. */
  readonly after?: Head
  /** How far each stream has come, which is brought forward; a stream that is not in it begins. */
  readonly versions?: Map<string, number>
  /** What changes in the read tables with them; nothing without it. */
  readonly ops?: (events: readonly StoredEvent[]) => readonly RowOp[]
}

/** Gives events their place behind a head, without asking whether any command would make them. */
export function placedBehind(after: Head, happening: CommandResult, versions = new Map<string, number>()): Appended {
  const events = withPositions(happening, after, codec, versions)
  const last = events.at(-1)
  return { after, events, head: last ? { ...after, position: last.position, chain: last.chain, at: last.at } : after }
}

/** Writes events past the ledger, in one commit, and returns the new head. Fails where somebody else has written. */
export async function appendEvents(
  storage: Storage,
  happening: CommandResult,
  { after, versions, ops = () => [] }: AppendOptions = {}
): Promise<Head> {
  const appended = placedBehind(after ?? (await storage.head()), happening, versions)
  if (appended.events.length === 0) return appended.head
  const outcome = await storage.commit({ ...appended, ops: ops(appended.events) })
  if (outcome !== 'committed') throw new Error(`The commit was not alone: ${outcome}.`)
  return appended.head
}

/** What the projectors make of events. */
export function projected(events: readonly StoredEvent[]): readonly RowOp[] {
  return events.flatMap((event) => project(decoded(event, codec)))
}

/** The events of a stream, the oldest first. */
export async function eventsOf(
  storage: Pick<Storage, 'searchLog' | 'readAt'>,
  stream: string
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  const headers = await storage.searchLog({ streams: [stream] }, WHOLE_LOG, STREAM_MAX, false)
  for await (const event of eventsAt(storage, headers)) events.push(event)
  return events
}
