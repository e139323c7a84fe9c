import { NO_PARTS, type PartIds } from './parts.js'

const ROWS_MAX = 10_000

/**
 * Which parts the rows have that this process has read or written. A commit that replaces or deletes such a row takes its
 * parts away with it. Whoever decides about a row has read it, so what is known here is what the row has; were it not,
 * parts that nothing names would be left over until their generation is dropped, and nobody would read anything wrong.
 */
export class KnownParts {
  readonly #rows = new Map<string, PartIds>()

  of(row: string): PartIds {
    return this.#rows.get(row) ?? NO_PARTS
  }

  note(row: string, parts: PartIds): void {
    this.#rows.delete(row)
    if (parts.size === 0) return
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined && this.#rows.size >= ROWS_MAX) this.#rows.delete(oldest)
    this.#rows.set(row, parts)
  }
}
