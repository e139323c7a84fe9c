import { indexOf, inOrder, isBefore, matches } from '../storage/order.js'
import { idOf, isBulk, rowAfter } from '../storage/rowOps.js'
import type { Columns, ListOptions, ReadStore, Row, RowOp, RowOptions, TableSpec, Value } from '../storage/storage.js'
import type { CachedReads } from './cachedReads.js'
import { type ChangedRow, PendingChanges } from './pendingChanges.js'
import type { AnswerRow } from './writer.js'

const SPARE_ROWS = 8
/** A command that changes more rows than this, unread until then, is committed before the next one: reading them costs more. */
const READ_FOR_CHANGES_MAX = 100

/**
 * The read tables as the next decision must see them: the committed ones with what its batch has changed so far laid over
 * them. Bulk changes (`deleteWhere`, `nullify`) reach rows that nobody has read, which cannot
 * be laid over: they must be committed before the next decision. So are changes of very many named ones.
 */
export class PendingReads implements ReadStore {
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
    for (const table of isMany ? unread.keys() : []) layer.changed.push({ table, scope: null })
    for (const op of ops) {
      const { table } = op
      if (isBulk(op)) {
        layer.changed.push({ table, scope: null })
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

/** The changed rows of a table, each as the newest of these layers has it. */
function* allLaidIn(layers: readonly PendingChanges[], table: TableSpec): Iterable<ChangedRow> {
  const tables = layers.map((layer) => layer.rowsOf(table))
  for (const [i, rows] of tables.entries()) {
    for (const changed of rows.values()) {
      if (!tables.some((newer, j) => j > i && newer.has(changed.id))) yield changed
    }
  }
}
