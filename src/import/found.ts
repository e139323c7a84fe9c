import { codec } from '../../commands/index.js'
import { kinds, MEMBERS, type Member } from '../../commands/kinds.js'
import { sourceEvents } from '../../commands/source/events.js'
import { collectionsTable } from '../../projections/collections.js'
import { deletionOf } from '../../queries/tombstones.js'
import type { Ledger } from '../ledger.js'
import { slices } from '../limits.js'
import { decoded } from '../log/codec.js'
import { columnsOf } from '../log/sequence.js'
import { WHOLE_LOG } from '../storage/search.js'
import type { Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import type { Found, Previous } from './plan.js'
import type { ImportRecord } from './records.js'

/** So many streams are looked for at a time, and so many rows read. */
const AT_ONCE = 500

/** What a collection holds, without bodies, by the ids of what is in it. */
export type Held = ReadonlyMap<string, { readonly kind: Member; readonly row: Row }>

/** Everything in a collection, without bodies. */
export async function heldIn({ view }: Pick<Ledger, 'view'>, collectionId: string): Promise<Held> {
  const held = new Map<string, { readonly kind: Member; readonly row: Row }>()
  for (const kind of MEMBERS) {
    for (const row of await columnsOf(view, kinds[kind].table, 'byCollection', collectionId))
      held.set(row.id, { kind, row })
    await giveWay()
  }
  return held
}

/** What the last import of a source has brought; null where there was none, or nothing is known of it any more. */
export async function previousOf({ storage }: Pick<Ledger, 'storage'>, sourceId: string): Promise<Previous | null> {
  const [header] = await storage.searchLog({ streams: [`source-${sourceId}`] }, WHOLE_LOG, 1, true)
  const [event] = header ? await storage.readAt([header.position]) : []
  if (!event || event.payload.text === null) return null
  return { position: event.position, data: sourceEvents.SourceImported.data.parse(decoded(event, codec).data) }
}

/** What is there of all that a file brings to a collection; null where that is deleted meanwhile. */
export async function foundIn(
  ledger: Ledger,
  collectionId: string,
  held: Held,
  previous: Previous | null,
  records: readonly ImportRecord[]
): Promise<Found | null> {
  const { view } = ledger
  const collection = await view.get(collectionsTable, collectionId)
  if (!collection) return null
  const rows = new Map(held)
  const known = previous ? [...previous.data.folders, ...previous.data.requests, ...previous.data.documents] : []
  const wanted = new Set([...records.map(({ id }) => id), ...known])
  for (const kind of MEMBERS) {
    const ids = [...wanted].filter((id) => held.get(id)?.kind === kind)
    for await (const row of wholeRows(ledger, kind, ids)) rows.set(row.id, { kind, row })
  }
  return {
    collection,
    rows,
    previous,
    deleted: await deletedAmong(
      ledger,
      records.filter(({ id }) => !held.has(id))
    )
  }
}

async function* wholeRows({ view }: Ledger, kind: Member, ids: readonly string[]): AsyncGenerator<Row, void> {
  const { table } = kinds[kind]
  for (let rest = ids; rest.length > 0; ) {
    const asked = rest.slice(0, AT_ONCE)
    const page = await view.getPage(table, asked)
    yield* page
    const last = page.at(-1)?.id
    rest = rest.slice(last === undefined ? asked.length : asked.indexOf(last) + 1)
    await giveWay()
  }
}

/** The records among these that were there before: somebody has deleted them, or what they were in. */
async function deletedAmong({ storage, view }: Ledger, records: readonly ImportRecord[]): Promise<Found['deleted']> {
  const deleted = new Map<string, { readonly follows: number; readonly deletionPositions: readonly number[] }>()
  for (const kind of MEMBERS) {
    const { steps } = kinds[kind]
    const types = [...steps.makes, ...steps.changes.flat(), ...steps.ends]
    const ids = records.filter((one) => one.kind === kind).map(({ id }) => id)
    for (const some of slices(ids, AT_ONCE)) {
      const streams = some.map((id) => `${kind}-${id}`)
      for (const { stream, version } of await storage.lastOf(streams, types, WHOLE_LOG.through)) {
        const id = stream.slice(kind.length + 1)
        const deletion = await deletionOf(view, kind, id)
        deleted.set(id, { follows: version, deletionPositions: deletion ? [deletion.position] : [] })
        await giveWay()
      }
    }
  }
  return deleted
}
