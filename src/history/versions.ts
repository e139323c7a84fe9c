import { kinds, type RestorableKind } from '../../commands/kinds.js'
import type { EventHeader } from '../log/event.js'
import type { Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { type HistorySource, type Past, pastOf } from './past.js'
import { positionOf, versionTypes } from './steps.js'

const PAGE = 500

/** One version of a record as a reference: the event, and the number that it counts by. */
export interface VersionRef {
  /** Counts the states of the record from 1. */
  readonly version: number
  readonly header: EventHeader
  /** True where something else took the record with it: the event is then none of its own stream. */
  readonly isTaken: boolean
}

/** The versions of a record. */
export interface Versions {
  readonly count: number
  /** The newest first, as far as they are asked for. */
  refs(): AsyncGenerator<VersionRef, void>
}

/**
 * Finds the versions of a record: the events of its own stream, and the deletions that took it with something else. References
 * alone are read, so it does not matter how large a version is.
 */
export async function versionsOf(source: HistorySource, kind: RestorableKind, id: string): Promise<Versions> {
  const { storage, view } = source
  const stream = `${kind}-${id}`
  const { ends } = kinds[kind].steps
  const now = await view.get(kinds[kind].table, id)
  const through = Math.max((await storage.head()).position, now?.revision ?? 0)
  const types = versionTypes(kind)
  const first = await storage.searchLog({ streams: [stream], types }, { after: 0, through }, PAGE, true)
  const [newest] = first
  if (!newest) return { count: 0, async *refs() {} }
  // Most records have few versions, and are read once.
  const own: Own = (some = types) =>
    first.length < PAGE
      ? first.filter(({ type }) => some.includes(type))
      : newestFirst(source, stream, some, newest.position)
  const isGone = now === null && !ends.includes(newest.type)
  const at = async (position: number) => (await pastOf(source, [{ kind, id, at: position }]))[0]
  const last = isGone ? await takingOf(storage, await at(through)) : null
  const count = (await ownCount(kind, newest, own)) + (await takings(kind, newest, own)) + (last ? 1 : 0)

  async function* refs(): AsyncGenerator<VersionRef, void> {
    let version = count
    if (last) yield { version: version--, header: last, isTaken: true }
    let above: EventHeader | null = null
    for await (const header of own()) {
      if (above && isTakenBetween(kind, header, above)) {
        const deletion = await takingBefore(storage, above, await at(above.position - 1))
        if (deletion) yield { version, header: deletion, isTaken: true }
        version--
      }
      yield { version: version--, header, isTaken: false }
      above = header
    }
  }
  return { count, refs }
}

/** True where a record was gone between two events of its own stream that follow each other, and by none of its own. */
export function isTakenBetween(kind: RestorableKind, before: EventHeader, after: EventHeader): boolean {
  return isReturn(after) && !kinds[kind].steps.ends.includes(before.type)
}

function isReturn({ type }: EventHeader): boolean {
  return type.endsWith('Restored')
}

/** The events of a record's own stream that are of these types, by default all of its versions; the newest first. */
type Own = (types?: readonly string[]) => Iterable<EventHeader> | AsyncIterable<EventHeader>

/** Every event of such a stream is a version; that of a collection also has the orders of what is in it. */
async function ownCount(kind: RestorableKind, { version }: EventHeader, own: Own): Promise<number> {
  if (kind !== 'collection') return version
  let count = 0
  for await (const _ of own()) count++
  return count
}

/** How often something else took the record with it, and it came back. */
async function takings(kind: RestorableKind, { type }: EventHeader, own: Own): Promise<number> {
  const { ends, makes } = kinds[kind].steps
  // What has come back had gone: where it was not by an event of its own, it was taken.
  let count = ends.includes(type) ? 1 : 0
  const returns = makes.filter((one) => one.endsWith('Restored'))
  for await (const header of own([...ends, ...returns])) count += isReturn(header) ? 1 : -1
  return count
}

/** The deletion that a record went with and came back from by this event; `past` is the record right before that. */
export async function takingBefore(
  storage: HistorySource['storage'],
  back: EventHeader,
  past: Past | undefined
): Promise<EventHeader | null> {
  const found = await takingOf(storage, past)
  if (found || back.causation === null) return found
  // Of what is erased nobody knows where it was; but what was undone is told.
  return (await storage.readHeaders(back.causation - 1, 1))[0] ?? null
}

/** The deletion that a record is gone with at a moment; null where it is none, or where the record was is erased. */
export async function takingOf(storage: HistorySource['storage'], past: Past | undefined): Promise<EventHeader | null> {
  const place = past?.outline && positionOf(past.kind, past.outline)
  if (!past?.outline || !place || past.trace.end) return null
  // Its revision may be later: an account that its row names is gone since.
  const after = past.amendment.placedAt
  const holders: [string, string][] = [[`collection-${place.collectionId}`, 'CollectionDeleted']]
  if (place.inside !== null && past.kind !== 'folder') holders.push([`folder-${place.inside}`, 'FolderDeleted'])
  let first: EventHeader | null = null
  for (const [stream, type] of holders) {
    const [found] = await storage.searchLog({ streams: [stream], types: [type] }, { after, through: past.at }, 1, false)
    if (found && (!first || found.position < first.position)) first = found
  }
  return first
}

/** The events of one stream that are of these types, or of any, up to a position, from the newest on. */
export async function* newestFirst(
  { storage }: { readonly storage: Pick<Storage, 'searchLog'> },
  stream: string,
  types: readonly string[] | undefined,
  position: number
): AsyncGenerator<EventHeader, void> {
  for (let through = position; ; ) {
    const page = await storage.searchLog({ streams: [stream], types }, { after: 0, through }, PAGE, true)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    through = last.position - 1
    await giveWay()
  }
}
