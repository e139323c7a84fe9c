import { type EventHeader, type Head, type LinkedType, subjectOf } from '../log/event.js'
import { eventsSince } from '../log/logEnd.js'
import { HeadWentBack } from '../log/wentBack.js'
import { WHOLE_LOG } from '../storage/search.js'
import {
  type Columns,
  type ListOptions,
  type PagedReads,
  type Row,
  type RowOptions,
  type Storage,
  StorageUnavailable,
  type TableSpec,
  type Value
} from '../storage/storage.js'
import { Cache, type CacheCounts, type Dependency, rowScope } from './cache.js'
import { coalesced } from './coalesced.js'
import { type Draft, scopeOf } from './draft.js'
import { countedPlace, type OrderedRow, ordered, Places, type SequenceSpec } from './sequence.js'

/** A row without its body, roughly. */
const ROW_BYTES = 500
const HINT_BYTES = 200
/** The places of scopes with more rows than this are not read for that of one, which is counted. */
const FEW_ROWS = 500
const CACHE_BYTES = 8 * 1024 * 1024
/** Further behind than this, a process forgets everything instead of reading what it missed. */
const CATCH_UP_MAX = 1000

/** The type of event by which other read tables become the live ones. */
export const GENERATION_SWITCHED = 'ProjectionsSwitched'

/** What events of a type may change: `tables`, but in `oneRowOf` nothing than the row of their own subject. */
export interface Effect {
  readonly tables: readonly TableSpec[]
  readonly oneRowOf: TableSpec | null
}

/** Tells the effect of a type of event; null for a type that is not known. */
export type EffectOf = (type: string) => Effect | null

/**
 * The committed read tables as one process sees them: the storage, and a cache of what was read. The cache may be used
 * once `current()` has shown that it is as new as the log, so nobody is shown a state older than their request.
 */
export class ReadModel implements PagedReads {
  readonly #storage: Storage
  readonly #effectOf: EffectOf
  readonly #cache = new Cache(CACHE_BYTES)
  /** The sequence that the rows of a table stand in, of those whose places have been asked for. */
  readonly #placed = new Map<string, SequenceSpec>()
  #head: Head
  #wentBack: HeadWentBack | null = null
  #isBehindKnown = false
  #settled: () => Promise<unknown> = async () => {}
  readonly #moved: (() => void)[] = []

  private constructor(storage: Storage, effectOf: EffectOf, head: Head) {
    this.#storage = storage
    this.#effectOf = effectOf
    this.#head = head
  }

  /** Opens a read model on a log that is set up. */
  static async open(storage: Storage, effectOf: EffectOf): Promise<ReadModel> {
    return new ReadModel(storage, effectOf, await storage.head())
  }

  /**
   * Resolves when the cache is as new as the log was at some moment after the call. Calls share round trips to the database:
   * whoever comes while one is on its way waits for the next.
   */
  readonly current: () => Promise<void> = coalesced(() => this.#check())

  /** The head that everything cached belongs to. */
  get head(): Head {
    return this.#head
  }

  /** Why nothing is read or written any more, where the log does not hold what was known of it. */
  get wentBack(): HeadWentBack | null {
    return this.#wentBack
  }

  /** True from when a look at the head found that the log lacks what this process or another knew of it, until one finds otherwise. */
  get isBehindKnown(): boolean {
    return this.#wentBack !== null || this.#isBehindKnown
  }

  /** What the cache holds and has been asked for. */
  get cacheCounts(): CacheCounts {
    return this.#cache.counts
  }

  /** Tells the read model how to wait until no commit of this process is on its way. */
  settleWith(settled: () => Promise<unknown>): void {
    this.#settled = settled
  }

  /** Tells the read model whom to tell, too, that its head has moved, or was found to have gone back. */
  onMove(moved: () => void): void {
    this.#moved.push(moved)
  }

  get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null> {
    this.#requireTrust()
    const key = `${table.name}/${id}`
    const known = this.#cache.known<Row<C> | null>(key)
    if (known !== undefined) return known
    return this.#cache.through(key, [rowDependency(table, id)], rowBytes, () => this.#stored.get(table, id))
  }

  async getAll<C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    options?: RowOptions
  ): Promise<readonly Row<C>[]> {
    const [only, ...more] = ids
    if (only === undefined) return []
    if (more.length > 0) return this.#stored.getAll(table, ids, options)
    const row = await this.get(table, only)
    return row ? [row] : []
  }

