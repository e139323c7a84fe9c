import type { TableSpec } from '../storage/storage.js'

/** What a cached value was computed from: one scope of a table, or with null the whole table. */
export interface Dependency {
  readonly table: TableSpec
  readonly scope: string | null
}

const ROW = '#'

/** The scope that is one row alone, by its id. No other scope begins as its name does. */
export function rowScope(id: string): string {
  return ROW + id
}

/** True of a scope that `rowScope` has named. */
export function isRowScope(scope: string): boolean {
  return scope.startsWith(ROW)
}

const BUCKETS = 256

/**
 * Remembers which scopes of which tables have changed since when, counted in changes. Scopes share a fixed number of
 * buckets, so that what is remembered has a bound; sharing only makes something look changed that is not.
 */
export class ChangeMarks {
  // Numbers that count for as long as a process can run: 32 bits would start again from zero.
  readonly #marks = new Map<string, Float64Array>()
  #all = 0
  #count = 0

  /** How many changes there have been. */
  get count(): number {
    return this.#count
  }

  mark(table: TableSpec, scope: string | null): void {
    this.#count++
    const marks = this.#of(table)
    if (scope === null) marks.fill(this.#count)
    else marks[bucketOf(scope)] = this.#count
  }

  markAll(): void {
    this.#all = ++this.#count
  }

  /** True when any of these has changed after the count stood at `since`. */
  any(dependencies: readonly Dependency[], since: number): boolean {
    if (this.#count === since) return false
    return this.#all > since || dependencies.some(({ table, scope }) => this.#at(table, scope) > since)
  }

  #at(table: TableSpec, scope: string | null): number {
    const marks = this.#of(table)
    return scope === null ? marks.reduce((a, b) => Math.max(a, b), 0) : (marks[bucketOf(scope)] ?? 0)
  }

  #of(table: TableSpec): Float64Array {
    const known = this.#marks.get(table.name)
    if (known) return known
    const marks = new Float64Array(BUCKETS)
    this.#marks.set(table.name, marks)
    return marks
  }
}

function bucketOf(scope: string): number {
  let hash = 0
  for (let i = 0; i < scope.length; i++) hash = (hash * 31 + scope.charCodeAt(i)) | 0
  return (hash >>> 0) % BUCKETS
}
