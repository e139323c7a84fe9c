import { z } from 'zod'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, kindOfStream, kinds } from '../../../commands/records/kinds.js'
import { tableOf } from '../../../commands/snapshots.js'
import { grouped } from '../../lib/grouped.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { type EventHeader, subjectOf } from '../../log/event.js'
import { newestFirst } from '../../log/pages.js'
import type { Row, RowOp, Storage } from '../../storage/storage.js'
import { applyForeign, changesAt, contentStep, type Trace } from './fold.js'
import type { Past } from './past.js'
import { kindIn, type Newest, newestOf } from './streams.js'

type Log = Pick<Storage, 'searchLog' | 'readAt' | 'lastOf'>
/** What the stream of a row alone has made of it; null where there is nothing. */
type Own = Trace & { readonly outline: Row | null }
type ForeignState = Pick<Past, 'foreignOps' | 'outline' | 'gone'>

/** So many rows are looked at together. */
const TOGETHER = 500
/** The first questions are small, for often the newest reorder names everything. */
const REORDERS = [4, 32, 128]
const REORDERS_MAX = 500

/**
 * Lays over these rows what other streams have done up to the moment of each: reorders of their collection, deletions of what
 * they were in, accounts that are gone, the parent of an environment. However many rows there are, what they share is read once.
 */
export async function withForeignOps<T extends Own>(
  log: Log,
  owns: readonly T[]
): Promise<readonly (T & ForeignState)[]> {
  const orders = await ordersOf(log, owns)
  const found: (T & ForeignState)[] = []
  for (const some of slices(owns, TOGETHER)) {
    const placed = some.map((own) => withOps(own, orders.get(own) ?? []))
    const ends = await endsOf(log, placed.flatMap(namedIn))
    const nulling = new Map<number, readonly RowOp[]>()
    const told = new Map(ends.flatMap(({ takes, end }) => (takes ? [] : [[end.position, end]])))
    for await (const { position, ops } of changesAt(log, [...told.values()]))
      nulling.set(
        position,
        ops.filter(({ op }) => op === 'nullify')
      )
    const byOwn = grouped(ends, ({ own }) => own)
    for (const own of placed) {
      const those = byOwn.get(own) ?? []
      const [taken = null] = those
        .flatMap(({ takes, end }) => (takes ? [end] : []))
        .sort((a, b) => a.position - b.position)
      const nulled = those.flatMap(({ end }) => nulling.get(end.position) ?? [])
      found.push({ ...withOps(own, nulled), gone: own.end ?? taken })
      await giveWay()
    }
  }
  return found
}

function withOps<T extends Own>(own: T, ops: readonly RowOp[]) {
  const { stream, outline, foreignOps = [] } = own
  const table = tableOf(stream)
  const row = outline && table && ops.reduce<Row>((now, op) => applyForeign(now, op, table), outline)
  return { ...own, outline: row, foreignOps: [...foreignOps, ...ops] }
}

/** Where a member of a collection stood; null for what is none. */
function positionOf({ stream, outline }: Own) {
  return outline && isMember(kindIn(stream)) ? itemPositionOf(outline) : null
}

/** A member of a collection, whose reorders of a type may have placed it in a range of the log. */
interface Placing<T extends Own> {
  readonly own: T
  readonly collectionId: string
  readonly type: string
  readonly after: number
  readonly through: number
}

async function placingsOf<T extends Own>(owns: readonly T[]): Promise<readonly Placing<T>[]> {
  const found: Placing<T>[] = []
  for (const own of owns) {
    const kind = kindIn(own.stream)
    const place = positionOf(own)
    if (!place || !isMember(kind)) continue
    const content = contentStep(own)
    // The last event of the stream's own that says where the record stands.
    const placing = own.steps.findLast((step) => step === content || step.type.endsWith('Moved'))
    const through = own.end ? own.end.position - 1 : own.at
    const { collectionId } = place
    found.push({ own, collectionId, type: kinds[kind].reordered, after: placing?.position ?? 0, through })
    await giveWay()
  }
  return found
}

