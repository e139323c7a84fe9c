import { codec } from '../../../commands/index.js'
import { tableOf } from '../../../commands/snapshots.js'
import { createdBy } from '../../../commands/table.js'
import { project } from '../../../projections/index.js'
import { grouped } from '../../lib/grouped.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { decoded } from '../../log/codec.js'
import { type DecodedEvent, type EventHeader, subjectOf } from '../../log/event.js'
import { eventsAt } from '../../log/pages.js'
import { rowAfter } from '../../storage/rowOps.js'
import type { Row, RowOp, Storage, TableSpec } from '../../storage/storage.js'
import { newestOf, stepsOf } from './streams.js'

/** A stream, `kind-id`, at a moment of the log. */
export interface Moment {
  readonly stream: string
  readonly at: number
}

/** Where the log has what the row of a stream was made of at a moment: references, and no content. */
export interface Trace extends Moment {
  /** The event that made the row and those that have changed it since, as far as it still shows: oldest first. */
  readonly steps: readonly EventHeader[]
  /** The event of the stream by which it went, if that is the last. */
  readonly end: EventHeader | null
  /** What other streams have done to it, applied last. */
  readonly foreignOps?: readonly RowOp[]
}

/** So many streams are looked for at a time. */
const TOGETHER = 500

/** Finds what rows were made of: an event of one type always sets the same columns, so the newest of each group make the row. */
export async function tracesOf<T extends Moment>(
  storage: Pick<Storage, 'lastOf' | 'searchLog'>,
  moments: readonly T[]
): Promise<readonly (T & Trace)[]> {
  const traces: (T & Trace)[] = []
  for (const some of slices(moments, TOGETHER)) {
    const asked = some.map(({ stream, at }) => {
      const steps = stepsOf(stream)
      const groups = steps ? [steps.makes, ...steps.changes, steps.ends] : []
      return groups.map((types) => ({ stream, types, at }))
    })
    const found = await newestOf(storage, asked.flat())
    for (const [i, moment] of some.entries()) {
      const [made, ...later] = (asked[i] ?? []).map((one) => found.get(one))
      const since = later.map((step) => (step && made && step.position > made.position ? step : null))
      const end = since.pop() ?? null
      const changes = since.filter((step) => step !== null).sort((a, b) => a.position - b.position)
      traces.push({ ...moment, steps: made ? [made, ...changes] : [], end })
    }
    await giveWay()
  }
  return traces
}

/** The event that has said all of the row's content. */
export function contentStep({ stream, steps }: Trace): EventHeader | undefined {
  const whole = stepsOf(stream)?.whole
  return steps.find(({ type }) => type === whole) ?? steps[0]
}

/**
 * The rows of these traces, in no order; those that are erased or never were are left out. A record that was changed is read from
 * its newest content: of the event that made it there is nothing left but who it was.
 */
export async function* folded<T extends Trace>(
  storage: Pick<Storage, 'readAt'>,
  traces: readonly T[]
): AsyncGenerator<{ readonly past: T; readonly row: Row }, void> {
  const beside = await changesBeside(storage, traces)
  const byContent = grouped(traces, (trace) => contentStep(trace)?.position ?? 0)
  const contents = [...byContent.keys()].filter((position) => position > 0).map((position) => ({ position }))
  for await (const stored of eventsAt(storage, contents)) {
    const content = decoded(stored, codec)
    for (const past of byContent.get(stored.position) ?? []) {
      const row = rowOf(past, content, beside)
      if (row) yield { past, row }
    }
    await giveWay()
  }
}

type Changes = ReadonlyMap<number, readonly RowOp[]>

function rowOf({ stream, steps, foreignOps = [] }: Trace, content: DecodedEvent, beside: Changes): Row | null {
  const table = tableOf(stream)
  if (!table) return null
  const id = subjectOf(stream)
  let row: Row | null = null
  for (const { position } of steps) {
    const ops = position === content.position ? project(content) : (beside.get(position) ?? [])
    row = ops.reduce<Row | null>((now, op) => rowAfter(now, op, table, id), row)
  }
  // A start without a body was to get one from the content, which is erased.
  return row?.body ? foreignOps.reduce<Row>((now, op) => applyForeign(now, op, table), row) : null
}

/** The row of the event's own subject after the event. */
export function after(row: Row | null, event: DecodedEvent, table: TableSpec): Row | null {
  return project(event).reduce<Row | null>((now, op) => rowAfter(now, op, table, event.subject), row)
}

/** The row with what another stream has done to it. Its revision is that of the last thing that touched it. */
export function applyForeign(row: Row, op: RowOp, table: TableSpec): Row {
  const next = rowAfter(row, op, table, row.id)
  return next && next !== row ? { ...next, revision: Math.max(row.revision, next.revision) } : row
}

/** What the steps beside the content have changed, by position. Where later content has replaced all of a row, it has no body. */
async function changesBeside(storage: Pick<Storage, 'readAt'>, traces: readonly Trace[]): Promise<Changes> {
  const changes = new Map<number, readonly RowOp[]>()
  const wanted = new Map<number, { readonly table: TableSpec | null; readonly isStart: boolean }>()
  for (const trace of traces) {
    const content = contentStep(trace)
    const table = tableOf(trace.stream)
    for (const [i, step] of trace.steps.entries()) {
      if (step === content) continue
      if (table && step.type.endsWith('Created')) changes.set(step.position, [beginning(step, table)])
      else wanted.set(step.position, { table, isStart: i === 0 })
    }
    await giveWay()
  }
  const positions = [...wanted.keys()].map((position) => ({ position }))
  for await (const { position, ops } of changesAt(storage, positions)) {
    const { table, isStart } = wanted.get(position) ?? {}
    const own = ops.filter((op) => op.table === table)
    changes.set(position, isStart ? own.map(withoutBody) : own)
  }
  return changes
}

/** The row changes of these events, ascending; of one that is erased there are none. */
export async function* changesAt(
  storage: Pick<Storage, 'readAt'>,
  events: readonly Pick<EventHeader, 'position'>[]
): AsyncGenerator<{ readonly position: number; readonly ops: readonly RowOp[] }, void> {
  for await (const event of eventsAt(storage, events)) {
    yield { position: event.position, ops: project(decoded(event, codec)) }
    await giveWay()
  }
}

function withoutBody(op: RowOp): RowOp {
  return op.op === 'put' ? { ...op, row: { ...op.row, body: '' } } : op
}

/** What is left of an event that made a record once later content has replaced all that it said. */
function beginning({ stream, position: revision, version, at, actorId }: EventHeader, table: TableSpec): RowOp {
  const { createdAt, createdBy: maker } = createdBy({ at, actorId })
  const lock = 'deletionLocked' in table.columns ? { deletionLocked: false } : {}
  const row = { id: subjectOf(stream), version, revision, body: '', createdAt, createdBy: maker, ...lock }
  // The columns that are missing are those that the content sets, which is applied before anybody sees it.
  return { op: 'put', table, row: row as Row }
}
