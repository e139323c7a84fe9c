import { isMember, kinds, type RestorableKind } from '../../commands/kinds.js'
import type { Effect } from '../../projections/versions.js'
import { newestTouch, type Touch } from '../../queries/versions.js'
import { LIMITS, slices } from '../limits.js'
import type { PagedReads, Row, RowOp, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { folded } from './fold.js'
import { laidOver } from './laidOver.js'

/** What the past is read from: the log, and the read tables. */
export interface HistorySource {
  readonly storage: Pick<Storage, 'head' | 'readHeaders' | 'readAt' | 'searchLog' | 'lastOf'>
  readonly view: Pick<PagedReads, 'get' | 'getAll' | 'getPage' | 'list' | 'outline' | 'listPart'>
}

/** A record at a moment. */
export interface Moment {
  readonly kind: RestorableKind
  readonly id: string
  readonly at: number
}

/** What is known of a record at a moment, without its content. */
export interface Past extends Moment {
  /** What its row was made of, oldest first: the event that made it, and what has changed it since. */
  readonly steps: readonly Touch[]
  /** What became of accounts and of a parent that it named. */
  readonly laid: readonly RowOp[]
  /** The row as it was then, or had been before it went, its body left empty; null where there never was one, or it is erased. */
  readonly outline: Row | null
  /** The event by which it had gone; null where it was there. */
  readonly gone: Touch | null
  /** How large the body is. */
  readonly bytes: number
  /** The body, where it was no trouble to keep. */
  readonly body: string | null
}

/** So many records are looked for at a time. */
const AT_ONCE = 32
/** What changes a row; of a record's own events all but the order among its siblings. */
const OWN: readonly Effect[] = ['content', 'moved', 'locked']

/** Finds out what became of records up to a moment each, in their order. Contents are read a page at a time; a page is kept. */
export async function pastOf(source: HistorySource, moments: readonly Moment[]): Promise<readonly Past[]> {
  const traces = await tracesOf(source, moments, [...OWN, 'ordered'])
  const known = new Map<Past, Past>()
  let kept = 0
  for await (const page of folded(source, traces)) {
    for (const { past, row } of page) {
      const bytes = row.body.length
      const isKept = kept === 0 || kept + bytes <= LIMITS.page.max
      if (isKept) kept += bytes
      known.set(past, { ...past, outline: { ...row, body: '' }, bytes, body: isKept ? row.body : null })
    }
  }
  return laidOver(
    source,
    traces.map((past) => known.get(past) ?? past)
  )
}

/** The event by which a record had gone at a moment, of its own or of what it was in; null where it was there. */
export async function endOf(source: HistorySource, moment: Moment): Promise<Touch | null> {
  const [found] = await tracesOf(source, [moment], [...OWN, 'ordered'])
  return found?.gone ?? null
}

/** The row that a record's own stream alone had given it at a moment, or before it went. */
export async function ownRow(source: HistorySource, moment: Moment): Promise<Row | null> {
  for await (const [found] of folded(source, await tracesOf(source, [moment], OWN))) return found?.row ?? null
  return null
}

/** The whole rows of these, a page at a time, in no order; those that are erased or never were are left out. */
export async function* rowsOf<T extends Past>(
  source: Pick<HistorySource, 'storage'>,
  pasts: readonly T[]
): AsyncGenerator<readonly { readonly past: T; readonly row: Row }[]> {
  const kept = pasts.flatMap((past) => {
    const row = keptRow(past)
    return row ? [{ past, row }] : []
  })
  if (kept.length > 0) yield kept
  yield* folded(
    source,
    pasts.filter(({ outline, body }) => outline !== null && body === null)
  )
}

/** The row of a record as it was at a position, exactly; null where it was not there then, or is erased. */
export async function rowAt(source: HistorySource, kind: RestorableKind, id: string, at: number): Promise<Row | null> {
  const now = await source.view.get(kinds[kind].table, id)
  // A row that has not changed since is its own past.
  if (now && now.revision <= at) return now
  const [past] = await pastOf(source, [{ kind, id, at }])
  // Of a single record the body is kept, however large.
  return past && !past.gone ? keptRow(past) : null
}

function keptRow({ outline, body }: Past): Row | null {
  return outline && body !== null ? { ...outline, body } : null
}

async function tracesOf({ view }: HistorySource, moments: readonly Moment[], effects: readonly Effect[]) {
  const found: Past[] = []
  const containerEnded = containerEnds(view)
  for (const some of slices(moments, AT_ONCE)) {
    found.push(
      ...(await Promise.all(
        some.map(async (moment): Promise<Past> => {
          const [made, end, ...rest] = await Promise.all(
            (['made', 'ended', ...effects] as const).map((effect) => newestTouch(view, { ...moment, effect }))
          )
          const isLater = (one: Touch | null | undefined) => one && made && one.position > made.position
          const later = rest.flatMap((one) => (one && isLater(one) ? [one] : []))
          const steps = made ? [made, ...later.sort((a, b) => a.position - b.position)] : []
          const gone = end && isLater(end) ? end : await containerEnded(moment, steps)
          return { ...moment, steps, laid: [], outline: null, gone, bytes: 0, body: null }
        })
      ))
    )
    await giveWay()
  }
  return found
}

/**
 * Finds the deletion of a folder or a collection that took a record with it: the first after the last that happened to the record. A
 * folder inside another has a deletion of its own. The records of a container share one look-up.
 */
function containerEnds(view: HistorySource['view']) {
  const ends = new Map<string, Promise<Touch | null>>()
  const endOf = (kind: RestorableKind, id: string, at: number) => {
    const key = `${kind} ${id} ${at}`
    const end = ends.get(key) ?? newestTouch(view, { kind, id, effect: 'ended', at })
    ends.set(key, end)
    return end
  }
  return async ({ kind, at }: Moment, steps: readonly Touch[]): Promise<Touch | null> => {
    const collectionId = steps.findLast((step) => step.collectionId !== null)?.collectionId
    if (!isMember(kind) || !collectionId) return null
    const container = steps.findLast((step) => step.container !== null)?.container ?? collectionId
    const since = steps.at(-1)?.position ?? 0
    const found = [await endOf('collection', collectionId, at)]
    if (container !== collectionId && kind !== 'folder') found.push(await endOf('folder', container, at))
    const later = found.flatMap((end) => (end && end.position > since ? [end] : []))
    const [first] = later.sort((a, b) => a.position - b.position)
    return first ? { ...first, version: 0 } : null
  }
}
