import type { RowOp } from '../storage.js'
import type { Statement } from './dialect.js'
import type { RowStatements } from './rows.js'

const PUTS_PER_STATEMENT = 50
/** The rows of one statement travel at once, and no server takes any amount at once. */
const LENGTH_PER_STATEMENT = 1024 * 1024

type Put = Extract<RowOp, { op: 'put' }>

/** The statements that carry out row changes, in order; many new rows of one table go in one statement. */
export function changeStatements(texts: RowStatements, ops: readonly RowOp[]): readonly Statement[] {
  const statements: Statement[] = []
  let run: Put[] = []
  let length = 0
  const flush = () => {
    const [first] = run
    // Full statements or single rows and nothing between: every number of rows is a text of its own to prepare.
    if (first && run.length === PUTS_PER_STATEMENT) {
      statements.push(
        texts.put(
          first.table,
          run.map(({ row }) => row)
        )
      )
    } else {
      for (const put of run) statements.push(texts.op(put))
    }
    run = []
    length = 0
  }
  for (const op of ops) {
    if (op.op !== 'put') {
      flush()
      statements.push(texts.op(op))
      continue
    }
    // One statement cannot write the same row twice.
    const hasRoom = run.length < PUTS_PER_STATEMENT && length < LENGTH_PER_STATEMENT
    const joins = hasRoom && run[0]?.table.name === op.table.name && !holds(run, op)
    if (!joins) flush()
    run.push(op)
    length += op.row.body.length
  }
  flush()
  return statements
}

function holds(run: readonly Put[], put: Put): boolean {
  return run.some(({ row }) => row.id === put.row.id)
}
