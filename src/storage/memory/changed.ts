import { columnOf } from '../order.js'
import type { Row, RowOp, TableSpec } from '../storage.js'
import { swept } from '../swept.js'

/** The rows of one generation, by table and id. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** The tables as row changes leave them; throws, with nothing changed, when two rows would share a unique key. */
export function changed(tables: Tables, ops: readonly RowOp[]): Tables {
  const touched = new Map<string, { readonly table: TableSpec; readonly rows: Map<string, Row> }>()
  for (const op of ops) {
    const { table } = op
    const { rows } = touched.get(table.name) ?? { rows: new Map(tables.get(table.name)) }
    touched.set(table.name, { table, rows })
    applyTo(rows, op)
  }
  for (const { table, rows } of touched.values()) requireUnique(table, rows)
  return new Map([...tables, ...[...touched].map(([name, { rows }]) => [name, rows] as const)])
}

/** What each row change means for the rows of its table. */
function applyTo(rows: Map<string, Row>, op: RowOp): void {
  switch (op.op) {
    case 'put':
      rows.set(op.row.id, op.row)
      break
    case 'patch': {
      const row = rows.get(op.id)
      // The columns of a patch are columns of the table.
      if (row) rows.set(op.id, { ...row, ...op.set } as Row)
      break
    }
    case 'delete':
      rows.delete(op.id)
      break
    case 'deleteWhere':
    case 'clear':
      for (const [id, row] of rows) {
        const left = swept(row, op)
        if (left) rows.set(id, left)
        else rows.delete(id)
      }
  }
}

function requireUnique(table: TableSpec, rows: ReadonlyMap<string, Row>): void {
  for (const [name, { by, unique }] of Object.entries(table.indexes)) {
    if (!unique) continue
    const keys = [...rows.values()]
      .map((row) => by.map((column) => columnOf(row, column)))
      .filter((values) => !values.includes(null))
      .map((values) => JSON.stringify(values))
    if (new Set(keys).size < keys.length) throw new Error(`Two rows of ${table.name} have the same key ${name}.`)
  }
}
