import { indexOf, inOrder, isBefore, matches } from '../storage/order.js'
import { idOf, isBulk, rowAfter } from '../storage/rowOps.js'
import type { Columns, ListOptions, Row, RowOp, RowOptions, TableSpec, Value } from '../storage/storage.js'
import type { CachedReads } from './cachedReads.js'
import { type ChangedRow, PendingChanges, scopeOf } from './pendingChanges.js'
import {
  lastOrderIn,
  type OrderedReads,
  type OrderedRow,
  ordered,
  type RowStates,
  type SequenceSpec
} from './sequence.js'
import type { AnswerRow } from './writer.js'

const SPARE_ROWS = 8
/** A command that changes more rows than this, unread until then, is committed before the next one: reading them costs more. */
const READ_FOR_CHANGES_MAX = 100

/**
 * The read tables as the next decision must see them: the committed ones with what its batch has changed so far laid over
 * them. Bulk changes (`deleteWhere`, `nullify`) reach rows that nobody has read, which cannot
 * be laid over: they must be committed before the next decision. So are changes of very many named ones.
 */
export class PendingReads implements OrderedReads {
  readonly #view: CachedReads
  /** Oldest first. */
  #layers: readonly PendingChanges[] = []

  constructor(view: CachedReads) {
    this.#view = view
  }

  open(): PendingChanges {
    const layer = new PendingChanges()
    this.#layers = [...this.#layers, layer]
    return layer
  }

  close(layer: PendingChanges): void {
    this.#layers = this.#layers.filter((one) => one !== layer)
  }

  async get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null> {
    const laid = laidIn(this.#layers, table, id)
    // Rows lie under the name of their table, whose spec gives them their type.
    return laid ? (laid.row as Row<C> | null) : this.#view.get(table, id)
  }

  async getAll<C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    options?: RowOptions
  ): Promise<readonly Row<C>[]> {
    const [only, ...more] = ids
    if (only === undefined) return []
    if (more.length === 0) {
      const row = await this.get(table, only)
      return row ? [row] : []
    }
    const layers = this.#layers
    const laid = new Map(ids.map((id) => [id, laidIn(layers, table, id)]))
    const unlaid = ids.filter((id) => !laid.get(id))
    const stored = await this.#view.getAll(table, unlaid, options)
    return [...stored, ...[...laid.values()].flatMap((changed) => changed?.row ?? [])] as Row<C>[]
  }

