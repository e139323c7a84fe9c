import { grouped } from '../lib/grouped.js'
import { giveWay } from '../lib/turns.js'
import { compareValues } from '../storage/order.js'
import type { PagedReads, ReadStore, Row, TableSpec } from '../storage/storage.js'
import { columnsOf } from './manyRows.js'

/** Columns of tables whose rows stand in an order in a container. */
export type OrderedColumns = {
  readonly container: 'id'
  readonly sortOrder: 'integer'
  readonly sortKey: 'name'
}
export type OrderedRow = Pick<Row<OrderedColumns>, 'id' | 'container' | 'sortOrder' | 'sortKey'>

/** A row of a table of a sequence, which has these columns. */
export function ordered(row: Row): OrderedRow {
  return row as Row & OrderedRow
}

/** Tables whose rows share one order in each container. Of equal orders, a row of an earlier table stands first. */
export interface SequenceSpec {
  readonly name: string
  readonly tables: readonly TableSpec<OrderedColumns>[]
  /** The index that lists a scope of each table: all containers that are counted together. */
  readonly index: string
  /** The index that lists a container of each table in its order. */
  readonly containerIndex: string
}

/** What decisions read: rows, and the orders in a container where they are known. */
export interface OrderedReads extends ReadStore {
  /**
   * The orders in a container of a scope, ascending; null where two rows share one, and for a small container where those of the scope
   * are too many to be read for this: lists of rows tell then.
   */
  ordersIn(sequence: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null>
  /** The same without reading many rows: null for large containers too where they are not known. */
  knownOrdersIn(sequence: SequenceSpec, scope: string, container: string): Promise<readonly number[] | null>
}

/** One of several rows of the same order: which of them stands first is up to its table, its key and its id. */
type Tied = Pick<OrderedRow, 'id' | 'sortKey'> & { readonly table: number }

/** The rows of one container: the order of each, ascending, and by order the rows that share it. */
interface Container {
  readonly orders: number[]
  readonly ties: ReadonlyMap<number, readonly Tied[]>
}

const ORDER_BYTES = 8
const CONTAINER_BYTES = 300
const TIE_BYTES = 500

/**
 * The place of every row of one scope among the rows of its container, counted from 0, as the rows were when they were read, and
 * as `moved` has taken them on. It holds numbers and no rows, so that those of a large scope are small.
 */
export class Places {
  readonly #tables: readonly string[]
  readonly #sizes: number[]
  readonly #containers = new Map<string, Container>()
  #bytes = 0

  /** Of the rows of a scope, in any order, given for each table of the sequence. */
  constructor({ tables }: Pick<SequenceSpec, 'tables'>, rows: readonly (readonly OrderedRow[])[]) {
    this.#tables = tables.map(({ name }) => name)
    this.#sizes = rows.map(({ length }) => length)
    const all = rows.flatMap((those, table) =>
      those.map(({ id, container, sortOrder, sortKey }) => ({ id, container, sortOrder, sortKey, table }))
    )
    for (const [name, held] of grouped(all, ({ container }) => container)) {
      const container = containerOf(held)
      this.#containers.set(name, container)
      this.#bytes += CONTAINER_BYTES + ORDER_BYTES * held.length + TIE_BYTES * container.ties.size
    }
  }

  /** Reads those of a scope. */
  static async read(spec: SequenceSpec, scope: string, read: PagedReads): Promise<Places> {
    const rows = await Promise.all(spec.tables.map((table) => columnsOf(read, table, spec.index, [scope])))
    await giveWay()
    return new Places(spec, rows)
  }

