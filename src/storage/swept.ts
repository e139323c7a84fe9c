import { holds } from './order.js'
import type { Row, RowOp } from './storage.js'

/** What a change of unnamed rows makes of this one: null where it goes, and the row itself where it is not meant. */
export function swept(row: Row, op: Extract<RowOp, { op: 'deleteWhere' | 'clear' }>): Row | null {
  if (op.op === 'deleteWhere') return holds(row, op.column, op.value) ? null : row
  const held = op.columns.filter((column) => holds(row, column, op.value))
  if (held.length === 0) return row
  // The columns that are cleared may be null: they are said to be cleared.
  return { ...row, ...Object.fromEntries(held.map((column) => [column, null])), revision: op.revision } as Row
}
