import { codec } from '../../commands/index.js'
import type { Steps } from '../../commands/kind.js'
import { createdBy } from '../../projections/define.js'
import { project, tableOf } from '../../projections/index.js'
import { decoded } from '../log/codec.js'
import { type DecodedEvent, type StoredEvent, subjectOf } from '../log/event.js'
import { eventsAt } from '../log/pages.js'
import { rowAfter } from '../storage/rowOps.js'
import type { Row, Storage, TableSpec } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import type { EventRef, Finder, NewestQuery } from './newest.js'
import { stepsOf } from './steps.js'

/** A stream at a moment of the log. */
export interface Query {
  /** `kind-id`. */
  readonly stream: string
  readonly at: number
}

/** Where the log has what the row of a stream was made of at a moment: references, and no content. */
export interface Trace extends Query {
  /** The event that made the row; null where there was none. */
  readonly made: EventRef | null
  /** What has changed it since, oldest first, as far as it still shows. */
  readonly changes: readonly EventRef[]
  /** The event of the stream by which it went, if that is the last. */
  readonly end: EventRef | null
}

/** The row that the stream alone has given, as it was before it went; null where it never was, or is erased. */
export interface Own {
  readonly trace: Trace
  readonly row: Row | null
}

/** Finds what rows were made of; the streams may be of any kind that has a row. */
export async function tracesOf(find: Finder, queries: readonly Query[]): Promise<readonly Trace[]> {
  const plans: { readonly query: Query; readonly steps: Steps; readonly groups: readonly (readonly string[])[] }[] = []
  const asked: NewestQuery[] = []
  for (const query of queries) {
    const steps = stepsOf(kindIn(query.stream))
    if (!steps) continue
    const groups = [steps.makes, ...steps.changes, steps.ends]
    plans.push({ query, steps, groups })
    for (const types of groups) asked.push({ ...query, types })
    await giveWay()
  }
  const found = await find(asked)
  let next = 0
  const traces: Trace[] = []
  for (const { query, steps, groups } of plans) {
    traces.push(traceOf(query, steps, found.slice(next, next + groups.length)))
    next += groups.length
    await giveWay()
  }
  return traces
}

/** `found` is the newest event of those that make the row, of each group of changes, and of those that end it. */
function traceOf(query: Query, steps: Steps, [made = null, ...rest]: readonly (EventRef | null)[]): Trace {
  const end = rest.pop() ?? null
  if (!made) return { ...query, made, changes: [], end: null }
  const later = rest.filter((step) => step !== null && step.position > made.position) as EventRef[]
  later.sort((a, b) => a.position - b.position)
  const whole = later.find(({ type }) => type === steps.whole)
  // What sets everything makes places that were taken before it irrelevant; a lock stays.
  const changes = later.filter(({ type, position }) => !whole || position >= whole.position || !type.endsWith('Moved'))
  return { ...query, made, changes, end: end && end.position > made.position ? end : null }
}

/** The last event of a stream's own that its row, or its absence, comes from. */
export function lastStep({ made, changes, end }: Trace): EventRef | null {
  return end ?? changes.at(-1) ?? made
}

/** The event that has said all of the record's content. */
export function contentStep({ stream, made, changes }: Trace): EventRef | null {
  const whole = stepsOf(kindIn(stream))?.whole
  return changes.find(({ type }) => type === whole) ?? made
}

/**
 * The rows of these traces, a page of texts at a time, in no order. A record that was changed is read from its newest content:
 * of the event that made it there is nothing left but who it was.
 */
export async function* ownRows(
  storage: Pick<Storage, 'readAt'>,
  traces: readonly Trace[]
): AsyncGenerator<readonly Own[]> {
  const byContent = new Map<number, Trace[]>()
  for (const trace of traces) {
    const content = contentStep(trace)
    if (!content) continue
    const those = byContent.get(content.position)
    if (those) those.push(trace)
    else byContent.set(content.position, [trace])
  }
  const none = traces.filter(({ made }) => !made)
  if (none.length > 0) yield none.map((trace) => ({ trace, row: null }))
  const contents = [...byContent.keys()].map((position) => ({ position }))
  for await (const page of eventsAt(storage, contents)) {
    const those = page.flatMap(({ position }) => byContent.get(position) ?? [])
    const parts = await partsOf(storage, those)
    const rows: Own[] = []
    for (const event of page) {
      const content = decoded(event, codec)
      for (const trace of byContent.get(event.position) ?? []) rows.push({ trace, row: folded(trace, content, parts) })
      await giveWay()
    }
    yield rows
  }
}

/** What is needed of an event beside the content: the event itself, or of a large one the row that it left, without body. */
type Part = { readonly event: DecodedEvent } | { readonly start: Row | null }

async function partsOf(storage: Pick<Storage, 'readAt'>, traces: readonly Trace[]): Promise<Map<number, Part>> {
  const wanted = new Map<number, Trace>()
  for (const trace of traces) {
    const content = contentStep(trace)
    const { made, changes } = trace
    for (const step of made ? [made, ...changes] : []) {
      const isKnown = step === content || (step === made && step.type.endsWith('Created') && content !== made)
      if (!isKnown) wanted.set(step.position, trace)
    }
  }
  const parts = new Map<number, Part>()
  const positions = [...wanted.keys()].map((position) => ({ position }))
  for await (const page of eventsAt(storage, positions)) {
    for (const stored of page) {
      const trace = wanted.get(stored.position)
      const event = decoded(stored, codec)
      const isStart = trace?.made?.position === stored.position
      parts.set(stored.position, isStart ? { start: startOf(event, stored) } : { event })
      await giveWay()
    }
  }
  return parts
}

function startOf(event: DecodedEvent, { stream }: StoredEvent): Row | null {
  const table = tableOf(stream)
  const row = table && after(null, event, table)
  return row && { ...row, body: '' }
}

function folded(trace: Trace, content: DecodedEvent, parts: ReadonlyMap<number, Part>): Row | null {
  const table = tableOf(trace.stream)
  const { made, changes } = trace
  if (!table || !made) return null
  const isMade = content.position === made.position
  const start = parts.get(made.position)
  let row = isMade ? after(null, content, table) : start && 'start' in start ? start.start : begun(trace, made, table)
  for (const { position } of changes) {
    const part = parts.get(position)
    const event = position === content.position ? content : part && 'event' in part ? part.event : null
    if (event) row = after(row, event, table)
  }
  // A start without a body was to get one from the content, which is erased.
  return row?.body === '' ? null : row
}

/** What is left of an event that made a record once later content has replaced all that it said. */
function begun({ stream }: Trace, { position: revision, version, at, actorId }: EventRef, table: TableSpec): Row {
  const { createdAt, createdBy: maker } = createdBy({ at, actorId })
  const lock = 'deletionLocked' in table.columns ? { deletionLocked: false } : {}
  const row = { id: subjectOf(stream), version, revision, body: '', createdAt, createdBy: maker, ...lock }
  // The columns that are missing are those that the content sets, which is laid over this before anybody sees it.
  return row as Row
}

/** The row of the event's own subject after the event. */
export function after(row: Row | null, event: DecodedEvent, table: TableSpec): Row | null {
  let now = row
  for (const op of project(event)) now = rowAfter(now, op, table, event.subject)
  return now
}

/** The kind in a stream's name. */
export function kindIn(stream: string): string {
  return stream.slice(0, stream.indexOf('-'))
}