  /** About how much memory they take. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many rows stand before this one. A row that is not among them has the place that it would take. */
  placeOf({ name }: TableSpec, { id, container, sortOrder, sortKey }: OrderedRow): number {
    const { orders, ties } = this.#in(container)
    const row = { id, sortKey, table: this.#tables.indexOf(name) }
    const equals = ties.get(sortOrder)?.filter((one) => compareTied(one, row) < 0) ?? []
    return firstFrom(orders, sortOrder) + equals.length
  }

  /**
   * Takes in that a row has come, gone or moved; null is what is not in the scope. False where rows share an order, or the change is
   * in already: these places are of no use then.
   */
  moved({ name }: TableSpec, before: OrderedRow | null, after: OrderedRow | null): boolean {
    const table = this.#tables.indexOf(name)
    const size = this.#sizes[table] ?? 0
    const more = (after ? 1 : 0) - (before ? 1 : 0)
    this.#sizes[table] = size + more
    this.#bytes += ORDER_BYTES * more
    if (before && (this.isShared(before) || !withoutOrder(this.#in(before.container).orders, before.sortOrder)))
      return false
    return !after || withOrder(this.#in(after.container).orders, after.sortOrder)
  }

  /** The orders in a container, ascending; null where two rows share one. */
  ordersIn(container: string): readonly number[] | null {
    const { orders, ties } = this.#in(container)
    return ties.size > 0 ? null : orders
  }

  /** True where rows share this order, so that their keys decide. */
  isShared({ container, sortOrder }: OrderedRow): boolean {
    return this.#containers.get(container)?.ties.has(sortOrder) ?? false
  }

  /** Rows of a table with their places, as lists have them: by place, then by key and id. */
  inOrder<R extends Row>(table: TableSpec, rows: readonly R[]): readonly { readonly row: R; readonly place: number }[] {
    const placed = rows.map((row) => ({ row, place: this.placeOf(table, ordered(row)) }))
    // The rows of a single container come in this order.
    if (placed.every(({ place }, i) => i === 0 || place > (placed[i - 1]?.place ?? 0))) return placed
    const key = (row: R): Tied => ({ id: row.id, sortKey: ordered(row).sortKey, table: 0 })
    return placed.sort((a, b) => a.place - b.place || compareTied(key(a.row), key(b.row)))
  }

  /** True when these are the rows of a table that are counted, as far as their orders tell. */
  counts({ name }: TableSpec, rows: readonly Row[]): boolean {
    return this.#sizes[this.#tables.indexOf(name)] === rows.length && rows.every((row) => this.#isHeld(ordered(row)))
  }

  #isHeld({ container, sortOrder }: OrderedRow): boolean {
    const { orders } = this.#in(container)
    return orders[firstFrom(orders, sortOrder)] === sortOrder
  }

  #in(container: string): Container {
    const known = this.#containers.get(container)
    if (known) return known
    const empty = { orders: [], ties: new Map() }
    this.#containers.set(container, empty)
    this.#bytes += CONTAINER_BYTES
    return empty
  }
}

function containerOf(rows: readonly (OrderedRow & Tied)[]): Container {
  const orders = rows.map(({ sortOrder }) => sortOrder).sort((a, b) => a - b)
  const shared = new Set(orders.filter((order, i) => order === orders[i - 1]))
  const tied = rows.filter(({ sortOrder }) => shared.has(sortOrder))
  return { orders, ties: grouped(tied, ({ sortOrder }) => sortOrder) }
}

/** How many rows stand before this one in its container, counted by the database. */
export async function countedPlace(
  { tables, containerIndex }: SequenceSpec,
  table: TableSpec,
  { id, container, sortOrder, sortKey }: OrderedRow,
  read: Pick<ReadStore, 'count'>
): Promise<number> {
  const own = tables.findIndex(({ name }) => name === table.name)
  const counts = tables.map((one, i) => {
    // Of equal orders those of an earlier table stand first.
    const before = i < own ? [sortOrder + 1] : i > own ? [sortOrder] : [sortOrder, sortKey, id]
    return read.count(one, containerIndex, [container], before)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

function compareTied(a: Tied, b: Tied): number {
  return a.table - b.table || compareValues(a.sortKey, b.sortKey) || compareValues(a.id, b.id)
}

/** Takes an order out of ascending ones; false where it is not among them. */
export function withoutOrder(orders: number[], order: number): boolean {
  const at = firstFrom(orders, order)
  if (orders[at] !== order) return false
  orders.splice(at, 1)
  return true
}

/** Puts an order among ascending ones; false where one is there already: which of the two rows stands first is not known then. */
export function withOrder(orders: number[], order: number): boolean {
  const at = firstFrom(orders, order)
  if (orders[at] === order) return false
  orders.splice(at, 0, order)
  return true
}

/** Where in ascending numbers the first stands that is not below `value`. */
function firstFrom(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}
