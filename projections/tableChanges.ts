import type { RowOp, TableSpec, Value } from '../src/storage/storage.js'

type RowChange = Extract<RowOp, { op: 'put' | 'patch' | 'delete' }>
type Sweep = Exclude<RowOp, RowChange>

/** All that was done to one row, as one change, and the number of its segment. */
interface Slot {
  readonly segment: number
  change: RowChange
}

/** Changes of rows that may be carried out in any order, and changes of unnamed rows that come after them in theirs. */
interface Segment {
  readonly slots: Slot[]
  readonly sweeps: Sweep[]
}

/**
 * The changes of one table. A change of unnamed rows (`deleteWhere`, `clear`) depends on what came before it; all the same
 * a later change of a row joins an earlier one across it, wherever that comes to the same.
 */
export class TableChanges {
  readonly #isOrdered: boolean
  readonly #segments: Segment[] = []
  readonly #slots = new Map<string, Slot>()
  /** By column, the values whose rows were deleted since the slots began. */
  readonly #swept = new Map<string, Set<Value>>()
  #size = 0
  #length = 0

  constructor({ indexes }: TableSpec) {
    // Two rows may have exchanged a key that no two may have: only the order in which it happened is sure to be possible.
    this.#isOrdered = Object.values(indexes).some(({ unique }) => unique)
  }

  get size(): number {
    return this.#size
  }

  get length(): number {
    return this.#length
  }

  add(op: RowOp): void {
    if (op.op === 'deleteWhere' || op.op === 'clear') this.#sweep(op)
    else this.#change(op)
  }

  #change(op: RowChange): void {
    const id = op.op === 'put' ? op.row.id : op.id
    const slot = this.#slots.get(id)
    if (slot && this.#mayJoin(slot, op)) {
      const length = lengthOf(slot.change)
      slot.change = merged(slot.change, op)
      this.#length += lengthOf(slot.change) - length
      return
    }
    const fresh = { segment: this.#open(), change: op }
    this.#segments.at(-1)?.slots.push(fresh)
    if (!this.#isOrdered) this.#slots.set(id, fresh)
    this.#size++
    this.#length += lengthOf(op)
  }

  inOrder(): readonly RowOp[] {
    return this.#segments.flatMap(({ slots, sweeps }) => [...this.#grouped(slots), ...sweeps])
  }

  /** Changes of one kind next to each other, so that a driver can carry out many in one statement. */
  #grouped(slots: readonly Slot[]): readonly RowOp[] {
    const changes = slots.map(({ change }) => change)
    if (this.#isOrdered) return changes
    return (['delete', 'patch', 'put'] as const).flatMap((kind) => changes.filter(({ op }) => op === kind))
  }

  /** The number of the segment that takes changes of rows. */
  #open(): number {
    const last = this.#segments.at(-1)
    if (!last || last.sweeps.length > 0) this.#segments.push({ slots: [], sweeps: [] })
    return this.#segments.length - 1
  }

  #sweep(op: Sweep): void {
    if (this.#segments.length === 0) this.#open()
    this.#segments.at(-1)?.sweeps.push(op)
    this.#size++
    if (op.op === 'clear') {
      this.#slots.clear()
      this.#swept.clear()
      return
    }
    const values = this.#swept.get(op.column)
    if (values) values.add(op.value)
    else this.#swept.set(op.column, new Set([op.value]))
  }

  /** True when it comes to the same that the change is carried out with those that the slot holds. */
  #mayJoin({ segment, change }: Slot, next: RowChange): boolean {
    if (next.op === 'delete') return true
    const isSameSegment = segment === this.#segments.length - 1 && this.#segments.at(-1)?.sweeps.length === 0
    if (isSameSegment) return true
    for (const [column, values] of this.#swept) {
      const after = valueIn(next, column)
      // What it becomes was swept away before: only what came later may have it.
      if (after !== undefined && values.has(after)) return false
      if (next.op === 'put' || change.op === 'delete') continue
      const before = valueIn(change, column)
      // The row is gone since; or it may be, and must not escape that.
      if (before === undefined ? after !== undefined : values.has(before)) return false
    }
    return true
  }
}

function valueIn(change: RowChange, column: string): Value | undefined {
  if (change.op === 'delete') return undefined
  const columns: Readonly<Partial<Record<string, Value>>> = change.op === 'put' ? change.row : change.set
  return columns[column]
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
