import { z } from 'zod'
import { codec } from '../../commands/index.js'
import { kindOfStream, kinds, MEMBERS, type RestorableKind } from '../../commands/kinds.js'
import { membersIn } from '../../queries/tombstones.js'
import type { Ledger } from '../ledger.js'
import { decoded } from '../log/codec.js'
import { type EventHeader, type StoredEvent, subjectOf } from '../log/event.js'
import { eventsAt } from '../log/pages.js'
import { type LogQuery, pagesOf } from '../log/search.js'
import { giveWay } from '../turns.js'
import { type Past, pastOf } from './past.js'
import { versionTypes } from './steps.js'
import { isTakenBetween, newestFirst, takingBefore, takingOf } from './versions.js'

/** A record that something was done to, and where in the log the first and the last of it is. */
export interface FoundChanges {
  readonly kind: RestorableKind
  readonly id: string
  readonly first: number
  readonly last: number
}

const REORDERS = [...new Set(MEMBERS.map((kind) => kinds[kind].reordered))]

/** What a query finds, as positions, and the records that it was about, by stream. */
export async function changesFoundBy(ledger: Ledger, query: LogQuery) {
  const isOurs = new Set<number>()
  const records = new Map<string, FoundChanges>()
  for await (const page of pagesOf(ledger, query)) {
    for (const { position } of page) isOurs.add(position)
    for await (const events of eventsAt(ledger.storage, page)) {
      for (const event of events) {
        for (const { kind, id } of recordsIn(event)) {
          const stream = `${kind}-${id}`
          const first = records.get(stream)?.first ?? event.position
          records.set(stream, { kind, id, first, last: event.position })
        }
        await giveWay()
      }
    }
  }
  return { isOurs, records }
}

/**
 * Where somebody else has touched a record last since it was found to be touched first; records that nobody has are left out. `nows` are
 * the records as they are at the end of the log, in their order.
 */
export async function foreignTouches(
  ledger: Ledger,
  records: ReadonlyMap<string, FoundChanges>,
  nows: readonly Past[],
  isOurs: ReadonlySet<number>
): Promise<ReadonlyMap<FoundChanges, number>> {
  const touches = new Map<FoundChanges, number>()
  const touch = (record: FoundChanges, position: number) => {
    if (position > record.first && !isOurs.has(position))
      touches.set(record, Math.max(touches.get(record) ?? 0, position))
  }
  const backs: { readonly record: FoundChanges; readonly back: EventHeader }[] = []
  for (const now of nows) {
    const record = records.get(now.trace.stream)
    if (!record) continue
    let above: EventHeader | null = null
    for await (const header of newestFirst(ledger, now.trace.stream, versionTypes(now.kind), now.at)) {
      if (above && isTakenBetween(now.kind, header, above)) backs.push({ record, back: above })
      touch(record, header.position)
      if (!isOurs.has(header.position) || header.position <= record.first) break
      above = header
    }
    const taking = now.amendment.taken && (await takingOf(ledger.storage, now))
    if (taking) touch(record, taking.position)
    await giveWay()
  }
  const pasts = await pastOf(
    ledger,
    backs.map(({ record: { kind, id }, back }) => ({ kind, id, at: back.position - 1 }))
  )
  for (const [i, { record, back }] of backs.entries()) {
    const taking = await takingBefore(ledger.storage, back, pasts[i])
    if (taking) touch(record, taking.position)
    await giveWay()
  }
  let start = Number.POSITIVE_INFINITY
  for (const { first } of records.values()) start = Math.min(start, first)
  for (const type of records.size > 0 ? REORDERS : []) {
    for await (const page of pagesOf(ledger, { filter: { types: [type] }, from: { position: start } })) {
      const theirs = page.filter(({ position }) => !isOurs.has(position))
      for await (const events of eventsAt(ledger.storage, theirs)) {
        for (const event of events) {
          for (const { kind, id } of recordsIn(event)) {
            const record = records.get(`${kind}-${id}`)
            if (record) touch(record, event.position)
          }
          await giveWay()
        }
      }
    }
  }
  return touches
}

// Reorders name what they move as objects, deletions what they take with them as ids.
const members = z.array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])).default([])
const others = z.object({ folders: members, requests: members, documents: members })

/** The records that an event is about: that of its stream, and those that it reorders or takes with it. */
function* recordsIn(event: StoredEvent): Generator<{ kind: RestorableKind; id: string }> {
  const { stream, type, payload } = event
  const kind = kindOfStream(stream)
  // A collection's stream also has the orders of what is in it, which change nothing in its own record.
  if (kind && !type.endsWith('Reordered')) yield { kind, id: subjectOf(stream) }
  if (!/(Reordered|Deleted)$/.test(type) || payload.text === null) return
  yield* membersIn(others.parse(decoded(event, codec).data))
}
