import { slices } from '../../limits.js'
import { bodyLength, grouped, idOf, type RowChange, valueSet } from '../rowOps.js'
import type { RowOp, TableSpec } from '../storage.js'
import { allColumns } from './ddl.js'
import { type ArrayColumn, type ArrayStatements, encode, type Parameter, type Statement, snake } from './dialect.js'
import type { RowStatements } from './rows.js'

// The rows of one statement travel at once, and no server takes any amount at once.
const PUTS_PER_STATEMENT = 50
const LENGTH_PER_STATEMENT = 1024 * 1024
const ROWS_PER_ARRAY = 1000
const LENGTH_PER_ARRAY = 4 * 1024 * 1024

/** The statements that carry out row changes, in order; many new rows of one table go in one statement. */
export function changeStatements(texts: RowStatements, ops: readonly RowOp[]): readonly Statement[] {
  const statements: Statement[] = []
  for (const group of grouped(ops)) {
    if ('op' in group) {
      statements.push(texts.op(group))
      continue
    }
    for (const some of slices(group, PUTS_PER_STATEMENT, LENGTH_PER_STATEMENT, bodyLength)) {
      const rows = some.flatMap((change) => (change.op === 'put' ? [change.row] : []))
      const [first] = some
      // Full statements or single rows and nothing between: every number of rows is a text of its own to prepare.
      if (first && rows.length === PUTS_PER_STATEMENT) statements.push(texts.put(first.table, rows))
      else for (const change of some) statements.push(texts.op(change))
    }
  }
  return statements
}

/**
 * The statements that carry out many row changes, in order, where the database takes arrays: one for each group of changes.
 * `texts` makes the statement of any other change.
 */
export function arrayStatements(
  arrays: ArrayStatements,
  nameOf: (table: TableSpec) => string,
  texts: RowStatements,
  ops: readonly RowOp[]
): readonly Statement[] {
  if (ops.length === 0) return []
  const statements: Statement[] = arrays.settings.map((text) => ({ text, values: [] }))
  for (const group of grouped(ops)) {
    if ('op' in group) statements.push(texts.op(group))
    else {
      for (const some of slices(group, ROWS_PER_ARRAY, LENGTH_PER_ARRAY, bodyLength)) {
        const [first] = some
        if (first) statements.push(arrayStatement(arrays, nameOf(first.table), first, some))
      }
    }
  }
  return statements
}

/** One statement for a group of changes, of which `first` stands for all in kind and columns. */
function arrayStatement(
  arrays: ArrayStatements,
  name: string,
  first: RowChange,
  group: readonly RowChange[]
): Statement {
  const kinds = allColumns(first.table)
  const columns =
    first.op === 'put' ? Object.keys(kinds) : first.op === 'patch' ? ['id', ...Object.keys(first.set)] : ['id']
  const described = columns.map((column): ArrayColumn => ({ name: snake(column), kind: kinds[column] ?? 'text' }))
  const arrayOf = (column: string, i: number) => {
    const values = group.map((change) => single(encode(column === 'id' ? idOf(change) : valueSet(change, column))))
    return arrays.array(described[i]?.kind ?? 'text', values)
  }
  return {
    text: arrays[first.op](name, described),
    // Many rows at a time are large: they are made when they go out, while the database is busy with those before them.
    get values() {
      return columns.map(arrayOf)
    }
  }
}

/** A value of one row is never a list itself. */
function single(value: Parameter): string | number | null {
  return typeof value === 'object' && value !== null ? null : value
}