/**
 * The newest reorder that has placed each of these, as the change that it made: one pass over the reorders of each collection, from
 * the newest on, which ends as soon as nothing older can matter.
 */
async function ordersOf<T extends Own>(log: Log, owns: readonly T[]): Promise<ReadonlyMap<T, readonly RowOp[]>> {
  const found = new Map<T, readonly RowOp[]>()
  const passes = grouped(await placingsOf(owns), ({ type, collectionId }) => `${type} ${collectionId}`)
  for (const those of passes.values()) {
    const [{ collectionId, type } = { collectionId: '', type: '' }] = those
    const filter = { streams: [`collection-${collectionId}`], types: [type] }
    let open = those
    let through = those.reduce((max, one) => Math.max(max, one.through), 0)
    for (let page = 0; open.length > 0; page++) {
      const after = open.reduce((min, one) => Math.min(min, one.after), through)
      const headers = await log.searchLog(filter, { after, through }, REORDERS[page] ?? REORDERS_MAX, true)
      const byId = grouped(open, ({ own }) => subjectOf(own.stream))
      // Ascending within the page: the newer one takes the place of the older.
      for await (const { position, ops } of changesAt(log, headers)) {
        for (const op of ops) {
          if (op.op !== 'patch') continue
          for (const { own, after, through } of byId.get(op.id) ?? []) {
            const isMeant = op.table === tableOf(own.stream) && after < position && position <= through
            if (isMeant) found.set(own, [op])
          }
        }
      }
      through = (headers.at(-1)?.position ?? 0) - 1
      open = open.filter(({ own, after }) => !found.has(own) && after < through)
    }
  }
  return found
}

/** Something that a record names: its deletion after a position takes the record with it, or is nulled in the row. */
interface Named<T extends Own> extends Newest {
  readonly own: T
  readonly after: number
  readonly takes: boolean
}

const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

function namedIn<T extends Own>(own: T): readonly Named<T>[] {
  const { stream, at, steps, end, outline } = own
  const kind = kindOfStream(stream)
  if (!kind || !outline) return []
  const named = (stream: string, type: string, after = 0, takes = false) => {
    return { own, stream, types: [type], at, after, takes }
  }
  const { createdBy, updatedBy } = attributionColumns.parse(outline)
  const accounts = [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
  const found = accounts.map((id) => named(`user-${id}`, 'UserDeleted', steps[0]?.position))
  const place = positionOf(own)
  const parent = place ? null : kinds[kind].parentOf(outline)
  // Also one that has come back has been gone since the record was put below it.
  if (parent !== null) found.push(named(`${kind}-${parent}`, `${kinds[kind].label}Deleted`, contentStep(own)?.position))
  if (!place || end) return found
  const since = Math.max(steps.at(-1)?.position ?? 0, outline.revision)
  found.push(named(`collection-${place.collectionId}`, 'CollectionDeleted', since, true))
  // A folder inside another has a deletion of its own.
  if (place.inside !== null && kind !== 'folder')
    found.push(named(`folder-${place.inside}`, 'FolderDeleted', since, true))
  return found
}

/** The first deletion of each of these that counts; those that have none are left out. */
async function endsOf<T extends Own>(log: Log, named: readonly Named<T>[]) {
  const found: (Named<T> & { readonly end: EventHeader })[] = []
  const byStream = grouped(named, ({ stream }) => stream)
  const through = named.reduce((max, { at }) => Math.max(max, at), 0)
  const asked = [...byStream.values()].flatMap((those) => those.slice(0, 1)).map((one) => ({ ...one, at: through }))
  for (const [{ stream, types }, { position }] of await newestOf(log, asked)) {
    const ends: EventHeader[] = []
    for await (const end of newestFirst(log, { streams: [stream], types }, { after: 0, through: position }))
      ends.push(end)
    for (const one of byStream.get(stream) ?? []) {
      const end = ends.findLast(({ position }) => one.after < position && position <= one.at)
      if (end) found.push({ ...one, end })
    }
  }
  return found
}
