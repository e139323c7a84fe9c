import { columnOf } from '../order.js'
import { idOf, isBulk, rowAfter } from '../rowOps.js'
import type { Row, RowOp, TableSpec } from '../storage.js'

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

function applyTo(rows: Map<string, Row>, op: RowOp): void {
  for (const id of isBulk(op) ? [...rows.keys()] : [idOf(op)]) {
    const after = rowAfter(rows.get(id) ?? null, op, op.table, id)
    if (after) rows.set(id, after)
    else rows.delete(id)
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
