import { codec } from '../../commands/index.js'
import { project } from '../../projections/index.js'
import { decoded } from '../log/codec.js'
import type { StoredEvent } from '../log/event.js'
import { eventsAt } from '../log/pages.js'
import type { RowOp, Storage, TableSpec } from '../storage/storage.js'
import { giveWay } from '../turns.js'

/** The first questions are small, for often the newest reorder names everything. */
const PAGES = [4, 32, 128, 500] as const
/** So few are looked for in the text before it is parsed. */
const FEW = 64

/** A record that a reorder of its collection may have placed, in a range of the log. */
export interface PlacementQuery {
  readonly table: TableSpec
  readonly id: string
  readonly collectionId: string
  readonly type: 'ItemsReordered' | 'FoldersReordered'
  readonly after: number
  readonly through: number
}

type Log = Pick<Storage, 'searchLog' | 'readAt'>
export type OrderPatch = Extract<RowOp, { op: 'patch' }>

/**
 * The newest reorder that places each of these records, as the change that it made of the row: one pass over the reorders of
 * each collection, from the newest on, which ends as soon as nothing older can matter.
 */
export async function newestOrders(
  storage: Log,
  queries: readonly PlacementQuery[]
): Promise<ReadonlyMap<PlacementQuery, OrderPatch>> {
  const found = new Map<PlacementQuery, OrderPatch>()
  const passes = grouped(queries, ({ collectionId, type }) => `${type} ${collectionId}`)
  for (const those of passes.values()) await pass(storage, those, found)
  return found
}

async function pass(
  storage: Log,
  those: readonly PlacementQuery[],
  found: Map<PlacementQuery, OrderPatch>
): Promise<void> {
  const [first] = those
  if (!first) return
  const filter = { streams: [`collection-${first.collectionId}`], types: [first.type] }
  let open = new Set(those)
  let through = those.reduce((max, one) => Math.max(max, one.through), 0)
  for (let page = 0; ; page++) {
    open = new Set([...open].filter((one) => !found.has(one) && one.after < through))
    if (open.size === 0) return
    const after = [...open].reduce((min, one) => Math.min(min, one.after), through)
    const limit = PAGES[page] ?? 500
    const headers = await storage.searchLog(filter, { after, through }, limit, true)
    const last = headers.at(-1)
    if (!last) return
    const byId = grouped(open, ({ id }) => id)
    await giveWay()
    // Ascending within the page: the newer one takes the place of the older.
    for await (const events of eventsAt(storage, headers)) {
      for (const event of events) {
        note(event, byId, found)
        await giveWay()
      }
    }
    through = last.position - 1
  }
}

function note(
  stored: StoredEvent,
  byId: ReadonlyMap<string, readonly PlacementQuery[]>,
  found: Map<PlacementQuery, OrderPatch>
): void {
  const { position, payload } = stored
  if (payload.text === null) return
  const { text } = payload
  if (byId.size <= FEW && ![...byId.keys()].some((id) => text.includes(JSON.stringify(id)))) return
  for (const op of project(decoded(stored, codec))) {
    if (op.op !== 'patch') continue
    for (const one of byId.get(op.id) ?? []) {
      const isMeant = op.table.name === one.table.name && one.after < position && position <= one.through
      if (isMeant) found.set(one, op)
    }
  }
}

function grouped<T>(all: Iterable<T>, keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}