  async list<C extends Columns>(
    table: TableSpec<C>,
    name: string,
    key: readonly Value[],
    options: ListOptions = {}
  ): Promise<readonly Row<C>[]> {
    // As they are now: a layer that is committed while the store is asked may be too new for the answer to have it.
    const layers = this.#layers
    if (!this.#hasLaid(table)) return this.#view.list(table, name, key, options)
    const { limit, ids, reverse } = options
    const index = indexOf(table, name)
    const rows: Row[] = [...(await this.#unlaid(layers, table, name, key, options))]
    for (const { row } of allLaidIn(layers, table)) {
      if (row && matches(row, index, key) && (!ids || ids.includes(row.id))) rows.push(row)
    }
    const order = inOrder(index)
    // Rows lie under the name of their table, whose spec gives them their type.
    return first(rows, reverse ? (a, b) => order(b, a) : order, limit) as Row<C>[]
  }

  async count(table: TableSpec, index: string, key: readonly Value[], before?: readonly Value[]): Promise<number> {
    if (!this.#hasLaid(table)) return this.#view.count(table, index, key, before)
    const rows = await this.list(table, index, key, { body: false })
    return before ? rows.filter((row) => isBefore(row, indexOf(table, index), before)).length : rows.length
  }

  async lastOrder(sequence: SequenceSpec, scope: string, container: string): Promise<number | null> {
    const committed = this.#view.knownSequence(sequence, scope)
    if (!committed) return lastOrderIn(sequence, container, this)
    const layers = this.#layers
    const changed = coursesIn(
      layers,
      sequence,
      (was, is) => was?.container === container || is?.container === container
    )
    return committed.lastAfter(container, changed)
  }

  async ordersBeside(
    sequence: SequenceSpec,
    table: TableSpec,
    row: Row,
    container: string
  ): Promise<readonly number[] | null> {
    const committed = await this.#view.sequenceOfFew(sequence, scopeOf(table, row))
    if (!committed) return null
    const layers = this.#layers
    if (hasUnlaid(layers, sequence)) return null
    const isOther = (course: RowStates) => course.table !== table || course.states[0]?.id !== row.id
    const changed = coursesIn(
      layers,
      sequence,
      (was, is) => was?.container === container || is?.container === container
    )
    const own = courseOf(layers, table, row.id)
    const gone = { table, states: [...own.states, ordered(row)], last: null }
    const orders = committed.ordersAfter(container, [...changed.filter(isOther), gone])
    const { container: here, sortOrder } = ordered(row)
    return here === container && orders?.includes(sortOrder) ? null : orders
  }

  /**
   * The place of a row among the rows of its container, counted from 0, as the next decision sees it; null where changes that
   * cannot be laid over may have moved it, and where the places of a large scope are not known.
   */
  async placeOf(sequence: SequenceSpec, table: TableSpec, row: Row): Promise<number | null> {
    const scope = scopeOf(table, row)
    const committed = await this.#view.sequenceOfFew(sequence, scope)
    if (!committed) return null
    // As they are now: what is committed while the sequence is read is counted once all the same.
    const layers = this.#layers
    if (hasUnlaid(layers, sequence)) return null
    const own = ordered(row)
    // The place of others depends on what was put elsewhere and on what shares their order.
    const changed = coursesIn(layers, sequence, (was, is) => {
      const stays = was && is && was.sortOrder === is.sortOrder && was.container === is.container
      return !stays || (is.sortOrder === own.sortOrder && is.id !== own.id)
    })
    return committed.placeAfter(table, own, changed)
  }

  /** How far a stream has come. It is asked for streams whose row does not say. */
  async lastVersion(stream: string): Promise<number> {
    return this.pendingVersion(stream) ?? (await this.#view.lastVersion(stream))
  }

  /** How far what is laid over takes a stream; undefined where they leave it alone. */
  pendingVersion(stream: string): number | undefined {
    return this.#layers.findLast(({ versions }) => versions.has(stream))?.versions.get(stream)
  }

  /**
   * Lays row changes into the top layer; that of the row `answered` is always among them. Returns false when some reach rows
   * that cannot be laid over: see above.
   */
  async lay(
    layer: PendingChanges,
    ops: readonly RowOp[],
    answered?: Pick<AnswerRow, 'table' | 'id'>
  ): Promise<boolean> {
    const layers = this.#layers
    const unread = unreadIds(layers, ops)
    const count = [...unread.values()].reduce((sum, ids) => sum + ids.size, 0)
    const before = new Map<string, Row>()
    const isMany = count > READ_FOR_CHANGES_MAX || !(await this.#readBefore(unread, before))
    if (isMany && answered && unread.get(answered.table)?.has(answered.id))
      await this.#readBefore(new Map([[answered.table, new Set([answered.id])]]), before)
    for (const table of isMany ? unread.keys() : []) {
      layer.changed.push({ table, scope: null })
      layer.unlaid.add(table.name)
    }
    for (const op of ops) {
      const { table } = op
      if (isBulk(op)) {
        layer.changed.push({ table, scope: null })
        if (op.op === 'deleteWhere') layer.unlaid.add(table.name)
        for (const { id, row } of [...allLaidIn(layers, table)]) {
          const after = rowAfter(row, op, table, id)
          if (after !== row) layer.lay(table, id, row, after)
        }
      } else {
        const id = idOf(op)
        const laid = laidIn(layers, table, id)
        const now = (laid ? laid.row : before.get(`${table.name}/${id}`)) ?? null
        if (now || op.op === 'put') layer.lay(table, id, now, rowAfter(now, op, table, id))
      }
    }
    return !isMany && !ops.some(isBulk)
  }

  /** Reads stored rows that patches and deletions start from. Returns false where they are more than a page together. */
  async #readBefore(unread: ReadonlyMap<TableSpec, ReadonlySet<string>>, rows: Map<string, Row>): Promise<boolean> {
    for (const [table, ids] of unread) {
      // One row is often in the cache; of several it is not known how large they are.
      const found =
        ids.size === 1 ? await this.#view.getAll(table, [...ids]) : await this.#view.getPage(table, [...ids])
      for (const row of found) rows.set(`${table.name}/${row.id}`, row)
      if (found.length < ids.size && ids.size > 1) return false
    }
    return true
  }

  #hasLaid(table: TableSpec): boolean {
    return this.#layers.some((layer) => layer.rowsOf(table).size > 0)
  }

  /** The stored rows of a list that no layer changes, as far as its limit asks for them. */
  async #unlaid(
    layers: readonly PendingChanges[],
    table: TableSpec,
    name: string,
    key: readonly Value[],
    options: ListOptions
  ): Promise<readonly Row[]> {
    const { limit = Number.POSITIVE_INFINITY } = options
    // Some of what is stored has changed: so a few more are asked for, and if most has changed, many more.
    for (let asked = limit + SPARE_ROWS; ; asked *= 4) {
      const wide = Number.isFinite(asked) ? { ...options, limit: asked } : options
      const stored = await this.#view.list(table, name, key, wide)
      const unlaid = stored.filter(({ id }) => !laidIn(layers, table, id))
      if (unlaid.length >= limit || stored.length < asked) return unlaid
    }
  }
}

/** The rows that patches and deletions start from and that no layer has, by their tables. */
function unreadIds(
  layers: readonly PendingChanges[],
  ops: readonly RowOp[]
): ReadonlyMap<TableSpec, ReadonlySet<string>> {
  const unread = new Map<TableSpec, Set<string>>()
  for (const op of ops) {
    if (isBulk(op) || op.op === 'put' || laidIn(layers, op.table, op.id)) continue
    unread.set(op.table, (unread.get(op.table) ?? new Set()).add(op.id))
  }
  return unread
}

/** The first rows in this order, up to the limit. */
function first(rows: Row[], order: (a: Row, b: Row) => number, limit: number | undefined): readonly Row[] {
  // The last of a list is what new rows go behind: it is asked for most, and needs no sorting.
  if (limit === 1 && rows.length > 1) return [rows.reduce((best, row) => (order(row, best) < 0 ? row : best))]
  return rows.sort(order).slice(0, limit)
}

/** A row as the newest of these layers has it; undefined where none has. */
function laidIn(layers: readonly PendingChanges[], table: TableSpec, id: string): ChangedRow | undefined {
  for (let i = layers.length - 1; i >= 0; i--) {
    const changed = layers[i]?.rowsOf(table).get(id)
    if (changed) return changed
  }
  return undefined
}

/** True where these layers change rows of a sequence that they do not hold. */
function hasUnlaid(layers: readonly PendingChanges[], { tables }: SequenceSpec): boolean {
  return layers.some(({ unlaid }) => unlaid.size > 0 && tables.some(({ name }) => unlaid.has(name)))
}

/** What these layers know of those rows of a sequence that one of them has changed in a way that `concerns` whoever asks. */
function coursesIn(
  layers: readonly PendingChanges[],
  { tables }: SequenceSpec,
  concerns: (was: OrderedRow | null, is: OrderedRow | null) => boolean
): readonly RowStates[] {
  const courses: RowStates[] = []
  for (const table of tables) {
    const ids = new Set<string>()
    for (const layer of layers) {
      for (const { id, before, row } of layer.rowsOf(table).values()) {
        if (concerns(before && ordered(before), row && ordered(row))) ids.add(id)
      }
    }
    for (const id of ids) courses.push(courseOf(layers, table, id))
  }
  return courses
}

/** What these layers know of a row. */
function courseOf(layers: readonly PendingChanges[], table: TableSpec, id: string): RowStates {
  const states: OrderedRow[] = []
  for (const layer of layers) {
    const changed = layer.rowsOf(table).get(id)
    if (changed?.before) states.push(ordered(changed.before))
    if (changed?.row) states.push(ordered(changed.row))
  }
  const last = laidIn(layers, table, id)?.row
  return { table, states, last: last ? ordered(last) : null }
}

/** The changed rows of a table, each as the newest of these layers has it. */
function* allLaidIn(layers: readonly PendingChanges[], table: TableSpec): Iterable<ChangedRow> {
  const tables = layers.map((layer) => layer.rowsOf(table))
  for (const [i, rows] of tables.entries()) {
    for (const changed of rows.values()) {
      if (!tables.some((newer, j) => j > i && newer.has(changed.id))) yield changed
    }
  }
}
