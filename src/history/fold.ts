import type { Row, RowOp, TableSpec } from '../storage/storage.js'
import { swept } from '../storage/swept.js'

/** What one change leaves of a row: the row itself where the change does not reach it, null where it is gone. */
export function rowAfter(row: Row | null, op: RowOp, table: TableSpec, id: string): Row | null {
  if (op.table.name !== table.name) return row
  switch (op.op) {
    case 'put':
      return op.row.id === id ? op.row : row
    case 'patch':
      // The columns that are set have the types of the table: the projector that sets them is typed so.
      return row && op.id === id ? ({ ...row, ...op.set } as Row) : row
    case 'delete':
      return op.id === id ? null : row
    default:
      return row && swept(row, op)
  }
}
