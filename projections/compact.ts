import type { Row, RowOp } from '../src/storage/storage.js'

type RowChange = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>

/**
 * Gathers changes with each row written once: what a replay does to one row in many events becomes one change. Changes of
 * unnamed rows (`deleteWhere`, `clear`) stay where they are, since they depend on all before them.
 */
export class Compactor {
  #rows = new Map<string, RowChange>()
  #done: RowOp[] = []
  #length = 0

  /** About how many characters of bodies it holds. */
  get length(): number {
    return this.#length
  }

  add(op: RowOp): void {
    if (op.op === 'deleteWhere' || op.op === 'clear') {
      this.#settle()
      this.#done.push(op)
      return
    }
    const key = `${op.table.name}/${op.op === 'put' ? op.row.id : op.id}`
    const before = this.#rows.get(key)
    const after = before ? merged(before, op) : op
    this.#rows.set(key, after)
    this.#length += lengthOf(after) - (before ? lengthOf(before) : 0)
  }

  /** Everything that was gathered, in an order that comes to the same; it holds nothing then. */
  take(): readonly RowOp[] {
    this.#settle()
    const ops = this.#done
    this.#done = []
    this.#length = 0
    return ops
  }

  #settle(): void {
    // Rows of one table next to each other, so that a driver can write many in one statement.
    for (const kind of ['delete', 'patch', 'put'] as const) {
      const changes = [...this.#rows.values()].filter(({ op }) => op === kind)
      for (const change of changes.sort((a, b) => compare(a.table.name, b.table.name))) this.#done.push(change)
    }
    this.#rows = new Map()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function lengthOf(op: RowChange): number {
  const body = op.op === 'put' ? op.row.body : op.op === 'patch' ? op.set.body : null
  return typeof body === 'string' ? body.length : 0
}

function merged(before: RowChange, next: RowChange): RowChange {
  if (next.op !== 'patch' || before.op === 'delete') return next.op === 'patch' ? before : next
  if (before.op === 'patch') return { ...before, set: { ...before.set, ...next.set } }
  return { ...before, row: { ...before.row, ...next.set } as Row }
}
