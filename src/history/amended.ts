import { codec } from '../../commands/index.js'
import { itemPositionOf } from '../../commands/kind.js'
import { kindOfStream, kinds } from '../../commands/kinds.js'
import { project, tableOf } from '../../projections/index.js'
import { decoded } from '../log/codec.js'
import { eventsAt } from '../log/pages.js'
import { rowAfter } from '../storage/rowOps.js'
import type { Row, RowOp, Storage, TableSpec } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import type { EventRef, Finder, NewestQuery } from './newest.js'
import { newestOrders, type PlacementQuery } from './newestOrders.js'
import { contentStep, kindIn, lastStep, type Own, type Trace } from './own.js'
import { attributed, positionOf } from './steps.js'

type Log = Pick<Storage, 'searchLog' | 'readAt'>

/** What other streams have done to a row that its own has made. */
export interface Amendment {
  /** The changes, which `amend` lays over the row. */
  readonly ops: readonly RowOp[]
  /** A deletion that took the record with it; null where it is there, or went by an event of its own. */
  readonly taken: EventRef | null
  /** The position of the last event by which the record stood where it did; deletions that took it come later. */
  readonly placedAt: number
}

/** The row with what other streams have done to it. Its revision is that of the last thing that touched it. */
export function amend(row: Row, { ops }: Pick<Amendment, 'ops'>, table: TableSpec): Row {
  return ops.reduce<Row>((now, op) => {
    const next = rowAfter(now, op, table, row.id)
    return next && next !== now ? { ...next, revision: Math.max(now.revision, next.revision) } : now
  }, row)
}

/**
 * Finds what other streams have done to these rows up to the moment of each: reorders of their collection, deletions of what
 * they were in, accounts that are gone, the parent of an environment. However many rows there are, what they share is read once.
 */
export async function amendments(log: Log, find: Finder, owns: readonly Own[]): Promise<ReadonlyMap<Trace, Amendment>> {
  const there = owns.flatMap(({ trace, row }) => (row ? [{ trace, row }] : []))
  const orders = await ordersOf(log, there)
  const placedRows: There[] = []
  for (const { trace, row } of there) {
    const op = orders.get(trace)
    const table = tableOf(trace.stream)
    placedRows.push({ trace, row: op && table ? amend(row, { ops: [op] }, table) : row })
    await giveWay()
  }
  const placedAt = new Map(placedRows.map(({ trace, row }) => [trace, lastPlacedAt(trace, row)]))
  const taken = await takenBy(find, placedRows)
  const accounts = await accountsGone(log, find, there)
  const amendments = new Map<Trace, Amendment>()
  for (const { trace, row } of there) {
    const order = orders.get(trace)
    const parent = await parentGone(log, find, trace, row)
    const ops = [...(order ? [order] : []), ...(accounts.get(trace) ?? []), ...parent]
    amendments.set(trace, { ops, taken: taken.get(trace) ?? null, placedAt: placedAt.get(trace) ?? 0 })
    await giveWay()
  }
  return amendments
}

type There = { readonly trace: Trace; readonly row: Row }

/** The last event of its own stream, or the last reorder that its row tells of. */
function lastPlacedAt(trace: Trace, row: Row): number {
  return Math.max(lastStep(trace)?.position ?? 0, row.revision)
}

/** The last event of the stream's own that says where the record stands. */
function placingStep(trace: Trace): EventRef | null {
  const moved = trace.changes.findLast(({ type }) => type.endsWith('Moved'))
  return moved ?? contentStep(trace)
}

async function ordersOf(log: Log, there: readonly There[]): Promise<ReadonlyMap<Trace, RowOp>> {
  const traces = new Map<PlacementQuery, Trace>()
  for (const { trace, row } of there) {
    const name = kindOfStream(trace.stream)
    const kind = name && kinds[name]
    if (!kind?.isMember) continue
    const { table, reordered: type } = kind
    const { collectionId } = itemPositionOf(row)
    const after = placingStep(trace)?.position ?? 0
    const through = trace.end ? trace.end.position - 1 : trace.at
    traces.set({ table, id: row.id, collectionId, type, after, through }, trace)
    await giveWay()
  }
  const found = new Map<Trace, RowOp>()
  for (const [query, op] of await newestOrders(log, [...traces.keys()])) {
    const trace = traces.get(query)
    if (trace) found.set(trace, op)
  }
  return found
}

