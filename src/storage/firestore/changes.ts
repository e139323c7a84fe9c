import { columnOf, holds } from '../order.js'
import type { Row, RowOp, TableSpec, Value } from '../storage.js'

/** What a list of row changes leaves of one row. */
export type Change = {
  readonly table: TableSpec
  readonly id: string
  /** True where no operation names the row: it is one of those that a `deleteWhere` or a `clear` is about. */
  readonly isSwept: boolean
} & (
  | { readonly kind: 'put'; readonly row: Row }
  | { readonly kind: 'patch'; readonly set: Readonly<Partial<Record<string, Value>>> }
  | { readonly kind: 'delete' }
)

type What =
  | { kind: 'put'; row: Row }
  | { kind: 'patch'; set: Readonly<Partial<Record<string, Value>>> }
  | { kind: 'delete' }

/** The ids of the stored rows of a table that hold a value in a column. */
export type Holders = (table: TableSpec, column: string, value: Value) => ReadonlySet<string>

/**
 * What row changes, carried out one after another, leave of each row: one change a row, in any order. Firestore changes
 * documents by their names only, so the rows that `deleteWhere` and `clear` are about were looked up before.
 */
export function resolve(ops: readonly RowOp[], holders: Holders): readonly Change[] {
  const tables = new Map<string, Map<string, Change>>()
  const changesOf = (table: TableSpec): Map<string, Change> => {
    const changes = tables.get(table.name) ?? new Map<string, Change>()
    tables.set(table.name, changes)
    return changes
  }
  const change = (table: TableSpec, id: string, isNamed: boolean, what: What) => {
    const changes = changesOf(table)
    changes.set(id, { table, id, isSwept: !isNamed && (changes.get(id)?.isSwept ?? true), ...what })
  }
  const patch = (table: TableSpec, id: string, isNamed: boolean, set: Readonly<Partial<Record<string, Value>>>) => {
    const before = changesOf(table).get(id)
    if (before?.kind === 'delete') return
    // The columns of a patch are columns of the table.
    if (before?.kind === 'put') change(table, id, isNamed, { kind: 'put', row: { ...before.row, ...set } as Row })
    else change(table, id, isNamed, { kind: 'patch', set: { ...before?.set, ...set } })
  }
  /** The rows that hold the value by now: stored ones that do not differ meanwhile, and those that have come to hold it. */
  const holding = (table: TableSpec, column: string, value: Value): readonly string[] => {
    if (value === null) return []
    const stored = holders(table, column, value)
    const changes = changesOf(table)
    return [...new Set([...stored, ...changes.keys()])].filter((id) => {
      const changed = changes.get(id)
      if (!changed) return true
      if (changed.kind === 'put') return holds(changed.row, column, value)
      if (changed.kind === 'delete') return false
      return column in changed.set ? changed.set[column] === value : stored.has(id)
    })
  }

  for (const op of ops) {
    const { table } = op
    switch (op.op) {
      case 'put':
        change(table, op.row.id, true, { kind: 'put', row: op.row })
        break
      case 'patch':
        patch(table, op.id, true, op.set)
        break
      case 'delete':
        change(table, op.id, true, { kind: 'delete' })
        break
      case 'deleteWhere':
        for (const id of holding(table, op.column, op.value)) change(table, id, false, { kind: 'delete' })
        break
      case 'clear': {
        const cleared = new Map<string, Record<string, Value>>()
        for (const column of op.columns) {
          for (const id of holding(table, column, op.value)) {
            cleared.set(id, { ...cleared.get(id), [column]: null, revision: op.revision })
          }
        }
        for (const [id, set] of cleared) patch(table, id, false, set)
      }
    }
  }
  return [...tables.values()].flatMap((changes) => [...changes.values()])
}

/** What a change puts into a column; undefined where it leaves it alone. */
export function valueAfter(change: Change, column: string): Value | undefined {
  if (change.kind === 'put') return columnOf(change.row, column)
  return change.kind === 'patch' ? change.set[column] : undefined
}
