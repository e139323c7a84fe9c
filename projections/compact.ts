import type { Row, RowOp } from '../src/storage/storage.js'

type RowChange = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>

/**
 * The same changes with each row written once: what a replay does to one row in many events becomes one change. Changes of
 * unnamed rows (`deleteWhere`, `clear`) stay where they are, since they depend on all before them.
 */
export function compact(ops: readonly RowOp[]): readonly RowOp[] {
  const result: RowOp[] = []
  let rows = new Map<string, RowChange>()
  const flush = () => {
    // Rows of one table next to each other, so that a driver can write many in one statement.
    for (const kind of ['delete', 'patch', 'put'] as const) {
      const changes = [...rows.values()].filter(({ op }) => op === kind)
      result.push(...changes.sort((a, b) => (a.table.name < b.table.name ? -1 : a.table.name > b.table.name ? 1 : 0)))
    }
    rows = new Map()
  }
  for (const op of ops) {
    if (op.op === 'deleteWhere' || op.op === 'clear') {
      flush()
      result.push(op)
      continue
    }
    const key = `${op.table.name}/${op.op === 'put' ? op.row.id : op.id}`
    const before = rows.get(key)
    rows.set(key, before ? merged(before, op) : op)
  }
  flush()
  return result
}

function merged(before: RowChange, next: RowChange): RowChange {
  if (next.op !== 'patch' || before.op === 'delete') return next.op === 'patch' ? before : next
  if (before.op === 'patch') return { ...before, set: { ...before.set, ...next.set } }
  return { ...before, row: { ...before.row, ...next.set } as Row }
}
