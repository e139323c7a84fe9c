import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import type { Ledger } from '../../ledger/ledger.js'
import { LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { type Moment as LogMoment, positionAt } from '../../log/logQuery.js'
import type { PagedReads, Row, RowOp, Storage } from '../../storage/storage.js'
import { folded, type Moment, type Trace, tracesOf } from './fold.js'
import { withForeignOps } from './foreignOps.js'

/** What the past is read from: the log, and the rows as they are now. */
export interface HistorySource {
  readonly storage: Pick<Storage, 'head' | 'readHeaders' | 'readAt' | 'searchLog' | 'lastOf'>
  readonly readModel: Pick<PagedReads, 'get' | 'getAll' | 'getPage' | 'list' | 'listPart' | 'outline'>
}

/** What is known of a row at a moment, without its content. */
export interface Past extends Trace {
  readonly foreignOps: readonly RowOp[]
  /** The row as it was then, or had been before it went, its body left empty; null where there never was one, or it is erased. */
  readonly outline: Row | null
  /** The event by which it had gone, of its own or of what it was in; null where it was there. */
  readonly gone: EventHeader | null
  /** How large the body is. */
  readonly bytes: number
  /** The body, where it was no trouble to keep. */
  readonly body: string | null
}

/** A record at a moment. */
export interface RecordMoment extends Moment {
  readonly kind: RestorableKind
  readonly id: string
}
export type RecordPast = RecordMoment & Past

const NEVER = { outline: null, bytes: 0, body: null } as const

/**
 * Finds out what became of rows up to a moment each, in their order. Contents are read a page at a time; a page of them is
 * kept, and the rest read again by whoever wants them (`rowsOf`). What other streams did is looked up for records alone.
 */
export async function pastOf<T extends Moment>(
  { storage }: Pick<HistorySource, 'storage'>,
  moments: readonly T[]
): Promise<readonly (T & Past)[]> {
  const traces = await tracesOf(storage, moments)
  const known = new Map<Trace, Pick<Past, 'outline' | 'bytes' | 'body'>>()
  let kept = 0
  for await (const { past, row } of folded(storage, traces)) {
    const bytes = row.body.length
    const isKept = kept === 0 || kept + bytes <= LIMITS.page.max
    if (isKept) kept += bytes
    known.set(past, { outline: { ...row, body: '' }, bytes, body: isKept ? row.body : null })
  }
  return withForeignOps(
    storage,
    traces.map((trace) => ({ ...trace, ...(known.get(trace) ?? NEVER) }))
  )
}

/** The whole rows of these, in no order; those that are erased or never were are left out. */
export async function* rowsOf<T extends Past>(
  storage: Pick<Storage, 'readAt'>,
  pasts: readonly T[]
): AsyncGenerator<{ readonly past: T; readonly row: Row }, void> {
  for (const past of pasts) {
    const row = rowWithBody(past)
    if (row) yield { past, row }
  }
  const unread = pasts.filter(({ outline, body }) => outline !== null && body === null)
  yield* folded(storage, unread)
}

/**
 * The last position at a moment, as `positionAt` has it. What this process knows of the rows is of then at least: one that another
 * process has changed up to there would else count as unchanged.
 */
export async function positionIn(
  { storage, readModel }: Pick<Ledger, 'storage' | 'readModel'>,
  moment: LogMoment,
  what: string
): Promise<number> {
  const position = await positionAt(storage, moment, what)
  await readModel.current()
  return position
}

/** The row of a record as it was at a position, exactly; null where it was not there then, or is erased. */
export async function rowAt(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  position: number
): Promise<Row | null> {
  const now = await source.readModel.get(kinds[kind].table, id)
  // A row that has not changed since is its own past.
  if (now && now.revision <= position) return now
  const [past] = await pastOf(source, [{ stream: `${kind}-${id}`, at: position }])
  // Of a single record the body is kept, however large.
  return past && !past.gone ? rowWithBody(past) : null
}

/** The row that a stream alone had given at a moment, or before it went; null where it is erased. */
export async function ownRowAt({ storage }: Pick<HistorySource, 'storage'>, moment: Moment): Promise<Row | null> {
  for await (const { row } of folded(storage, await tracesOf(storage, [moment]))) return row
  return null
}

function rowWithBody({ outline, body }: Past): Row | null {
  return outline && body !== null ? { ...outline, body } : null
}
