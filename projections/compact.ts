import type { RowOp, TableSpec } from '../src/storage/storage.js'

type RowChange = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>

/**
 * Gathers changes with each row written once: what a replay does to one row in many events becomes one change. Changes of
 * unnamed rows (`deleteWhere`, `clear`) stay where they are, since they depend on all before them.
 */
export class Compactor {
  /** By table, then by id. */
  #tables = new Map<string, Map<string, RowChange>>()
  readonly #unique = new Map<TableSpec, boolean>()
  #done: RowOp[] = []
  #size = 0
  #length = 0

  /** How many changes it holds. */
  get size(): number {
    return this.#size
  }

  /** About how many characters of bodies it holds. */
  get length(): number {
    return this.#length
  }

  add(op: RowOp): void {
    if (this.#hasUniqueKey(op.table)) {
      // Two rows may have exchanged a key that no two may have: only the order in which it happened is sure to be possible.
      this.#done.push(op)
      this.#size++
      return
    }
    if (op.op === 'deleteWhere' || op.op === 'clear') {
      this.#settle()
      this.#done.push(op)
      this.#size++
      return
    }
    const rows = this.#tables.get(op.table.name) ?? new Map<string, RowChange>()
    this.#tables.set(op.table.name, rows)
    const id = op.op === 'put' ? op.row.id : op.id
    const before = rows.get(id)
    if (!before) this.#size++
    const length = before ? lengthOf(before) : 0
    const after = before ? merged(before, op) : op
    rows.set(id, after)
    this.#length += lengthOf(after) - length
  }

  /** Everything that was gathered, in an order that comes to the same; it holds nothing then. */
  take(): readonly RowOp[] {
    this.#settle()
    const ops = this.#done
    this.#done = []
    this.#size = 0
    this.#length = 0
    return ops
  }

  #hasUniqueKey(table: TableSpec): boolean {
    const known = this.#unique.get(table)
    if (known !== undefined) return known
    const isUnique = Object.values(table.indexes).some(({ unique }) => unique)
    this.#unique.set(table, isUnique)
    return isUnique
  }

  #settle(): void {
    // Rows of one table next to each other, so that a driver can write many in one statement.
    for (const kind of ['delete', 'patch', 'put'] as const) {
      for (const rows of this.#tables.values()) {
        for (const change of rows.values()) if (change.op === kind) this.#done.push(change)
      }
    }
    this.#tables = new Map()
  }
}

function lengthOf(op: RowChange): number {
  const body = op.op === 'put' ? op.row.body : op.op === 'patch' ? op.set.body : null
  return typeof body === 'string' ? body.length : 0
}

/** One change that does what two did. The first is ours alone by now, so its row is changed in place. */
function merged(before: RowChange, next: RowChange): RowChange {
  if (next.op !== 'patch') return next
  if (before.op === 'delete') return before
  Object.assign(before.op === 'put' ? before.row : before.set, next.set)
  return before
}