  /** Lists of columns alone, which decisions ask for again and again, are kept like rows; those with bodies are not. */
  list<C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options: ListOptions = {}
  ): Promise<readonly Row<C>[]> {
    const load = () => this.#stored.list(table, index, key, options)
    if (options.body !== false) return load()
    const name = JSON.stringify([table.name, index, key, options.limit, options.reverse, options.ids])
    return this.cached(`columns/${name}`, [{ table, scope: null }], (rows) => 200 + rows.length * ROW_BYTES, load)
  }

  readonly count: PagedReads['count'] = (...asked) => this.#stored.count(...asked)
  readonly wholeList: PagedReads['wholeList'] = (...asked) => this.#stored.wholeList(...asked)
  readonly outline: PagedReads['outline'] = (...asked) => this.#stored.outline(...asked)
  readonly listPart: PagedReads['listPart'] = (...asked) => this.#stored.listPart(...asked)

  getPage<C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]> {
    return this.#stored.getPage(table, ids)
  }

  /** How far a stream has come in the log: for streams that no row tells about. */
  async lastVersion(stream: string): Promise<number> {
    const [last] = await this.#storage.searchLog({ streams: [stream] }, WHOLE_LOG, 1, true)
    return last?.version ?? 0
  }

  /** A value computed from read tables, kept until what it depends on changes. */
  cached<T>(
    key: string,
    dependencies: readonly Dependency[],
    bytesOf: (value: T) => number,
    load: () => Promise<T>
  ): Promise<T> {
    this.#requireTrust()
    return this.#cache.through(key, dependencies, bytesOf, load)
  }

  /** The places of the rows of one scope. */
  places(spec: SequenceSpec, scope: string): Promise<Places> {
    for (const { name } of spec.tables) this.#placed.set(name, spec)
    const load = () => Places.read(spec, scope, this.#stored)
    return this.cached(placesKey(spec, scope), placeDependencies(spec, scope), ({ bytes }) => bytes, load)
  }

  /**
   * The orders in a container of a scope, ascending; null where two rows share one, and for a small container of a scope that is large
   * and not in the cache.
   */
  async ordersIn(spec: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null> {
    const few = await this.#placesOfFew(spec, scope)
    if (!few && (await this.#count(spec, spec.containerIndex, container)) <= FEW_ROWS) return null
    return (few ?? (await this.places(spec, scope))).ordersIn(container)
  }

  /** The same, and null for all containers of a scope that is large and not in the cache. */
  async knownOrdersIn(spec: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null> {
    return (await this.#placesOfFew(spec, scope))?.ordersIn(container) ?? null
  }

  /** The place of a row among the rows of its container, counted from 0; null where it stands in no sequence. */
  async placeOf(spec: SequenceSpec | null, table: TableSpec, row: Row): Promise<number | null> {
    if (!spec) return null
    const places = await this.#placesOfFew(spec, scopeOf(table, row))
    return places ? places.placeOf(table, ordered(row)) : countedPlace(spec, table, ordered(row), this.#stored)
  }

  /** A commit of this process is done: its rows are current from now on, and what was computed from others is not. */
  settle(after: Head, head: Head, draft: Draft): void {
    // Where the head has moved meanwhile, somebody may have changed the same rows since: they are read again.
    const isNewest = this.#head.position === after.position
    for (const { table, scope } of draft.changed) this.#cache.drop(table, scope)
    if (isNewest) this.#move(head)
    for (const { table, id, before, row } of draft.rows()) {
      this.#cache.drop(table, rowScope(id))
      this.#settlePlaces(table, before, row, isNewest)
      if (row && isNewest) this.#cache.set(`${table.name}/${id}`, row, rowBytes(row), [rowDependency(table, id)])
    }
  }

  /**
   * Takes in what others have committed up to a head that the log has had, its end by default; forgets everything when that is
   * much or changed which tables are live. Throws `HeadWentBack` where that head does not continue the one before.
   */
  async catchUp(seen?: Head): Promise<void> {
    const from = this.#head
    const head = seen ?? (await this.#storage.head())
    const count = head.position - from.position
    const isMuch = count >= CATCH_UP_MAX
    const missed = await this.#continuation(head, isMuch ? from.position : head.position)
    if (this.#head !== from) return this.catchUp()
    if (count === 0) return
    const touched = isMuch || missed.length < count ? null : this.#changedBy(missed)
    if (!touched) return this.#reset()
    for (const [table, rows] of touched) {
      if (rows) this.#cache.dropButRows(table, rows)
      else this.#cache.drop(table, null)
    }
    this.#move(head)
  }

  /** The tables that events may have changed, each with the scopes of the rows where these are all; null where nobody can tell. */
  #changedBy(
    events: readonly Pick<EventHeader, 'type' | 'stream'>[]
  ): ReadonlyMap<TableSpec, Set<string> | null> | null {
    const touched = new Map<TableSpec, Set<string> | null>()
    for (const { type, stream } of events) {
      // A type that is not known here may be one that a newer version has added, for tables that are.
      const effect = type === GENERATION_SWITCHED ? null : this.#effectOf(type)
      if (!effect) return null
      for (const table of effect.tables) {
        const known = touched.get(table)
        if (known === null) continue
        touched.set(table, table === effect.oneRowOf ? (known ?? new Set()).add(rowScope(subjectOf(stream))) : null)
      }
    }
    return touched
  }

  /**
   * Takes in what others have committed up to the head that is locked: from then on, and as long as it is, what is read is of it.
   * Throws `HeadWentBack` where it does not continue what is known, `StorageUnavailable` where what is read is not what is written.
   */
  async moveTo(head: Head): Promise<void> {
    this.#requireTrust()
    if (head.chain === this.#head.chain) return
    await this.catchUp(head)
    if (head.chain !== this.#head.chain)
      throw new StorageUnavailable('Reads come from a database that is not the one which is written to.')
  }

  /** Forgets everything, and starts again from the log's head. */
  async #reset(): Promise<void> {
    const from = this.#head
    const head = await this.#storage.head()
    await this.#continuation(head, from.position)
    if (this.#head !== from) return this.catchUp()
    this.#cache.clear()
    this.#move(head)
  }

  /** What shows the places of a scope goes with a row that moves; the places themselves are taken on where that is certain. */
  #settlePlaces(table: TableSpec, before: Row | null, row: Row | null, isNewest: boolean): void {
    if (!('sortOrder' in table.columns)) return
    const spec = this.#placed.get(table.name)
    const [was, is] = [before && scopeOf(table, before), row && scopeOf(table, row)]
    for (const scope of was === is ? [is] : [was, is]) {
      if (scope === null) continue
      const known = spec && this.#knownPlaces(spec, scope)
      const from = before && was === scope ? ordered(before) : null
      const to = row && is === scope ? ordered(row) : null
      if (from && to && staysInPlace(from, to, known)) continue
      this.#cache.drop(table, placesScope(scope))
      if (spec && isNewest && known?.moved(table, from, to))
        this.#cache.set(placesKey(spec, scope), known, known.bytes, placeDependencies(spec, scope))
    }
  }

  /** The places of a scope, read where it is small; null for a large one that is not in the cache. */
  async #placesOfFew(spec: SequenceSpec, scope: string): Promise<Places | null> {
    return this.#knownPlaces(spec, scope) ?? ((await this.#isLarge(spec, scope)) ? null : this.places(spec, scope))
  }

  /** Once found to be large a scope counts as large: if it is not any more, counting in it is all the quicker. */
  async #isLarge(spec: SequenceSpec, scope: string): Promise<boolean> {
    const key = `large/${spec.name}/${scope}`
    if (this.#cache.peek(key) === true) return true
    const isLarge = (await this.#count(spec, spec.index, scope)) > FEW_ROWS
    if (isLarge) this.#cache.set(key, true, HINT_BYTES, [])
    return isLarge
  }

  /** How many rows of a sequence are under one key of an index that all its tables have. */
  async #count({ tables }: SequenceSpec, index: string, key: string): Promise<number> {
    const counts = await Promise.all(tables.map((table) => this.#stored.count(table, index, [key])))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  #knownPlaces(spec: SequenceSpec, scope: string): Places | undefined {
    const known = this.#cache.peek(placesKey(spec, scope))
    return known instanceof Places ? known : undefined
  }

  #move(head: Head): void {
    this.#head = head
    for (const moved of this.#moved) moved()
  }

  /**
   * What came behind the head that is known, up to a position. Throws where `seen` is no head that the log has had behind it. Where
   * the log does not hold the known one any more, whoever asks for anything is refused from here on: what is known here and what
   * the log holds would be a mixture.
   */
  async #continuation(seen: Head, through: number): Promise<readonly LinkedType[]> {
    const known = this.#head
    if (seen.chain === known.chain) return []
    const events = await eventsSince(this.#storage, known, through)
    if (!events) {
      this.#wentBack ??= new HeadWentBack(known, seen)
      for (const moved of this.#moved) moved()
      throw this.#wentBack
    }
    if (seen.position <= known.position)
      throw new StorageUnavailable('The database answers with an earlier state of the log than before.')
    return events
  }

  #requireTrust(): void {
    if (this.#wentBack) throw this.#wentBack
  }

  get #stored(): PagedReads {
    this.#requireTrust()
    return this.#storage.rows(this.#head.generation)
  }

  async #check(): Promise<void> {
    this.#requireTrust()
    const known = this.#head
    const seen = await this.#lookAtHead()
    if (seen.chain === known.chain) return
    if (seen.position <= known.position) {
      await this.#continuation(seen, known.position)
      return
    }
    // The newer head may be that of our own commit, whose answer is still on its way to us.
    await this.#settled()
    if (seen.position > this.#head.position) await this.catchUp(seen)
  }

  async #lookAtHead(): Promise<Head> {
    try {
      const head = await this.#storage.head()
      this.#isBehindKnown = false
      return head
    } catch (error) {
      if (error instanceof HeadWentBack) this.#isBehindKnown = true
      throw error
    }
  }
}

function rowDependency(table: TableSpec, id: string): Dependency {
  return { table, scope: rowScope(id) }
}

/** True where a row keeps what its place depends on, as most commands leave it. */
function staysInPlace(from: OrderedRow, to: OrderedRow, known: Places | undefined): boolean {
  if (from.container !== to.container || from.sortOrder !== to.sortOrder) return false
  return from.sortKey === to.sortKey || known?.isShared(to) === false
}

function placesKey({ name }: SequenceSpec, scope: string): string {
  return `places/${name}/${scope}`
}

function placesScope(scope: string): string {
  return `places/${scope}`
}

/** What is computed from the places of a scope depends on all tables of the sequence, but not on what only changes contents. */
export function placeDependencies({ tables }: SequenceSpec, scope: string): Dependency[] {
  return tables.map((table) => ({ table, scope: placesScope(scope) }))
}

function rowBytes(row: Row | null): number {
  return 200 + 2 * (row?.body.length ?? 0)
}
