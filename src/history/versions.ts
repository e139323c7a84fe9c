import { kinds, type RestorableKind } from '../../commands/kinds.js'
import type { EventHeader } from '../log/event.js'
import { endOf, type HistorySource } from './past.js'
import { newestFirst, versionTypes } from './streams.js'

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
  /** The deletion that the record went with after an event of its own; of what is erased none is known. */
  const taking = async (after: number, through: number): Promise<EventHeader | null> => {
    const end = await endOf(source, { kind, id, at: through })
    return end && end.position > after ? headerAt(source, end.position) : null
  }
  const last = now === null && !ends.includes(newest.type) ? await taking(newest.position, through) : null
  const count = (await ownCount(kind, newest, own)) + (await takings(kind, newest, own)) + (last ? 1 : 0)

  async function* refs(): AsyncGenerator<VersionRef, void> {
    let version = count
    if (last) yield { version: version--, header: last, isTaken: true }
    let above: EventHeader | null = null
    for await (const header of own()) {
      if (above && isReturn(above) && !ends.includes(header.type)) {
        // Of what is erased nobody knows what took it; but what was undone is told.
        const deletion =
          (await taking(header.position, above.position - 1)) ??
          (above.causation === null ? null : await headerAt(source, above.causation))
        if (deletion) yield { version, header: deletion, isTaken: true }
        version--
      }
      yield { version: version--, header, isTaken: false }
      above = header
    }
  }
  return { count, refs }
}

async function headerAt({ storage }: HistorySource, position: number): Promise<EventHeader | null> {
  return (await storage.readHeaders(position - 1, 1))[0] ?? null
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
