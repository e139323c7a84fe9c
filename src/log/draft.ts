import { indexOf, inOrder, matches } from '../storage/order.js'
import type { Columns, ListOptions, ReadStore, Row, RowOp, TableSpec, Value } from '../storage/storage.js'
import type { Dependency } from './cache.js'
import { type Changed, scopeDependency, type View } from './view.js'

/** The rows that one batch changes, and the groups of rows that its changes show up in. */
export class Layer {
  readonly rows = new Map<string, Changed>()
  readonly changed: Dependency[] = []
}

/**
 * The read tables as the next decision must see them: the committed ones with the rows of batches that are still on their
 * way laid over them. Changes of many unnamed rows (`deleteWhere`, `clear`) cannot be laid over: their batch must be
 * committed before the next decision.
 */
export class Draft implements ReadStore {
  readonly #view: View
  /** Oldest first. */
  #layers: readonly Layer[] = []

  constructor(view: View) {
    this.#view = view
  }

  open(): Layer {
    const layer = new Layer()
    this.#layers = [...this.#layers, layer]
    return layer
  }

  close(layer: Layer): void {
    this.#layers = this.#layers.filter((one) => one !== layer)
  }

  clear(): void {
    this.#layers = []
  }

  async get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null> {
    const key = keyOf(table, id)
    const layer = this.#layers.findLast(({ rows }) => rows.has(key))
    // Rows lie under the name of their table, whose spec gives them their type.
    if (layer) return (layer.rows.get(key)?.row ?? null) as Row<C> | null
    return this.#view.get(table, id)
  }

  async getAll<C extends Columns>(table: TableSpec<C>, ids: readonly string[]): Promise<readonly Row<C>[]> {
    const laid = new Set(ids.filter((id) => this.#layers.some(({ rows }) => rows.has(keyOf(table, id)))))
    const ours = await Promise.all([...laid].map((id) => this.get(table, id)))
    const stored = await this.#view.getAll(
      table,
      ids.filter((id) => !laid.has(id))
    )
    return [...stored, ...ours.filter((row) => row !== null)]
  }

  async list<C extends Columns>(
    table: TableSpec<C>,
    name: string,
    key: readonly Value[],
    options: ListOptions = {}
  ): Promise<readonly Row<C>[]> {
    const changed = new Map<string, Row | null>()
    for (const { rows } of this.#layers) {
      for (const { table: of, id, row } of rows.values()) if (of.name === table.name) changed.set(id, row)
    }
    if (changed.size === 0) return this.#view.list(table, name, key, options)
    const { limit, ids, reverse } = options
    // As many stored rows as have changed may turn out to be gone or elsewhere.
    const wide = limit === undefined ? options : { ...options, limit: limit + changed.size }
    const stored = await this.#view.list(table, name, key, wide)
    const index = indexOf(table, name)
    const rows: Row[] = stored.filter(({ id }) => !changed.has(id))
    for (const row of changed.values()) {
      if (row && matches(row, index, key) && (!ids || ids.includes(row.id))) rows.push(row)
    }
    rows.sort(inOrder(index))
    if (reverse) rows.reverse()
    return (limit === undefined ? rows : rows.slice(0, limit)) as Row<C>[]
  }

  /** Not asked by decisions; counts what is committed. */
  count(table: TableSpec, index: string, key: readonly Value[]): Promise<number> {
    return this.#view.count(table, index, key)
  }

  /** Lays the row changes of one command over what is there. Returns false when some cannot be: see above. */
  async lay(layer: Layer, ops: readonly RowOp[]): Promise<boolean> {
    const before = await this.#rowsBefore(ops)
    for (const op of ops) {
      if (op.op === 'deleteWhere' || op.op === 'clear') layer.changed.push({ table: op.table, scope: null })
      else if (op.op === 'put') this.#lay(layer, op.table, op.row.id, null, op.row)
      else {
        const key = keyOf(op.table, op.id)
        const now = layer.rows.has(key) ? layer.rows.get(key)?.row : before.get(key)
        if (now) this.#lay(layer, op.table, op.id, now, op.op === 'delete' ? null : patched(now, op.set))
      }
    }
    return ops.every(({ op }) => op !== 'deleteWhere' && op !== 'clear')
  }

  /** The rows that patches and deletions start from: all are read before any is laid, so a failure leaves no half. */
  async #rowsBefore(ops: readonly RowOp[]): Promise<ReadonlyMap<string, Row>> {
    const ids = new Map<TableSpec, string[]>()
    for (const op of ops) {
      if (op.op === 'patch' || op.op === 'delete') ids.set(op.table, [...(ids.get(op.table) ?? []), op.id])
    }
    const rows = new Map<string, Row>()
    for (const [table, wanted] of ids) {
      for (const row of await this.getAll(table, wanted)) rows.set(keyOf(table, row.id), row)
    }
    return rows
  }

  #lay(layer: Layer, table: TableSpec, id: string, before: Row | null, row: Row | null): void {
    layer.rows.set(keyOf(table, id), { table, id, row })
    for (const one of [before, row]) if (one) layer.changed.push(scopeDependency(table, one))
  }
}

function patched(row: Row, set: Readonly<Partial<Record<string, Value>>>): Row {
  return { ...row, ...set } as Row
}

function keyOf(table: TableSpec, id: string): string {
  return `${table.name}/${id}`
}
