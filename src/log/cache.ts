import type { TableSpec } from '../storage/storage.js'
import { Changes, type Dependency } from './changes.js'

interface Entry {
  readonly value: unknown
  readonly bytes: number
  readonly dependencies: readonly Dependency[]
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
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  readonly #loads = new Map<string, Load>()
  /** Keys by table and scope of what they depend on. */
  readonly #dependents = new Map<string, Map<string, Set<string>>>()
  readonly #changes = new Changes()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
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
      this.#entries.delete(key)
      this.#entries.set(key, known)
      // A key names one kind of value, so what is under it has the type it was put in with.
      return Promise.resolve(known.value as T)
    }
    const loading = this.#loads.get(key)
    if (loading && !this.#changes.any(dependencies, loading.since)) return loading.value as Promise<T>
    return this.#load(key, dependencies, bytesOf, load)
  }

  /** The value that is kept under `key`; undefined where there is none. */
  peek(key: string): unknown {
    return this.#entries.get(key)?.value
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
    this.#changes.mark(table, scope)
    const scopes = this.#dependents.get(table.name)
    if (!scopes) return
    for (const one of scope === null ? [...scopes.keys()] : [scope, WHOLE]) {
      for (const key of [...(scopes.get(one) ?? [])]) this.#forget(key)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#dependents.clear()
    this.#bytes = 0
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
}
