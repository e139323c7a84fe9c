import type { RowOp, TableSpec, Value } from '../storage.js'
import { allColumns } from './ddl.js'
import { type Bulk, type BulkColumn, encode, type Parameter, type Statement, snake } from './dialect.js'

const ROWS_MAX = 1000
/** What one statement carries at most, about. */
const LENGTH_MAX = 4 * 1024 * 1024

type Named = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>

/**
 * The statements that carry out compacted row changes with one statement for many rows: neighbours of one table that write
 * the same columns go together. `single` makes the statement of any other change.
 */
export function bulkStatements(
  bulk: Bulk,
  nameOf: (table: TableSpec) => string,
  single: (op: RowOp) => Statement,
  ops: readonly RowOp[]
): readonly Statement[] {
  if (ops.length === 0) return []
  const statements: Statement[] = bulk.settings.map((text) => ({ text, values: [] }))
  let groups = new Map<string, Named[]>()
  const written = new Map<string, Set<string>>()
  const flush = () => {
    for (const group of groups.values())
      for (const some of slices(group)) statements.push(statement(bulk, nameOf, some))
    groups = new Map()
    written.clear()
  }
  for (const op of ops) {
    // Rows that share a key no two may have must be written in the order in which it went from one to the other.
    if (Object.values(op.table.indexes).some(({ unique }) => unique)) {
      statements.push(single(op))
      continue
    }
    if (op.op === 'deleteWhere' || op.op === 'clear') {
      flush()
      statements.push(single(op))
      continue
    }
    const id = idOf(op)
    // One statement cannot write the same row twice, and so the order between groups does not matter.
    if (written.get(op.table.name)?.has(id)) flush()
    const ids = written.get(op.table.name)
    if (ids) ids.add(id)
    else written.set(op.table.name, new Set([id]))
    const columns = op.op === 'patch' ? Object.keys(op.set).join(' ') : ''
    const key = `${op.op} ${op.table.name} ${columns}`
    const group = groups.get(key)
    if (group) group.push(op)
    else groups.set(key, [op])
  }
  flush()
  return statements
}

function statement(bulk: Bulk, nameOf: (table: TableSpec) => string, group: readonly Named[]): Statement {
  const [first] = group
  if (!first) throw new Error('A group has at least one change.')
  const all = allColumns(first.table)
  const columns =
    first.op === 'put' ? Object.keys(all) : first.op === 'patch' ? ['id', ...Object.keys(first.set)] : ['id']
  const described = columns.map((column) => ({ name: snake(column), kind: all[column] ?? 'text' }) as const)
  const valuesOf = ({ kind }: BulkColumn, i: number) => {
    const column = columns[i] ?? ''
    return bulk.list(
      kind,
      group.map((op) => single(encode(valueIn(op, column))))
    )
  }
  return {
    text: bulk[first.op](nameOf(first.table), described),
    // Many rows at a time are large: they are made when they go out, while the database is busy with those before them.
    get values() {
      return described.map(valuesOf)
    }
  }
}

const idOf = (op: Named) => (op.op === 'put' ? op.row.id : op.id)

function valueIn(op: Named, column: string): Value | undefined {
  if (column === 'id') return idOf(op)
  if (op.op === 'delete') return undefined
  const columns: Readonly<Partial<Record<string, Value>>> = op.op === 'put' ? op.row : op.set
  return columns[column]
}

/** A value of one row is never a list itself. */
function single(value: Parameter): string | number | null {
  return typeof value === 'object' && value !== null ? null : value
}

function* slices(group: readonly Named[]): Generator<readonly Named[]> {
  let some: Named[] = []
  let length = 0
  for (const op of group) {
    some.push(op)
    length += lengthOf(op)
    if (some.length < ROWS_MAX && length < LENGTH_MAX) continue
    yield some
    some = []
    length = 0
  }
  if (some.length > 0) yield some
}

function lengthOf(op: Named): number {
  const body = op.op === 'put' ? op.row.body : op.op === 'patch' ? op.set.body : null
  return typeof body === 'string' ? body.length : 0
}
