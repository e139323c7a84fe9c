import type { PriorOutcome } from '../../../commands/log/idempotency/decide.js'
import type { PlacedRow } from '../../../commands/record.js'
import { KINDS, kinds } from '../../../commands/records/kinds.js'
import { rowAfter } from '../../storage/rowOps.js'
import type { Columns, ReadStore, Row, RowOp, Storage, TableSpec } from '../../storage/storage.js'
import { changesAt, tracesOf } from './fold.js'
import type { HistorySource } from './past.js'
import { placedAt } from './tree.js'

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
  storage: Pick<Storage, 'lastOf' | 'searchLog' | 'readAt'>,
  stream: string,
  position: number
): Promise<Pick<ReadStore, 'get'>> {
  const changes: RowOp[] = []
  for (const { steps, end } of await tracesOf(storage, [{ stream, at: position }]))
    for await (const { ops } of changesAt(storage, end ? [...steps, end] : steps)) changes.push(...ops)
  return {
    async get<C extends Columns>(table: TableSpec<C>, id: string) {
      // What is folded are changes of this table, whose spec gives its rows their type.
      return changes.reduce<Row | null>((row, op) => rowAfter(row, op, table, id), null) as Row<C> | null
    }
  }
}
