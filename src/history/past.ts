import { kinds, type RestorableKind } from '../../commands/kinds.js'
import { LIMITS } from '../limits.js'
import type { PagedReads, Row, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { type Amendment, amend, amendments } from './amended.js'
import { type EventRef, type Finder, finder } from './newest.js'
import { ownRows, type Query, type Trace, tracesOf } from './own.js'

/** What the past is read from: the log, and the rows as they are now. */
export interface HistorySource {
  readonly storage: Pick<Storage, 'head' | 'readHeaders' | 'readAt' | 'searchLog' | 'lastOf'>
  readonly view: Pick<PagedReads, 'get' | 'getAll' | 'getPage' | 'list' | 'outline'>
}

/** A record at a moment. */
export interface Moment {
  readonly kind: RestorableKind
  readonly id: string
  readonly at: number
}

/** What is known of a record at a moment, without its content. */
export interface Past extends Moment {
  readonly trace: Trace
  readonly amendment: Amendment
  /** The row as it was then, or had been before it went, its body left empty; null where there never was one, or it is erased. */
  readonly outline: Row | null
  /** The event by which it had gone; null where it was there. */
  readonly gone: EventRef | null
  /** How large the body is. */
  readonly bytes: number
  /** The body, where it was no trouble to keep. */
  readonly body: string | null
}

const NEVER = { outline: null, bytes: 0, body: null } as const
const NOTHING: Amendment = { ops: [], taken: null, placedAt: 0 }

/**
 * Finds out what became of records up to a moment each, in their order. Contents are read a page at a time; a page of them is
 * kept, and the rest read again by whoever wants them (`rowsOf`).
 */
export async function pastOf(
  { storage }: Pick<HistorySource, 'storage'>,
  moments: readonly Moment[],
  find: Finder = finder(storage)
): Promise<readonly Past[]> {
  const queries = moments.map(({ kind, id, at }): Query => ({ stream: `${kind}-${id}`, at }))
  const traces = await tracesOf(find, queries)
  const outlines = new Map<Trace, Pick<Past, 'outline' | 'bytes' | 'body'>>()
  let kept = 0
  for await (const page of ownRows(storage, traces)) {
    for (const { trace, row } of page) {
      const bytes = row?.body.length ?? 0
      const isKept = row !== null && (kept === 0 || kept + bytes <= LIMITS.page.max)
      if (isKept) kept += bytes
      outlines.set(trace, { outline: row && { ...row, body: '' }, bytes, body: isKept ? row.body : null })
    }
  }
  const owns = [...outlines].map(([trace, { outline }]) => ({ trace, row: outline }))
  const amended = await amendments(storage, find, owns)
  const pasts: Past[] = []
  for (const [i, trace] of traces.entries()) {
    // There is a trace for each moment, since every kind of record has steps.
    const moment = moments[i] as Moment
    const known = outlines.get(trace) ?? NEVER
    const amendment = amended.get(trace) ?? NOTHING
    const outline = known.outline && amend(known.outline, amendment, kinds[moment.kind].table)
    pasts.push({ ...moment, ...known, trace, amendment, outline, gone: trace.end ?? amendment.taken })
    await giveWay()
  }
  return pasts
}

/** The whole rows of these, a page at a time, in no order; those that are erased or never were are left out. */
export async function* rowsOf<T extends Past>(
  storage: Pick<Storage, 'readAt'>,
  pasts: readonly T[]
): AsyncGenerator<readonly { readonly past: T; readonly row: Row }[]> {
  const byTrace = new Map(pasts.map((past) => [past.trace, past]))
  const kept = pasts.flatMap((past) => {
    const row = keptRow(past)
    return row ? [{ past, row }] : []
  })
  if (kept.length > 0) yield kept
  const unread = pasts.filter(({ outline, body }) => outline !== null && body === null)
  for await (const page of ownRows(
    storage,
    unread.map(({ trace }) => trace)
  )) {
    yield page.flatMap(({ trace, row }) => {
      const past = byTrace.get(trace)
      return past && row ? [{ past, row: amend(row, past.amendment, kinds[past.kind].table) }] : []
    })
  }
}

function keptRow({ outline, body }: Past): Row | null {
  return outline && body !== null ? { ...outline, body } : null
}

/** The row of a record as it was at a position, exactly; null where it was not there then, or is erased. */
export async function rowAt(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  position: number
): Promise<Row | null> {
  const now = await source.view.get(kinds[kind].table, id)
  // A row that has not changed since is its own past.
  if (now && now.revision <= position) return now
  const [past] = await pastOf(source, [{ kind, id, at: position }])
  // Of a single record the body is kept, however large.
  return past && !past.gone ? keptRow(past) : null
}
