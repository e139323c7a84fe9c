import { slices } from '../../limits.js'
import { bodyLength, grouped } from '../rowOps.js'
import type { RowOp } from '../storage.js'
import type { Statement } from './dialect.js'
import type { RowStatements } from './rows.js'

// The rows of one statement travel at once, and no server takes any amount at once.
const PUTS_PER_STATEMENT = 50
const LENGTH_PER_STATEMENT = 1024 * 1024

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
