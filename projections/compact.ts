import {
  type BulkOp,
  bodyLength,
  idOf,
  isBulk,
  isOrdered,
  joined,
  type RowChange,
  valueSet
} from '../src/storage/rowOps.js'
import type { RowOp, TableSpec, Value } from '../src/storage/storage.js'

/**
 * Gathers changes with each row written once, or few times: what a replay does to one row in many events becomes one change.
 * The changes of one table say nothing about another, so each table's are gathered by themselves.
 */
export class Compactor {
  readonly #tables = new Map<TableSpec, TableChanges>()

  /** How many changes it holds. */
  get size(): number {
    return this.#sum(({ size }) => size)
  }

  /** About how many characters of bodies it holds. */
  get length(): number {
    return this.#sum(({ length }) => length)
  }

  add(op: RowOp): void {
    let changes = this.#tables.get(op.table)
    if (!changes) {
      changes = new TableChanges(op.table)
      this.#tables.set(op.table, changes)
    }
    changes.add(op)
  }

  /** Everything that was gathered, in an order that comes to the same; it holds nothing then. */
  take(): readonly RowOp[] {
    const ops = [...this.#tables.values()].flatMap((changes) => changes.inOrder())
    this.#tables.clear()
    return ops
  }

  #sum(of: (changes: TableChanges) => number): number {
    return [...this.#tables.values()].reduce((sum, changes) => sum + of(changes), 0)
  }
}

/** All that was done to one row, as one change, and the number of its segment. */
interface Slot {
  readonly segment: number
  change: RowChange
}

/** Changes of rows that may be carried out in any order, and bulk changes that come after them in theirs. */
interface Segment {
  readonly slots: Slot[]
  readonly bulkOps: BulkOp[]
}

/**
 * The changes of one table. A bulk change (`deleteWhere`, `nullify`) depends on what came before it; all the same a later
 * change of a row joins an earlier one across it, wherever that comes to the same.
 */
class TableChanges {
  readonly #isOrdered: boolean
  readonly #segments: Segment[] = []
  readonly #slots = new Map<string, Slot>()
  /** By column, the values whose rows were deleted since the slots began. */
  readonly #deleted = new Map<string, Set<Value>>()
  #size = 0
  #length = 0

  constructor(table: TableSpec) {
    // Two rows may have exchanged a key that no two may have: only the order in which it happened is sure to be possible.
    this.#isOrdered = isOrdered(table)
  }

  get size(): number {
    return this.#size
  }

  get length(): number {
    return this.#length
  }

  add(op: RowOp): void {
    if (isBulk(op)) this.#addBulk(op)
    else this.#addChange(op)
  }

  inOrder(): readonly RowOp[] {
    return this.#segments.flatMap(({ slots, bulkOps }) => [...slots.map(({ change }) => change), ...bulkOps])
  }

  #addChange(op: RowChange): void {
    const slot = this.#slots.get(idOf(op))
    if (slot && this.#mayJoin(slot, op)) {
      const length = bodyLength(slot.change)
      slot.change = joined(slot.change, op)
      this.#length += bodyLength(slot.change) - length
      return
    }
    const fresh = { segment: this.#open(), change: op }
    this.#segments.at(-1)?.slots.push(fresh)
    if (!this.#isOrdered) this.#slots.set(idOf(op), fresh)
    this.#size++
    this.#length += bodyLength(op)
  }

  #addBulk(op: BulkOp): void {
    if (this.#segments.length === 0) this.#open()
    this.#segments.at(-1)?.bulkOps.push(op)
    this.#size++
    if (op.op === 'nullify') {
      this.#slots.clear()
      this.#deleted.clear()
      return
    }
    const values = this.#deleted.get(op.column)
    if (values) values.add(op.value)
    else this.#deleted.set(op.column, new Set([op.value]))
  }

  /** The number of the segment that takes changes of rows. */
  #open(): number {
    const last = this.#segments.at(-1)
    if (!last || last.bulkOps.length > 0) this.#segments.push({ slots: [], bulkOps: [] })
    return this.#segments.length - 1
  }

  /** True when it comes to the same that the change is carried out with those that the slot holds. */
  #mayJoin({ segment, change }: Slot, next: RowChange): boolean {
    if (next.op === 'delete') return true
    const isSameSegment = segment === this.#segments.length - 1 && this.#segments.at(-1)?.bulkOps.length === 0
    if (isSameSegment) return true
    for (const [column, values] of this.#deleted) {
      const after = valueSet(next, column)
      // The rows that have what it becomes were deleted before: only what came later may have it.
      if (after !== undefined && values.has(after)) return false
      if (next.op === 'put' || change.op === 'delete') continue
      const before = valueSet(change, column)
      // The row is gone since; or it may be, and must not escape that.
      if (before === undefined ? after !== undefined : values.has(before)) return false
    }
    return true
  }
}
