import { codec } from '../../commands/index.js'
import { kinds, type RestorableKind } from '../../commands/kinds.js'
import { decoded, decodedIdentity } from '../log/codec.js'
import { eventsAt } from '../log/pages.js'
import type { Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { finder } from './newest.js'
import { after, ownRows, tracesOf } from './own.js'
import type { HistorySource } from './past.js'
import type { VersionRef } from './versions.js'

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

/** The row that a version left, as far as the record's own stream has made it. */
export async function rowOf(
  { storage }: Pick<HistorySource, 'storage'>,
  kind: RestorableKind,
  id: string,
  ref: VersionRef
) {
  if (ref.isTaken || kinds[kind].steps.ends.includes(ref.header.type)) return null
  const queries = [{ stream: `${kind}-${id}`, at: ref.header.position }]
  for await (const [own] of ownRows(storage, await tracesOf(finder(storage), queries))) return own?.row ?? null
  return null
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
  for await (const page of eventsAt(
    storage,
    refs.map(({ header }) => header)
  )) {
    for (const stored of page) {
      const ref = byPosition.get(stored.position)
      if (!ref) continue
      await giveWay()
      row = ref.isTaken ? null : after(row, decoded(stored, codec), table)
      await giveWay()
      yield { ref, row, name: decodedIdentity(stored).name, isErased: !ref.isTaken && stored.payload.text === null }
    }
  }
}
