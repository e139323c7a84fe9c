import { codec } from '../../commands/index.js'
import { kinds, type RestorableKind } from '../../commands/kinds.js'
import { createdBy } from '../../projections/define.js'
import type { Touch } from '../../queries/versions.js'
import { decoded } from '../log/codec.js'
import type { DecodedEvent } from '../log/event.js'
import { eventsAt, flat } from '../log/pages.js'
import { rowAfter } from '../storage/rowOps.js'
import type { Row, RowOp, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import type { HistorySource, Past } from './past.js'
import { after } from './streams.js'

/** The event that has said all of the record's content. */
export function contentStep({ steps }: Pick<Past, 'steps'>): Touch | undefined {
  return steps.find(({ effect }) => effect === 'content') ?? steps[0]
}

/** The rows of these, a page of texts at a time, in no order; those whose content is erased are left out. */
export async function* folded<T extends Past>(
  { storage }: Pick<HistorySource, 'storage'>,
  pasts: readonly T[]
): AsyncGenerator<readonly { readonly past: T; readonly row: Row }[]> {
  const starts = await startsOf(storage, pasts)
  const byContent = new Map<number, T[]>()
  for (const past of pasts) {
    const content = contentStep(past)
    if (content) byContent.set(content.position, [...(byContent.get(content.position) ?? []), past])
  }
  const contents = [...byContent.keys()].map((position) => ({ position }))
  for await (const page of eventsAt(storage, contents)) {
    const rows: { readonly past: T; readonly row: Row }[] = []
    for (const stored of page) {
      const event = decoded(stored, codec)
      for (const past of byContent.get(event.position) ?? []) {
        const row = rowIn(past, event, starts)
        if (row) rows.push({ past, row })
      }
      await giveWay()
    }
    yield rows
  }
}

function rowIn(past: Past, content: DecodedEvent, starts: ReadonlyMap<number, Row>): Row | null {
  const { kind, id, steps, laid } = past
  const { table } = kinds[kind]
  let row: Row | null = null
  for (const step of steps) {
    const { effect, position, at, actorId } = step
    if (position === content.position) row = after(row, content, table)
    else if (effect === 'made') row = starts.get(position) ?? begun(past, { at, actorId })
    else row = rowAfter(row, { op: 'patch', table, id, set: setBy(step) }, table, id)
  }
  // A start without a body was to get one from the content, which is erased.
  if (!row?.body) return null
  return laid.reduce<Row>((now, op) => lay(now, op, kind), row)
}

/** What an event has set of a row beside its content. */
function setBy({ effect, type, position, version, container, sortOrder }: Touch) {
  const set = { ...(version > 0 && { version }), revision: position }
  if (effect === 'locked') return { ...set, deletionLocked: type.endsWith('DeletionLocked') }
  return { ...set, ...(container !== null && { container, sortOrder }) }
}

/** The row with what became of something that it names. Its revision is that of the last thing that touched it. */
export function lay(row: Row, op: RowOp, kind: RestorableKind): Row {
  const next = rowAfter(row, op, kinds[kind].table, row.id)
  return next ? { ...next, revision: Math.max(row.revision, next.revision) } : row
}

/** The rows that events made which later content has not replaced as a whole, without bodies. */
async function startsOf(storage: Pick<Storage, 'readAt'>, pasts: readonly Past[]): Promise<ReadonlyMap<number, Row>> {
  const wanted = new Map<number, Past>()
  for (const past of pasts) {
    const [made] = past.steps
    const isBegun = made?.type.endsWith('Created') && kinds[past.kind].steps.whole !== null
    if (made && made !== contentStep(past) && !isBegun) wanted.set(made.position, past)
  }
  const starts = new Map<number, Row>()
  const positions = [...wanted.keys()].map((position) => ({ position }))
  for await (const stored of flat(eventsAt(storage, positions))) {
    const past = wanted.get(stored.position)
    const row = past && after(null, decoded(stored, codec), kinds[past.kind].table)
    if (row) starts.set(stored.position, { ...row, body: '' })
    await giveWay()
  }
  return starts
}

/** What is left of an event that made a record once later content has replaced all that it said. */
function begun({ kind, id }: Past, by: Parameters<typeof createdBy>[0]): Row {
  const { createdAt, createdBy: maker } = createdBy(by)
  const lock = kinds[kind].isMember ? {} : { deletionLocked: false }
  // The columns that are missing are those that the content sets, which is laid over this before anybody sees it.
  return { id, version: 0, revision: 0, body: '', createdAt, createdBy: maker, ...lock } as Row
}
