import { codec } from '../../../commands/index.js'
import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import { giveWay } from '../../lib/turns.js'
import { decoded, decodedIdentity } from '../../log/codec.js'
import type { EventHeader } from '../../log/event.js'
import { eventsAt, newestFirst } from '../../log/pages.js'
import type { Row } from '../../storage/storage.js'
import { after } from './fold.js'
import { type HistorySource, pastOf } from './past.js'
import { versionTypes } from './streams.js'

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
 * alone are read, so it does not matter how large a version is. Throws 404 where the log knows no such record.
 */
export async function versionsOf(source: HistorySource, kind: RestorableKind, id: string): Promise<Versions> {
  const { storage, readModel } = source
  const stream = `${kind}-${id}`
  const { ends } = kinds[kind].steps
  const now = await readModel.get(kinds[kind].table, id)
  const through = Math.max((await storage.head()).position, now?.revision ?? 0)
  const types = versionTypes(kind)
  const first = await storage.searchLog({ streams: [stream], types }, { after: 0, through }, PAGE, true)
  const [newest] = first
  if (!newest) throw errors.notFound(kinds[kind].title)
  // Most records have few versions, and are read once.
  const own: Own = (some = types) =>
    first.length < PAGE
      ? first.filter(({ type }) => some.includes(type))
      : newestFirst(storage, { streams: [stream], types: some }, { after: 0, through: newest.position })
  const isGone = now === null && !ends.includes(newest.type)
  const takingAt = async (at: number, undone: number | null = null) => {
    const [past] = await pastOf(source, [{ stream, at }])
    if (past?.gone || undone === null) return past?.gone ?? null
    // Of what is erased nobody knows where it was; but what was undone is told.
    return (await storage.readHeaders(undone - 1, 1))[0] ?? null
  }
  const last = isGone ? await takingAt(through) : null
  const count = (await countOf(kind, newest, own)) + (last ? 1 : 0)

  async function* refs(): AsyncGenerator<VersionRef, void> {
    let version = count
    if (last) yield { version: version--, header: last, isTaken: true }
    let above: EventHeader | null = null
    for await (const header of own()) {
      // It came back, and had gone by no event of its own.
      if (above && isReturn(above) && !ends.includes(header.type)) {
        const deletion = await takingAt(above.position - 1, above.causation)
        if (deletion) yield { version, header: deletion, isTaken: true }
        version--
      }
      yield { version: version--, header, isTaken: false }
      above = header
    }
  }
  return { count, refs }
}

function isReturn({ type }: EventHeader): boolean {
  return type.endsWith('Restored')
}

/** The events of a record's own stream that are of these types, by default all of its versions; the newest first. */
type Own = (types?: readonly string[]) => Iterable<EventHeader> | AsyncIterable<EventHeader>

/** How many versions there are without a last deletion that took the record. */
async function countOf(kind: RestorableKind, { version, type }: EventHeader, own: Own): Promise<number> {
  const { ends, makes } = kinds[kind].steps
  if (kind === 'collection') {
    // Its stream also has the orders of what is in it, which are no versions.
    let count = 0
    for await (const _ of own()) count++
    return count
  }
  if (!kinds[kind].isMember) return version
  // What has come back had gone: where it was not by an event of its own, something else took it.
  let taken = ends.includes(type) ? 1 : 0
  const returns = makes.filter((one) => one.endsWith('Restored'))
  for await (const header of own([...ends, ...returns])) taken += isReturn(header) ? 1 : -1
  return version + taken
}

/** True where the record was gone after a version. */
export function isEnd(kind: RestorableKind, { isTaken, header: { type } }: VersionRef): boolean {
  return isTaken || kinds[kind].steps.ends.includes(type)
}

/** A version of a record with the row that its own stream had given it then. */
export interface State {
  readonly ref: VersionRef
  /** Null where the record was gone after it. */
  readonly row: Row | null
  /** The name that who did it had at the time; null where it is erased. */
  readonly name: string | null
  /** True where what the event said is erased. */
  readonly isErased: boolean
}

/**
 * Goes through versions that follow each other, oldest first, from the row that the one before them left: each is one event
 * more. At any time a page of events is held, and the row that they have come to.
 */
export async function* statesOf(
  { storage }: Pick<HistorySource, 'storage'>,
  kind: RestorableKind,
  { start, refs }: { readonly start: Row | null; readonly refs: readonly VersionRef[] }
): AsyncGenerator<State, void> {
  const table = kinds[kind].table
  const byPosition = new Map(refs.map((ref) => [ref.header.position, ref]))
  let row = start
  const headers = refs.map(({ header }) => header)
  for await (const stored of eventsAt(storage, headers)) {
    const ref = byPosition.get(stored.position)
    if (!ref) continue
    await giveWay()
    row = ref.isTaken ? null : after(row, decoded(stored, codec), table)
    await giveWay()
    yield { ref, row, name: decodedIdentity(stored).name, isErased: !ref.isTaken && stored.payload.text === null }
  }
}
