import type { RowOp, TableSpec } from '../src/storage/storage.js'
import { TableChanges } from './tableChanges.js'

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
