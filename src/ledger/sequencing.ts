import { type Link, PLAIN, seal } from '../log/chain.js'
import { type EventCodec, encoded, encodedIdentity } from '../log/codec.js'
import { type Cause, type DecodedEvent, type Head, type NewEvent, type StoredEvent, subjectOf } from '../log/event.js'
import type { Draft } from '../readmodel/draft.js'
import type { RowOp, TableSpec } from '../storage/storage.js'

/** What the log must know of the domain. */
export interface Rules {
  readonly codec: EventCodec
  /** The table whose row is the snapshot of a stream; null for streams that have none. */
  readonly tableOf: (stream: string) => TableSpec | null
  readonly project: (event: DecodedEvent) => readonly RowOp[]
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

/** An event as the log will hold it, and what its payload's text is parsed to. */
export interface PlacedEvent {
  readonly stored: StoredEvent
  readonly parsed: unknown
}

/**
 * Gives events their place behind `head`, where it is known how far each stream has come: one that is not in `versions` begins.
 * Writes into `versions` how far each has come then.
 */
export function withPositions(
  result: CommandResult,
  head: Head,
  codec: EventCodec,
  versions: Map<string, number>,
  link?: Link
): readonly StoredEvent[] {
  const place = placer(result, head, codec, versions, link)
  return result.events.map((event) => place(event).stored)
}

/** Gives one event after another the next place: position, version, time, seals and chain. Otherwise as `withPositions`. */
export function placer(
  { cause, commandId, now }: Omit<CommandResult, 'events'>,
  head: Head,
  codec: EventCodec,
  versions: Map<string, number>,
  link: Link = PLAIN.link
): (event: NewEvent) => PlacedEvent {
  const at = new Date(Math.max(now, Date.parse(head.at))).toISOString()
  const who = seal(encodedIdentity(cause))
  const { actorId, tokenId, requestId, causation = null } = cause
  let { position, chain } = head
  return (event) => {
    const { stream } = event
    const { type, schema, text, parsed } = encoded(event, codec)
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    position++
    const payload = seal(text)
    const by = { commandId, actorId, tokenId, requestId, correlationId: requestId, causation }
    const envelope = { ...by, position, stream, version, type, schema, at, who, payload }
    chain = link(chain, envelope)
    return { stored: { ...envelope, chain }, parsed }
  }
}

/** How far each stream has come. A row is at its stream's head, so its version says it; without one the log does. */
export async function versionsOf(
  events: readonly NewEvent[],
  { codec, tableOf }: Pick<Rules, 'codec' | 'tableOf'>,
  reads: Draft
): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  const inRows = new Map<TableSpec, string[]>()
  const inLog: string[] = []
  for (const { type, stream, follows, mayFollow } of events) {
    if (versions.has(stream)) continue
    const known = follows ?? (codec.begins(type) && !mayFollow ? 0 : undefined)
    const table = known === undefined ? tableOf(stream) : null
    versions.set(stream, known ?? 0)
    if (table) {
      const streams = inRows.get(table) ?? []
      inRows.set(table, streams)
      streams.push(stream)
    } else if (known === undefined) inLog.push(stream)
  }
  for (const [table, streams] of inRows) {
    const rows = await reads.getAll(table, streams.map(subjectOf), { body: false })
    const found = new Map(rows.map(({ id, version }) => [id, version]))
    for (const stream of streams) {
      const version = found.get(subjectOf(stream))
      if (version === undefined) inLog.push(stream)
      else versions.set(stream, version)
    }
  }
  for (const stream of inLog) versions.set(stream, await reads.lastVersion(stream))
  return versions
}
