import { columnOf } from '../storage/order.js'
import type { Columns, ListOptions, ReadStore, Row, Storage, TableSpec, Value } from '../storage/storage.js'
import { Cache, type Dependency } from './cache.js'
import type { Head, StoredEvent } from './event.js'

const CACHE_BYTES = 24 * 1024 * 1024
/** Further behind than this, a process forgets everything instead of reading what it missed. */
const CATCH_UP_MAX = 1000

/** The type of event by which other read tables become the live ones. */
export const GENERATION_SWITCHED = 'ProjectionsSwitched'

/**
 * The committed read tables as one process sees them: the storage, and a cache of what was read. The cache may be used
 * once `current()` has shown that it is as new as the log, so nobody is shown a state older than their request.
 */
export class View implements ReadStore {
  readonly #storage: Storage
  readonly #tablesOf: (type: string) => readonly TableSpec[]
  readonly #cache = new Cache(CACHE_BYTES)
  #head: Head
  #foreign = 0
  #lost = false
  #checking: Promise<void> | null = null
  #next: Promise<void> | null = null
  #settled: () => Promise<unknown> = async () => {}

  private constructor(storage: Storage, tablesOf: (type: string) => readonly TableSpec[], head: Head) {
    this.#storage = storage
    this.#tablesOf = tablesOf
    this.#head = head
  }

  static async open(storage: Storage, tablesOf: (type: string) => readonly TableSpec[]): Promise<View> {
    return new View(storage, tablesOf, await storage.head())
  }

  /** The head that everything cached belongs to. */
  get head(): Head {
    return this.#head
  }

  /** Counts how often other processes' commits were taken in: a decision made under another count is stale. */
  get foreign(): number {
    return this.#foreign
  }

  /** Tells the view how to wait until no commit of this process is on its way. */
  settleWith(settled: () => Promise<unknown>): void {
    this.#settled = settled
  }

  /**
   * Resolves when the cache is as new as the log was at some moment after the call. Calls share round trips: whoever
   * comes while one is on its way waits for the next.
   */
  current(): Promise<void> {
    if (!this.#checking) {
      this.#checking = this.#check().finally(() => {
        this.#checking = null
      })
      return this.#checking
    }
    this.#next ??= this.#checking
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.current()
      })
    return this.#next
  }

  get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null> {
    return this.cached(`${table.name}/${id}`, [rowDependency(table, id)], rowBytes, () => this.#stored.get(table, id))
  }

  async getAll<C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]> {
    const [only, ...more] = ids
    if (only === undefined) return []
    if (more.length > 0) return this.#stored.getAll(table, ids)
    const row = await this.get(table, only)
    return row ? [row] : []
  }

  list<C extends Columns>(table: TableSpec<C>, index: string, key: readonly Value[], options?: ListOptions) {
    return this.#stored.list(table, index, key, options)
  }

  count(table: TableSpec, index: string, key: readonly Value[]): Promise<number> {
    return this.#stored.count(table, index, key)
  }

  /** A value computed from read tables, kept until what it depends on changes. */
  cached<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    return this.#cache.through(key, dependencies, bytesOf, load)
  }

  /** A commit of this process is done: these rows are current from now on, and what was computed from `changed` is not. */
  settle(head: Head, rows: Iterable<Changed>, changed: readonly Dependency[]): void {
    this.#head = head
    for (const { table, scope } of changed) this.#cache.drop(table, scope)
    for (const { table, id, row } of rows) {
      this.#cache.drop(table, `#${id}`)
      if (row) this.#cache.set(`${table.name}/${id}`, row, rowBytes(row), [rowDependency(table, id)])
    }
  }

  /** Takes in what others have committed and returns it; null when that was too much to read or changed the generation. */
  async catchUp(): Promise<readonly StoredEvent[] | null> {
    const from = this.#head
    const missed = await this.#storage.readLog(from.position, CATCH_UP_MAX)
    if (this.#head !== from) return this.catchUp()
    const last = missed.at(-1)
    if (!last) return []
    this.#foreign++
    if (missed.length === CATCH_UP_MAX || missed.some(({ type }) => type === GENERATION_SWITCHED)) {
      await this.#reset()
      return null
    }
    this.#head = { position: last.position, chain: last.chain, at: last.at, generation: from.generation }
    const tables = new Set(missed.flatMap(({ type }) => this.#tablesOf(type)))
    for (const table of tables) this.#cache.drop(table, null)
    return missed
  }

  /** Nothing that is known can be relied on: a commit's outcome was never learnt. */
  lose(): void {
    this.#lost = true
    this.#foreign++
    this.#cache.clear()
  }

  /** Starts again from the log's head after a loss. */
  async recover(): Promise<void> {
    if (this.#lost) await this.#reset()
  }

  async #reset(): Promise<void> {
    this.lose()
    const head = await this.#storage.head()
    this.#cache.clear()
    this.#head = head
    this.#lost = false
  }

  get #stored(): ReadStore {
    return this.#storage.rows(this.#head.generation)
  }

  async #check(): Promise<void> {
    await this.recover()
    const { position } = await this.#storage.head()
    if (position <= this.#head.position) return
    // The newer head may be that of our own commit, whose answer is still on its way to us.
    await this.#settled()
    if (position > this.#head.position) await this.catchUp()
  }
}

/** A row as a commit left it; null where it is gone. */
export interface Changed {
  readonly table: TableSpec
  readonly id: string
  readonly row: Row | null
}

/** The group of rows that this one is listed with. */
export function scopeDependency(table: TableSpec, row: Row): Dependency {
  return { table, scope: String(columnOf(row, table.scope)) }
}

function rowDependency(table: TableSpec, id: string): Dependency {
  return { table, scope: `#${id}` }
}

function rowBytes(row: Row | null): number {
  return 200 + 2 * (row?.body.length ?? 0)
}
