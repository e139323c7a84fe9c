import { z } from 'zod'
import { itemPositionOf } from '../../commands/kind.js'
import { isMember, kindOfStream, kinds } from '../../commands/kinds.js'
import { tableOf } from '../../projections/index.js'
import { slices } from '../limits.js'
import { type EventHeader, subjectOf } from '../log/event.js'
import type { Row, RowOp, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { changesAt, contentStep, lay, type Trace } from './fold.js'
import { grouped, kindIn, newestFirst, newestOf } from './streams.js'

type Log = Pick<Storage, 'searchLog' | 'readAt' | 'lastOf'>
/** What the stream of a row alone has made of it; null where there is nothing. */
type Own = Trace & { readonly outline: Row | null }
/** What other streams have done to a row, and the event by which it had gone, of its own or of what it was in. */
interface LaidOver {
  readonly laid: readonly RowOp[]
  readonly outline: Row | null
  readonly gone: EventHeader | null
}

/** So many rows are looked at together. */
const TOGETHER = 500
/** The first questions are small, for often the newest reorder names everything. */
const REORDERS = [4, 32, 128]
const REORDERS_MAX = 500

/**
 * Lays over these rows what other streams have done up to the moment of each: reorders of their collection, deletions of what
 * they were in, accounts that are gone, the parent of an environment. However many rows there are, what they share is read once.
 */
export async function laidOver<T extends Own>(log: Log, owns: readonly T[]): Promise<readonly (T & LaidOver)[]> {
  const orders = await ordersOf(log, owns)
  const found: (T & LaidOver)[] = []
  for (const some of slices(owns, TOGETHER)) {
    const placed = some.map((own) => laidOn(own, orders.get(own) ?? []))
    const ends = await containerEnds(log, placed)
    const nulled = await nulledIn(log, placed)
    for (const own of placed)
      found.push({ ...laidOn(own, nulled.get(own) ?? []), gone: own.end ?? ends.get(own) ?? null })
    await giveWay()
  }
  return found
}

function laidOn<T extends Own>(own: T, ops: readonly RowOp[]) {
  const { stream, outline, laid = [] } = own
  const table = tableOf(stream)
  const row = outline && table && ops.reduce<Row>((now, op) => lay(now, op, table), outline)
  return { ...own, outline: row, laid: [...laid, ...ops] }
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
          for (const { own, after, through } of (op.op === 'patch' && byId.get(op.id)) || []) {
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

/**
 * The deletions of a folder or a collection that took these records with them: the first after the last that happened to a record. A
 * folder inside another has its own.
 */
async function containerEnds<T extends Own>(log: Log, owns: readonly T[]): Promise<ReadonlyMap<T, EventHeader>> {
  const held = owns.flatMap((own) => {
    const place = own.end ? null : positionOf(own)
    if (!place) return []
    const since = Math.max(own.steps.at(-1)?.position ?? 0, own.outline?.revision ?? 0)
    const inCollection = { own, since, stream: `collection-${place.collectionId}`, types: ['CollectionDeleted'] }
    if (place.inside === null || kindIn(own.stream) === 'folder') return [inCollection]
    return [inCollection, { own, since, stream: `folder-${place.inside}`, types: ['FolderDeleted'] }]
  })
  const containers = grouped(held, ({ stream }) => stream)
  const at = owns.reduce((max, own) => Math.max(max, own.at), 0)
  const asked = [...containers.values()].flatMap((those) => those.slice(0, 1)).map((one) => ({ ...one, at }))
  const found = new Map<T, EventHeader>()
  for (const [{ stream, types }, { position }] of await newestOf(log, asked)) {
    const ends: EventHeader[] = []
    for await (const end of newestFirst(log, { streams: [stream], types }, { after: 0, through: position }))
      ends.push(end)
    for (const { own, since } of containers.get(stream) ?? []) {
      const first = ends.findLast((end) => since < end.position && end.position <= own.at)
      if (first && first.position < (found.get(own)?.position ?? Number.POSITIVE_INFINITY)) found.set(own, first)
    }
  }
  return found
}

const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

/** What became of accounts and of a parent that these records named, as changes that null them. */
async function nulledIn<T extends Own>(log: Log, owns: readonly T[]): Promise<ReadonlyMap<T, readonly RowOp[]>> {
  const gone = [...(await accountsGone(log, owns)), ...(await parentsGone(log, owns))]
  const distinct = new Map(gone.map(({ position }) => [position, { position }]))
  const byPosition = grouped(gone, ({ position }) => position)
  const nulled = new Map<T, readonly RowOp[]>()
  for await (const { position, ops } of changesAt(log, [...distinct.values()])) {
    for (const { own } of byPosition.get(position) ?? []) {
      const those = ops.filter(({ op, table }) => op === 'nullify' && table === tableOf(own.stream))
      nulled.set(own, [...(nulled.get(own) ?? []), ...those])
    }
  }
  return nulled
}

/** A record, and where something went that it named. */
interface Gone<T extends Own> {
  readonly own: T
  readonly position: number
}

/** Accounts never come back. */
async function accountsGone<T extends Own>(log: Log, owns: readonly T[]): Promise<readonly Gone<T>[]> {
  const asked = owns.flatMap((own) => {
    if (!own.outline || !kindOfStream(own.stream)) return []
    const { createdBy, updatedBy } = attributionColumns.parse(own.outline)
    const accounts = [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
    return accounts.map((id) => ({ own, stream: `user-${id}`, types: ['UserDeleted'], at: own.at }))
  })
  const ends = await newestOf(log, asked)
  return asked.flatMap((one) => {
    const { position } = ends.get(one) ?? { position: 0 }
    return position > (one.own.steps[0]?.position ?? 0) ? [{ own: one.own, position }] : []
  })
}

/** The first deletion of a record's parent of its own kind since it was put below that: also of one that came back. */
async function parentsGone<T extends Own>(log: Log, owns: readonly T[]): Promise<readonly Gone<T>[]> {
  const found: Gone<T>[] = []
  for (const own of owns) {
    const kind = kindOfStream(own.stream)
    const parent = kind && own.outline && !isMember(kind) ? kinds[kind].parentOf(own.outline) : null
    if (kind === null || parent === null) continue
    const filter = { streams: [`${kind}-${parent}`], types: [`${kinds[kind].label}Deleted`] }
    const within = { after: contentStep(own)?.position ?? 0, through: own.at }
    const [first] = await log.searchLog(filter, within, 1, false)
    if (first) found.push({ own, position: first.position })
    await giveWay()
  }
  return found
}
