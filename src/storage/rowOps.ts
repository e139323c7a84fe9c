import { columnOf, holds } from './order.js'
import type { Row, RowOp, TableSpec, Value } from './storage.js'

// What row changes mean, for everybody who carries them out, lays them over rows or joins them.

/** A change of one row, which it names. */
export type RowChange = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>

/** A change of every row that holds a value: which rows these are, and how many, only the table knows. */
export type BulkOp = Exclude<RowOp, RowChange>

/** True for a change of rows that it does not name. */
export function isBulk(op: RowOp): op is BulkOp {
  return op.op === 'deleteWhere' || op.op === 'nullify'
}

/** The id of the row that a change names. */
export function idOf(change: RowChange): string {
  return change.op === 'put' ? change.row.id : change.id
}

/** The columns in which a bulk change looks for its value. */
export function searchedColumns(op: BulkOp): readonly string[] {
  return op.op === 'nullify' ? op.columns : [op.column]
}

/**
 * What a bulk change does to one row, as a change that names it; null where it leaves the row alone. `isHeld` tells in which
 * columns the row holds the value of the change.
 */
export function namedChange(op: BulkOp, id: string, isHeld: (column: string) => boolean): RowChange | null {
  const { table } = op
  const held = searchedColumns(op).filter(isHeld)
  if (held.length === 0) return null
  if (op.op === 'deleteWhere') return { op: 'delete', table, id }
  return {
    op: 'patch',
    table,
    id,
    set: { ...Object.fromEntries(held.map((column) => [column, null])), revision: op.revision }
  }
}

/** The row of this table and id after a change, null where there is none; `row` itself where the change does not touch it. */
export function rowAfter(row: Row | null, op: RowOp, table: TableSpec, id: string): Row | null {
  if (op.table.name !== table.name) return row
  if (isBulk(op)) {
    const change = row && namedChange(op, id, (column) => holds(row, column, op.value))
    return change ? rowAfter(row, change, table, id) : row
  }
  if (idOf(op) !== id) return row
  if (op.op === 'put') return op.row
  // The columns of a patch are columns of the table, with their types.
  return op.op === 'patch' && row ? ({ ...row, ...op.set } as Row) : null
}

/** One change that does what two changes of the same row do, one after the other. */
export function joined(first: RowChange | undefined, next: RowChange): RowChange {
  if (next.op !== 'patch' || !first) return next
  if (first.op === 'patch') return { ...next, set: { ...first.set, ...next.set } }
  // The columns of a patch are columns of the table, with their types.
  return first.op === 'put' ? { ...first, row: { ...first.row, ...next.set } as Row } : first
}

/** What a change puts into a column; undefined where it leaves the column alone, or takes the row away. */
export function valueSet(change: RowChange, column: string): Value | undefined {
  if (change.op === 'put') return columnOf(change.row, column)
  return change.op === 'patch' ? change.set[column] : undefined
}

/** How many characters of body a change carries. */
export function bodyLength(change: RowChange): number {
  const body = valueSet(change, 'body')
  return typeof body === 'string' ? body.length : 0
}

/** True where no two rows may share some key: their changes are carried out in the order in which they happened. */
export function isOrdered({ indexes }: Pick<TableSpec, 'indexes'>): boolean {
  return Object.values(indexes).some(({ unique }) => unique)
}