/** The deletions of a folder or a collection that took these records with them. A folder inside another has its own. */
async function takenBy(find: Finder, there: readonly There[]): Promise<ReadonlyMap<Trace, EventRef>> {
  const asked: (There & { readonly asked: NewestQuery })[] = []
  for (const { trace, row } of there) {
    const kind = kindIn(trace.stream)
    const place = positionOf(kind, row)
    if (!place || trace.end) continue
    const { at } = trace
    const { collectionId, inside } = place
    asked.push({ trace, row, asked: { stream: `collection-${collectionId}`, types: ['CollectionDeleted'], at } })
    if (inside !== null && kind !== 'folder')
      asked.push({ trace, row, asked: { stream: `folder-${inside}`, types: ['FolderDeleted'], at } })
    await giveWay()
  }
  const found = await find(asked.map((one) => one.asked))
  const taken = new Map<Trace, EventRef>()
  for (const [i, { trace, row }] of asked.entries()) {
    const step = found[i]
    // Nothing can happen to a record that is gone: whatever is newer than all that happened to it took it away.
    const known = taken.get(trace)
    if (step && step.position > lastPlacedAt(trace, row) && (!known || step.position < known.position))
      taken.set(trace, step)
  }
  return taken
}

/** The deletions of accounts that rows name, as changes of those rows. Accounts never come back. */
async function accountsGone(
  log: Log,
  find: Finder,
  there: readonly There[]
): Promise<ReadonlyMap<Trace, readonly RowOp[]>> {
  const asked: { readonly trace: Trace; readonly asked: NewestQuery }[] = []
  for (const { trace, row } of there) {
    for (const account of attributed(row))
      asked.push({ trace, asked: { stream: `user-${account}`, types: ['UserDeleted'], at: trace.at } })
    await giveWay()
  }
  const found = await find(asked.map((one) => one.asked))
  const gone = asked.flatMap(({ trace }, i) => {
    const step = found[i]
    return step && step.position > (trace.made?.position ?? 0) ? [{ trace, step }] : []
  })
  const ops = await opsAt(
    log,
    gone.map(({ step }) => step)
  )
  const changes = new Map<Trace, RowOp[]>()
  for (const { trace, step } of gone) {
    const own = (ops.get(step.position) ?? []).filter(({ table }) => table === tableOf(trace.stream))
    changes.set(trace, [...(changes.get(trace) ?? []), ...own])
  }
  return changes
}

/** The first deletion of a record's parent of its own kind since it was put below that: also of one that came back. */
async function parentGone(log: Log, find: Finder, trace: Trace, row: Row): Promise<readonly RowOp[]> {
  const kind = kindOfStream(trace.stream)
  if (!kind || kinds[kind].isMember) return []
  const { label, table } = kinds[kind]
  const parent = kinds[kind].parentOf(row)
  const since = contentStep(trace)?.position ?? 0
  if (parent === null) return []
  const stream = `${kind}-${parent}`
  const types = [`${label}Deleted`]
  const [last] = await find([{ stream, types, at: trace.at }])
  if (!last || last.position <= since) return []
  const [first] = await log.searchLog({ streams: [stream], types }, { after: since, through: trace.at }, 1, false)
  const ops = first ? (await opsAt(log, [first])).get(first.position) : []
  return (ops ?? []).filter((one) => one.table === table && one.op === 'nullify')
}

async function opsAt(
  log: Log,
  steps: readonly Pick<EventRef, 'position'>[]
): Promise<ReadonlyMap<number, readonly RowOp[]>> {
  const found = new Map<number, readonly RowOp[]>()
  const distinct = [...new Set(steps.map(({ position }) => position))].map((position) => ({ position }))
  for await (const page of eventsAt(log, distinct)) {
    for (const event of page) found.set(event.position, project(decoded(event, codec)))
  }
  return found
}
