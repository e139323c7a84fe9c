import { slices } from '../limits.js'
import type { TableSpec } from '../storage/storage.js'
import { type Link, PLAIN, seal } from './chain.js'
import { type EventCodec, encoded, encodedIdentity } from './codec.js'
import { type Cause, type Head, type NewEvent, type StoredEvent, subjectOf } from './event.js'
import type { PendingReads } from './pendingReads.js'

/** What must be known of the domain to give an event its place. */
export interface SequencingRules {
  readonly codec: EventCodec
  /** The table whose row is the snapshot of a stream; null for streams that have none. */
  readonly tableOf: (stream: string) => TableSpec | null
  /** How events are linked; plainly, unless told otherwise. */
  readonly link?: Link
}

/** What one command has made happen, for whom and when. */
export interface CommandResult {
  readonly events: readonly NewEvent[]
  readonly cause: Cause
  readonly commandId: string
  readonly now: number
}

/** So many events get their places in one go. */
const EVENTS_AT_ONCE = 200

/**
 * Gives events their place in the log behind `head`: position, version, time, seals and chain. Calls `rest` between the parts of
 * many.
 */
export async function assignPositions(
  result: CommandResult,
  head: Head,
  places: SequencingRules,
  reads: PendingReads,
  rest: () => Promise<void>
): Promise<readonly StoredEvent[]> {
  if (result.events.length === 0) return []
  const versions = await versionsOf(result.events, places, reads)
  const placed: StoredEvent[] = []
  for (const events of slices(result.events, EVENTS_AT_ONCE)) {
    const { position, chain, at } = placed.at(-1) ?? head
    const behind = { ...head, position, chain, at }
    for (const event of withPositions({ ...result, events }, behind, places.codec, versions, places.link))
      placed.push(event)
    await rest()
  }
  return placed
}

/**
 * Gives events their place behind `head`, where it is known how far each stream has come: one that is not in `versions` begins.
 * Writes into `versions` how far each has come then.
 */
export function withPositions(
  { events, cause, commandId, now }: CommandResult,
  head: Head,
  codec: EventCodec,
  versions: Map<string, number>,
  link: Link = PLAIN.link
): readonly StoredEvent[] {
  const at = new Date(Math.max(now, Date.parse(head.at))).toISOString()
  const who = seal(encodedIdentity(cause))
  let { position, chain } = head
  return events.map((event) => {
    const { stream } = event
    const { type, schema, text } = encoded(event, codec)
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    position++
    const envelope = {
      position,
      stream,
      version,
      type,
      schema,
      at,
      commandId,
      actorId: cause.actorId,
      tokenId: cause.tokenId,
      requestId: cause.requestId,
      correlationId: cause.requestId,
      causation: cause.causation ?? null,
      who,
      payload: seal(text)
    }
    chain = link(chain, envelope)
    return { chain, ...envelope } satisfies StoredEvent
  })
}

/** How far each stream has come. A row is at its stream's head, so its version says it; without one the log does. */
async function versionsOf(
  events: readonly NewEvent[],
  { codec, tableOf }: SequencingRules,
  reads: PendingReads
): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  const subjects = new Map<TableSpec, Set<string>>()
  const streams = new Set(events.map(({ stream }) => stream))
  for (const { type, stream, follows } of events) {
    if (codec.begins(type)) streams.delete(stream)
    if (follows === undefined || versions.has(stream)) continue
    versions.set(stream, follows)
    streams.delete(stream)
  }
  for (const stream of streams) {
    const pending = reads.pendingVersion(stream)
    const table = tableOf(stream)
    if (pending !== undefined) versions.set(stream, pending)
    else if (table) subjects.set(table, (subjects.get(table) ?? new Set()).add(stream))
  }
  for (const [table, wanted] of subjects) {
    const rows = await reads.getAll(table, [...wanted].map(subjectOf), { body: false })
    const byId = new Map(rows.map(({ id, version }) => [id, version]))
    for (const stream of wanted) {
      const version = byId.get(subjectOf(stream))
      if (version !== undefined) versions.set(stream, version)
    }
  }
  for (const stream of streams) {
    if (!versions.has(stream)) versions.set(stream, await reads.lastVersion(stream))
  }
  return versions
}
