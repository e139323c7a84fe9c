import { codec } from '../../commands/index.js'
import { isRecord, type RestorableKind } from '../../commands/kinds.js'
import { type Effect, versions } from '../../projections/versions.js'
import { type Touch, touchesOf } from '../../queries/versions.js'
import type { Ledger } from '../ledger.js'
import { decoded } from '../log/codec.js'
import type { StoredEvent } from '../log/event.js'
import { eventsAt, flat } from '../log/pages.js'
import { type LogQuery, pagesOf } from '../log/search.js'
import { giveWay } from '../turns.js'

/** A record that something was done to, and where in the log the first and the last of it is. */
export interface FoundChanges {
  readonly kind: RestorableKind
  readonly id: string
  readonly first: number
  readonly last: number
}

const EFFECTS: readonly Effect[] = ['made', 'content', 'moved', 'ordered', 'locked', 'ended']

/** What a query finds, as positions, and the records that it was about, by stream. */
export async function changesFoundBy(ledger: Ledger, query: LogQuery) {
  const isOurs = new Set<number>()
  const records = new Map<string, FoundChanges>()
  for await (const page of pagesOf(ledger, query)) {
    for (const { position } of page) isOurs.add(position)
    for await (const event of flat(eventsAt(ledger.storage, page))) {
      const { position } = event
      for (const { kind, id } of recordsIn(event)) {
        const stream = `${kind}-${id}`
        records.set(stream, { kind, id, first: records.get(stream)?.first ?? position, last: position })
      }
      await giveWay()
    }
  }
  return { isOurs, records }
}

/** Where somebody else has touched a record last since it was found to be touched first; 0 where nobody has. */
export async function foreignTouch(
  { view, storage }: Ledger,
  { kind, id, first }: FoundChanges,
  isOurs: ReadonlySet<number>
): Promise<number> {
  const { position: at } = await storage.head()
  let last = 0
  for (const effect of EFFECTS) {
    for await (const { position } of touchesOf(view, { kind, id, effect, at })) {
      const isTheirs = position > Math.max(first, last) && !isOurs.has(position)
      if (isTheirs) last = position
      if (isTheirs || position <= Math.max(first, last)) break
    }
    await giveWay()
  }
  return last
}

/** The records that an event touches: that of its stream, and those that it reorders or takes with it. */
function* recordsIn(event: StoredEvent): Generator<{ kind: RestorableKind; id: string }> {
  const happened = decoded(event, codec)
  for (const op of versions.handlers[happened.type]?.(happened) ?? []) {
    if (op.op !== 'put') continue
    // What the projector puts are rows of its table.
    const { kind, subject: id, effect } = op.row as Touch
    if (isRecord(kind) && effect !== 'told') yield { kind, id }
  }
}
