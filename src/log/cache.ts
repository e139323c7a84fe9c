import type { TableSpec } from '../storage/storage.js'

/** What a cached value was computed from: one scope of a table, or with null the whole table. */
export interface Dependency {
  readonly table: TableSpec
  readonly scope: string | null
}

interface Entry {
  readonly value: unknown
  readonly bytes: number
  readonly dependencies: readonly Dependency[]
}

const BUCKETS = 256
const WHOLE = ''

/**
 * Values computed from read tables, dropped when what they were computed from changes; the least recently used go when
 * the bytes run out. A value whose source changed while it was being computed is handed out once but not kept.
 */
export class Cache {
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  /** Keys by table and scope of what they depend on. */
  readonly #dependents = new Map<string, Map<string, Set<string>>>()
  /** When each bucket of scopes of a table last changed, counted in changes. */
  readonly #changed = new Map<string, Uint32Array>()
  #bytes = 0
  #changes = 0
  #cleared = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The value under `key`, computed by `load` where there is none. */
  async through<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    const known = this.#entries.get(key)
    if (known) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      // A key names one kind of value, so what is under it has the type it was put in with.
      return known.value as T
    }
    const started = this.#changes
    const value = await load()
    const current = dependencies.every((dependency) => this.#changedAt(dependency) <= started)
    if (current) this.set(key, value, bytesOf(value), dependencies)
    return value
  }

  /** Keeps a value that is known to be current. One that would fill a quarter of the cache alone is not kept. */
  set(key: string, value: unknown, bytes: number, dependencies: readonly Dependency[]): void {
    this.#forget(key)
    if (bytes > this.#bytesMax / 4) return
    this.#entries.set(key, { value, bytes, dependencies })
    this.#bytes += bytes
    for (const { table, scope } of dependencies) this.#dependentsOn(table, scope ?? WHOLE).add(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.#forget(oldest)
    }
  }

  /** Forgets what was computed from this scope of the table, or with null from anything in it. */
  drop(table: TableSpec, scope: string | null): void {
    this.#changes++
    const marks = this.#marks(table)
    if (scope === null) marks.fill(this.#changes)
    else marks[bucketOf(scope)] = this.#changes
    const scopes = scope === null ? [...(this.#dependents.get(table.name)?.keys() ?? [])] : [scope, WHOLE]
    for (const one of scopes) {
      for (const key of [...(this.#dependents.get(table.name)?.get(one) ?? [])]) this.#forget(key)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#dependents.clear()
    this.#bytes = 0
    this.#cleared = ++this.#changes
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    for (const { table, scope } of entry.dependencies) {
      const scopes = this.#dependents.get(table.name)
      const keys = scopes?.get(scope ?? WHOLE)
      keys?.delete(key)
      if (keys?.size === 0) scopes?.delete(scope ?? WHOLE)
    }
  }

  #dependentsOn(table: TableSpec, scope: string): Set<string> {
    const scopes = this.#dependents.get(table.name) ?? new Map<string, Set<string>>()
    this.#dependents.set(table.name, scopes)
    const keys = scopes.get(scope) ?? new Set<string>()
    scopes.set(scope, keys)
    return keys
  }

  #changedAt({ table, scope }: Dependency): number {
    const marks = this.#marks(table)
    const changed = scope === null ? marks.reduce((a, b) => Math.max(a, b), 0) : (marks[bucketOf(scope)] ?? 0)
    return Math.max(changed, this.#cleared)
  }

  #marks(table: TableSpec): Uint32Array {
    const marks = this.#changed.get(table.name) ?? new Uint32Array(BUCKETS)
    this.#changed.set(table.name, marks)
    return marks
  }
}

function bucketOf(scope: string): number {
  let hash = 0
  for (let i = 0; i < scope.length; i++) hash = (hash * 31 + scope.charCodeAt(i)) | 0
  return (hash >>> 0) % BUCKETS
}
