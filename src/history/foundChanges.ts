import { z } from 'zod'
import { codec } from '../../commands/index.js'
import { isRecord, type RestorableKind } from '../../commands/kinds.js'
import { type Effect, versions } from '../../projections/versions.js'
import { membersIn } from '../../queries/tombstones.js'
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

const ids = z.array(z.string()).default([])
const taken = z.object({ folders: ids, requests: ids, documents: ids })

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

/**
 * Where somebody else has touched a record last since it was found to be touched first; 0 where nobody has. `gone` is the event by
 * which it is not there now.
 */
export async function foreignTouch(
  { view, storage }: Ledger,
  { kind, id, first }: FoundChanges,
  gone: Touch | null,
  isOurs: ReadonlySet<number>
): Promise<number> {
  const { position: at } = await storage.head()
  let last = gone && gone.position > first && !isOurs.has(gone.position) ? gone.position : 0
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
  if (!happened.type.endsWith('Deleted')) return
  const { folders, requests, documents } = taken.parse(happened.data)
  // The folders in a folder have deletions of their own.
  yield* membersIn({ folders: happened.type === 'FolderDeleted' ? [] : folders, requests, documents })
}
