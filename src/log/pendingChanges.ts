import { columnOf } from '../storage/order.js'
import type { Row, TableSpec } from '../storage/storage.js'
import type { Dependency } from './changeMarks.js'

/** A row as a commit leaves it; null where it is gone. */
export interface ChangedRow {
  readonly table: TableSpec
  readonly id: string
  /** What it was without this layer, as far as that is known. */
  readonly before: Row | null
  readonly row: Row | null
}

const NOTHING: ReadonlyMap<string, ChangedRow> = new Map()

/** What one command or batch changes: rows, how far it takes each stream, and the groups of rows that its changes show up in. */
export class PendingChanges {
  readonly changed: Dependency[] = []
  readonly versions = new Map<string, number>()
  readonly #tables = new Map<string, Map<string, ChangedRow>>()

  /** The changed rows of one table, by id. */
  rowsOf(table: TableSpec): ReadonlyMap<string, ChangedRow> {
    return this.#tables.get(table.name) ?? NOTHING
  }

  *rows(): Iterable<ChangedRow> {
    for (const rows of this.#tables.values()) yield* rows.values()
  }

  /** Lays a row, which was `before` until now as far as that is known. */
  lay(table: TableSpec, id: string, before: Row | null, row: Row | null): void {
    this.#put({ table, id, before, row })
    for (const one of [before, row]) if (one) this.changed.push(scopeDependency(table, one))
  }

  /** Takes over what a later layer changes. */
  add(later: PendingChanges): void {
    for (const one of later.rows()) this.#put(one)
    for (const [stream, version] of later.versions) this.versions.set(stream, version)
    for (const one of later.changed) this.changed.push(one)
  }

  #put(changed: ChangedRow): void {
    const rows = this.#tables.get(changed.table.name) ?? new Map<string, ChangedRow>()
    this.#tables.set(changed.table.name, rows)
    const known = rows.get(changed.id)
    rows.set(changed.id, known ? { ...changed, before: known.before } : changed)
  }
}

/** The group of rows that this one is listed with. */
export function scopeOf(table: TableSpec, row: Row): string {
  return String(columnOf(row, table.scope))
}

function scopeDependency(table: TableSpec, row: Row): Dependency {
  return { table, scope: scopeOf(table, row) }
}
