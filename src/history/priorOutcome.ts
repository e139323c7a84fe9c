import { codec } from '../../commands/index.js'
import { KINDS, kinds } from '../../commands/kinds.js'
import { project } from '../../projections/index.js'
import type { PlacedRow } from '../../projections/record.js'
import { decoded } from '../log/codec.js'
import type { PriorOutcome } from '../log/decision.js'
import type { DecodedEvent } from '../log/event.js'
import { eventsAt } from '../log/pages.js'
import { rowAfter } from '../storage/rowOps.js'
import type { Columns, ReadStore, Row, TableSpec } from '../storage/storage.js'
import { placedAt } from './members.js'
import { finder } from './newest.js'
import { tracesOf } from './own.js'
import type { HistorySource } from './past.js'

/**
 * The row that a command left when it was carried out, and its place then; null for a table without history, and where the
 * past is erased.
 */
export async function priorRow(
  source: HistorySource,
  table: TableSpec,
  { subject, position }: PriorOutcome
): Promise<PlacedRow | { readonly row: null }> {
  const kind = KINDS.find((one) => kinds[one].table === table)
  const placed = kind && subject !== null ? await placedAt(source, kind, subject, position) : null
  return placed ?? { row: null }
}

/** The rows that one stream alone has made, in every table, as they were at a position. */
export async function streamAt(
  storage: HistorySource['storage'],
  stream: string,
  position: number
): Promise<Pick<ReadStore, 'get'>> {
  const [trace] = await tracesOf(finder(storage), [{ stream, at: position }])
  const steps = trace?.made ? [trace.made, ...trace.changes, ...(trace.end ? [trace.end] : [])] : []
  const events: DecodedEvent[] = []
  for await (const page of eventsAt(storage, steps)) events.push(...page.map((stored) => decoded(stored, codec)))
  const ops = events.flatMap(project)
  return {
    async get<C extends Columns>(table: TableSpec<C>, id: string) {
      // What is folded are changes of this table, whose spec gives its rows their type.
      return ops.reduce<Row | null>((row, op) => rowAfter(row, op, table, id), null) as Row<C> | null
    }
  }
}
