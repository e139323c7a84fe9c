import { LRUCache } from 'lru-cache'
import type { TableSpec } from '../storage/storage.js'

/** What a cached value was computed from: one scope of a table, or with null the whole table. */
export interface Dependency {
  readonly table: TableSpec
  readonly scope: string | null
}

const WHOLE = ''
const ROW = '#'

/** The scope that is one row alone, by its id. No other scope begins as its name does. */
export function rowScope(id: string): string {
  return ROW + id
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

interface Entry {
  readonly value: unknown
  readonly dependencies: readonly Dependency[]
}

/**
 * Values computed from read tables, forgotten when what they were computed from changes; the least recently used go when
 * the bytes run out. One that is being computed is forgotten like one that is there: it is handed to those who asked before the
 * change and not kept, and whoever asks later has it computed anew.
 */
export class Cache {
  readonly #entries: LRUCache<string, Entry>
  /** What is being computed: the promises of it. */
  readonly #loads = new Map<string, Entry>()
  /** The keys of both, by table and scope of what they depend on. */
  readonly #dependents = new Map<string, Map<string, Set<string>>>()
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

  /** The value under `key`, or the promise of it where it is on its way; undefined where there is none. */
  known<T>(key: string): Promise<T> | undefined {
    const known = this.#entries.get(key) ?? this.#loads.get(key)
    if (!known) return undefined
    this.#hits++
    // A key names one kind of value, so what is under it has the type it was put in with.
    return Promise.resolve(known.value as T)
  }

  /** The same, computed by `load` where there is none. */
  through<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    const known = this.known<T>(key)
    if (known !== undefined) return known
    this.#misses++
    const isWanted = () => this.#loads.get(key) === loading
    const value = load().then(
      (loaded) => {
        if (isWanted()) this.set(key, loaded, bytesOf(loaded), dependencies)
        return loaded
      },
      (error: unknown) => {
        if (isWanted()) this.#forget(key)
        throw error
      }
    )
    const loading: Entry = { value, dependencies }
    this.#loads.set(key, loading)
    this.#link(key, loading)
    return value
  }

  /** The value that is kept under `key`; undefined where there is none. */
  peek(key: string): unknown {
    return this.#entries.peek(key)?.value
  }

  /** Keeps a value that is known to be current; `bytes` is a whole number. One that would fill a quarter of the cache alone is not kept. */
  set(key: string, value: unknown, bytes: number, dependencies: readonly Dependency[]): void {
    this.#forget(key)
    if (bytes > this.#entries.maxSize / 4) return
    const entry = { value, dependencies }
    this.#entries.set(key, entry, { size: Math.max(1, bytes) })
    this.#link(key, entry)
  }

  /** Forgets what was computed from this scope of the table, or with null from anything in it. */
  drop(table: TableSpec, scope: string | null): void {
    const scopes = this.#dependents.get(table.name)
    if (!scopes) return
    for (const one of scope === null ? [...scopes.keys()] : [scope, WHOLE]) this.#forgetAll(scopes.get(one))
  }

  /** Forgets what was computed from anything in the table but from single rows, and of those what was computed from the `changed`. */
  dropButRows(table: TableSpec, changed: ReadonlySet<string>): void {
    const scopes = this.#dependents.get(table.name) ?? new Map<string, Set<string>>()
    for (const [scope, keys] of [...scopes]) if (!scope.startsWith(ROW) || changed.has(scope)) this.#forgetAll(keys)
  }

  clear(): void {
    this.#loads.clear()
    this.#entries.clear()
    this.#dependents.clear()
  }

  #forgetAll(keys: ReadonlySet<string> | undefined): void {
    if (keys) for (const key of [...keys]) this.#forget(key)
  }

  #forget(key: string): void {
    this.#entries.delete(key)
    const loading = this.#loads.get(key)
    if (loading && this.#loads.delete(key)) this.#unlink(key, loading)
  }

  #link(key: string, { dependencies }: Entry): void {
    for (const { table, scope } of dependencies) {
      const scopes = this.#dependents.get(table.name) ?? new Map<string, Set<string>>()
      this.#dependents.set(table.name, scopes)
      const keys = scopes.get(scope ?? WHOLE) ?? new Set<string>()
      scopes.set(scope ?? WHOLE, keys.add(key))
    }
  }

  #unlink(key: string, { dependencies }: Entry): void {
    for (const { table, scope } of dependencies) {
      const scopes = this.#dependents.get(table.name)
      const keys = scopes?.get(scope ?? WHOLE)
      keys?.delete(key)
      if (keys?.size === 0) scopes?.delete(scope ?? WHOLE)
    }
  }
}
