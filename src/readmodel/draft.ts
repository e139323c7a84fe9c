import { columnOf, indexOf, inOrder, isBefore, matches } from '../storage/order.js'
import { type BulkOp, idOf, isBulk, rowAfter, searchedColumns } from '../storage/rowOps.js'
import type { Columns, ListOptions, Row, RowOp, RowOptions, TableSpec, Value } from '../storage/storage.js'
import type { Dependency } from './cache.js'
import { columnsOf, outlinedColumns } from './manyRows.js'
import type { ReadModel } from './readModel.js'
import { type OrderedReads, ordered, type SequenceSpec, withOrder, withoutOrder } from './sequence.js'

/** Lists are asked for so many more rows than are wanted, or a multiple of them, as there may be that the batch has changed. */
const SPARE_ROWS = 64
/** A command that changes more rows than this, unread until then, ends its batch: reading them costs more. */
const READ_FOR_CHANGES_MAX = 100

/** A row as a batch leaves it; null where it is gone. */
export interface ChangedRow {
  readonly table: TableSpec
  readonly id: string
  /** What it was before the batch, as far as that is known. */
  readonly before: Row | null
  readonly row: Row | null
}

/** The stored rows that changes start from and that is answered with; not all of them where they are too many or too large for that. */
export interface Starting {
  readonly rows: ReadonlyMap<string, Row>
  readonly areAll: boolean
}

/** The orders in a container as a batch has left them so far; null where two rows share one. */
interface ContainerOrders {
  readonly sequence: SequenceSpec
  readonly container: string
  orders: number[] | null
}

type RowName = Pick<ChangedRow, 'table' | 'id'>

type Rows = ReadonlyMap<string, ChangedRow>
type Holders = Map<Value, Set<string>>
const NOTHING: Rows = new Map()

/**
 * The read tables as the next decision of a batch must see them: those that are stored, with what the batch has changed so far
 * applied to them. Bulk changes (`deleteWhere`, `nullify`) reach rows that nobody has read, so that they cannot be applied: they end
 * the batch.
 * So do changes of very many named ones.
 */
export class Draft implements OrderedReads {
  readonly #readModel: ReadModel
  readonly #tables = new Map<string, Map<string, ChangedRow>>()
  readonly #versions = new Map<string, number>()
  readonly #orders: ContainerOrders[] = []
  /** The ids of changed rows, by table, and by what they have held in each column in which bulk changes have looked. */
  readonly #holders = new Map<string, Map<string, Holders>>()
  /** The groups of rows that the changes show up in. */
  readonly changed: Dependency[] = []

  constructor(readModel: ReadModel) {
    this.#readModel = readModel
  }

