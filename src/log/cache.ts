import { LRUCache } from 'lru-cache'
import type { TableSpec } from '../storage/storage.js'
import { ChangeMarks, type Dependency, isRowScope } from './changeMarks.js'

interface Entry {
  readonly value: unknown
  readonly dependencies: readonly Dependency[]
}

/** What a cache holds, and what it has been asked for since it was made. */
export interface CacheCounts {
  readonly entries: number
  readonly bytes: number
  /** Asked for and there, or on its way. */
  readonly hits: number
  readonly misses: number
  /** Given up for want of room. */
  readonly evictions: number
}

interface Load {
  readonly value: Promise<unknown>
  readonly since: number
}

const WHOLE = ''

/**
 * Values computed from read tables, dropped when what they were computed from changes; the least recently used go when
 * the bytes run out. A value whose source changed while it was being computed is handed to those who asked before the
 * change and not kept. Whoever asks for what is being computed already waits for that, unless its source has changed.
 */
export class Cache {
  readonly #entries: LRUCache<string, Entry>
  readonly #loads = new Map<string, Load>()
  /** Keys by table and scope of what they depend on. */
  readonly #dependents = new Map<string, Map<string, Set<string>>>()
  readonly #changes = new ChangeMarks()
  #hits = 0
  #misses = 0
  #evictions = 0

  constructor(bytesMax: number) {
    this.#entries = new LRUCache({
      maxSize: bytesMax,
      dispose: (entry, key, reason) => {
        if (reason === 'evict') this.#evictions++
        this.#unlink(key, entry)
      }
    })
  }

  get counts(): CacheCounts {
    const [hits, misses, evictions] = [this.#hits, this.#misses, this.#evictions]
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize, hits, misses, evictions }
  }

  /** The value under `key`, computed by `load` where there is none. */
  through<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    const known = this.#entries.get(key)
    if (known) {
      this.#hits++
      // A key names one kind of value, so what is under it has the type it was put in with.
      return Promise.resolve(known.value as T)
    }
    const loading = this.#loads.get(key)
    if (loading && !this.#changes.any(dependencies, loading.since)) {
      this.#hits++
      return loading.value as Promise<T>
    }
    this.#misses++
    return this.#load(key, dependencies, bytesOf, load)
  }

  /** The value that is kept under `key`; undefined where there is none. */
  peek(key: string): unknown {
    return this.#entries.peek(key)?.value
  }

  /** Keeps a value that is known to be current; `bytes` is a whole number. One that would fill a quarter of the cache alone is not kept. */
  set(key: string, value: unknown, bytes: number, dependencies: readonly Dependency[]): void {
    this.#entries.delete(key)
    if (bytes > this.#entries.maxSize / 4) return
    this.#entries.set(key, { value, dependencies }, { size: Math.max(1, bytes) })
    for (const { table, scope } of dependencies) this.#dependentsOn(table, scope ?? WHOLE).add(key)
  }

  /** Forgets what was computed from this scope of the table, or with null from anything in it. */
  drop(table: TableSpec, scope: string | null): void {
    this.#changes.mark(table, scope)
    const scopes = this.#dependents.get(table.name)
    if (!scopes) return
    for (const one of scope === null ? [...scopes.keys()] : [scope, WHOLE]) {
      for (const key of [...(scopes.get(one) ?? [])]) this.#entries.delete(key)
    }
  }

  /** Forgets what was computed from anything in the table but from single rows, and of those what was computed from the `changed`. */
  dropButRows(table: TableSpec, changed: ReadonlySet<string>): void {
    this.#changes.mark(table, null)
    const scopes = this.#dependents.get(table.name)
    if (!scopes) return
    for (const [scope, keys] of [...scopes])
      if (!isRowScope(scope) || changed.has(scope)) for (const key of [...keys]) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#changes.markAll()
  }

  #load<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    const since = this.#changes.count
    const value = load().then(
      (loaded) => {
        if (this.#loads.get(key)?.value === value) this.#loads.delete(key)
        if (!this.#changes.any(dependencies, since)) this.set(key, loaded, bytesOf(loaded), dependencies)
        return loaded
      },
      (error: unknown) => {
        if (this.#loads.get(key)?.value === value) this.#loads.delete(key)
        throw error
      }
    )
    this.#loads.set(key, { value, since })
    return value
  }

  #unlink(key: string, { dependencies }: Entry): void {
    for (const { table, scope } of dependencies) {
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
}