  /** The rows that it changes and holds. */
  *rows(): Iterable<ChangedRow> {
    for (const rows of this.#tables.values()) yield* rows.values()
  }

  async get<C extends Columns>(table: TableSpec<C>, id: string): Promise<Row<C> | null> {
    const changed = this.#rowsOf(table).get(id)
    // Rows lie under the name of their table, whose spec gives them their type.
    return changed ? (changed.row as Row<C> | null) : this.#readModel.get(table, id)
  }

  async getAll<C extends Columns>(
    table: TableSpec<C>,
    ids: readonly string[],
    options?: RowOptions
  ): Promise<readonly Row<C>[]> {
    // One, as the last version of a stream, needs no list to be made of it.
    const [only] = ids
    if (only !== undefined && ids.length === 1) {
      const row = await this.get(table, only)
      return row ? [row] : []
    }
    const changed = this.#rowsOf(table)
    const wanted = [...new Set(ids)]
    const unchanged = wanted.filter((id) => !changed.has(id))
    // Without their bodies they may be very many.
    const read = () =>
      options?.body === false
        ? outlinedColumns(
            this.#readModel,
            table,
            unchanged.map((id) => ({ id }))
          )
        : this.#readModel.getAll(table, unchanged, options)
    const stored = unchanged.length > 0 ? await read() : []
    return [...stored, ...wanted.flatMap((id) => changed.get(id)?.row ?? [])] as Row<C>[]
  }

  async list<C extends Columns>(
    table: TableSpec<C>,
    name: string,
    key: readonly Value[],
    options: ListOptions = {}
  ): Promise<readonly Row<C>[]> {
    const changed = this.#rowsOf(table)
    const { limit, ids, reverse, body } = options
    // All of them, which may be very many.
    const isWhole = limit === undefined && body === false && !ids && !reverse
    const read = (asked: ListOptions) =>
      isWhole ? columnsOf(this.#readModel, table, name, key) : this.#readModel.list(table, name, key, asked)
    if (changed.size === 0) return read(options)
    const index = indexOf(table, name)
    const more = SPARE_ROWS * Math.ceil(changed.size / SPARE_ROWS)
    const wider = limit === undefined ? options : { ...options, limit: limit + more }
    const rows: Row[] = (await read(wider)).filter(({ id }) => !changed.has(id))
    for (const { row } of changed.values()) {
      if (row && matches(row, index, key) && (!ids || ids.includes(row.id))) rows.push(row)
    }
    const order = inOrder(index)
    return rows.sort(reverse ? (a, b) => order(b, a) : order).slice(0, limit) as Row<C>[]
  }

  async count(table: TableSpec, index: string, key: readonly Value[], before?: readonly Value[]): Promise<number> {
    if (this.#rowsOf(table).size === 0) return this.#readModel.count(table, index, key, before)
    const rows = await this.list(table, index, key, { body: false })
    return before ? rows.filter((row) => isBefore(row, indexOf(table, index), before)).length : rows.length
  }

  ordersIn(sequence: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null> {
    return this.#ordersIn(sequence, container, () => this.#readModel.ordersIn(sequence, scope, container))
  }

  knownOrdersIn(sequence: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null> {
    return this.#ordersIn(sequence, container, () => this.#readModel.knownOrdersIn(sequence, scope, container))
  }

  async #ordersIn(
    sequence: SequenceSpec,
    container: string,
    read: () => Promise<readonly number[] | null>
  ): Promise<readonly number[] | null> {
    const taken = this.#orders.find((one) => one.container === container && one.sequence === sequence)
    if (taken) return taken.orders
    const known = await read()
    const changed = sequence.tables.flatMap((table) => [...this.#rowsOf(table).values()])
    if (!known || changed.length === 0) return known
    // A container may hold very many: they are copied once in a batch, and taken on with what else it changes.
    const copied: ContainerOrders = { sequence, container, orders: [...known] }
    for (const { before, row } of changed) takeOn(copied, before, row)
    this.#orders.push(copied)
    return copied.orders
  }

  /** How far a stream has come. It is asked for streams whose row does not say. */
  async lastVersion(stream: string): Promise<number> {
    return this.#versions.get(stream) ?? (await this.#readModel.lastVersion(stream))
  }

  /** Reads the rows that changes start from, where those are few; that of `answered` in any case. */
  async starting(ops: readonly RowOp[], answered?: RowName): Promise<Starting> {
    const rows = new Map<string, Row>()
    const unread = new Map<TableSpec, Set<string>>()
    // What is put has no row to start from, and is not asked for.
    let isPut = false
    for (const op of ops) {
      if (isBulk(op)) continue
      const id = idOf(op)
      if (op.op === 'put') isPut ||= answered?.table === op.table && answered.id === id
      else if (!this.#rowsOf(op.table).has(id)) {
        const ids = unread.get(op.table) ?? new Set()
        unread.set(op.table, ids.add(id))
      }
    }
    let count = 0
    for (const ids of unread.values()) count += ids.size
    let areAll = count <= READ_FOR_CHANGES_MAX
    for (const [table, ids] of areAll ? unread : []) {
      // One row is often in the cache; of several it is not known how large they are.
      const isOne = ids.size === 1
      const found = isOne
        ? await this.#readModel.getAll(table, [...ids])
        : await this.#readModel.getPage(table, [...ids])
      for (const row of found) rows.set(rowKey(table, row.id), row)
      areAll &&= isOne || found.length === ids.size
    }
    if (answered && !isPut && !this.#rowsOf(answered.table).has(answered.id)) {
      const row = await this.#readModel.get(answered.table, answered.id)
      if (row) rows.set(rowKey(answered.table, answered.id), row)
    }
    return { rows, areAll }
  }

  /**
   * Applies what a command changes, and how far it takes streams, to what is there. Returns false when it reaches rows to which
   * that cannot be applied: see above. Nothing of it waits or fails.
   */
  apply(ops: readonly RowOp[], versions: ReadonlyMap<string, number>, starting: Starting): boolean {
    for (const [stream, version] of versions) this.#versions.set(stream, version)
    for (const op of ops) {
      const { table } = op
      const rows = this.#rowsOf(table)
      if (isBulk(op)) {
        this.changed.push({ table, scope: null })
        for (const id of this.#mayHold(op)) {
          const row = rows.get(id)?.row ?? null
          const after = rowAfter(row, op, table, id)
          if (after !== row) this.#put(table, id, row, after)
        }
        continue
      }
      const id = idOf(op)
      const changed = rows.get(id)
      const now = (changed ? changed.row : starting.rows.get(rowKey(table, id))) ?? null
      if (now || op.op === 'put') this.#put(table, id, now, rowAfter(now, op, table, id))
      else if (!starting.areAll) this.changed.push({ table, scope: null })
    }
    return starting.areAll && !ops.some(isBulk)
  }

  /** The row that is answered with, once the changes are applied that start so. */
  rowAfter({ table, id }: RowName, { rows }: Starting): Row | null {
    const changed = this.#rowsOf(table).get(id)
    return changed ? changed.row : (rows.get(rowKey(table, id)) ?? null)
  }

  #put(table: TableSpec, id: string, now: Row | null, row: Row | null): void {
    const rows = this.#tables.get(table.name) ?? new Map<string, ChangedRow>()
    this.#tables.set(table.name, rows)
    const known = rows.get(id)
    rows.set(id, { table, id, before: known ? known.before : now, row })
    for (const one of [now, row]) if (one) this.changed.push({ table, scope: scopeOf(table, one) })
    if (row) for (const [column, holders] of this.#holders.get(table.name) ?? []) note(holders, row, column)
    for (const one of this.#orders)
      if (one.sequence.tables.some(({ name }) => name === table.name)) takeOn(one, now, row)
  }

  /** The changed rows that a bulk change may reach. A command may bring as many such changes as it changes rows: each looks at few. */
  #mayHold(op: BulkOp): ReadonlySet<string> {
    const known = this.#holders.get(op.table.name) ?? new Map<string, Holders>()
    this.#holders.set(op.table.name, known)
    const ids = searchedColumns(op).flatMap((column) => {
      const holders: Holders = known.get(column) ?? new Map()
      if (!known.has(column)) for (const { row } of this.#rowsOf(op.table).values()) if (row) note(holders, row, column)
      known.set(column, holders)
      return [...(holders.get(op.value) ?? [])]
    })
    return new Set(ids)
  }

  #rowsOf(table: TableSpec): Rows {
    return this.#tables.get(table.name) ?? NOTHING
  }
}

function note(holders: Holders, row: Row, column: string): void {
  const value = columnOf(row, column)
  holders.set(value, (holders.get(value) ?? new Set()).add(row.id))
}

/** Takes in that a row of the sequence is another, has come or is gone. */
function takeOn(held: ContainerOrders, before: Row | null, row: Row | null): void {
  const orderOf = (one: Row | null) =>
    one && ordered(one).container === held.container ? ordered(one).sortOrder : null
  const [was, is] = [orderOf(before), orderOf(row)]
  if (!held.orders || was === is) return
  const isCertain = (was === null || withoutOrder(held.orders, was)) && (is === null || withOrder(held.orders, is))
  if (!isCertain) held.orders = null
}

/** The group of rows that this one is listed with. */
export function scopeOf(table: TableSpec, row: Row): string {
  return String(columnOf(row, table.scope))
}

function rowKey({ name }: TableSpec, id: string): string {
  return `${name}/${id}`
}
