import { giveWay } from '../lib/turns.js'
import { slices } from '../limits.js'
import { compareValues } from '../storage/order.js'
import type { Outline, PagedReads, ReadStore, Row, TableSpec } from '../storage/storage.js'

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

/** One of several rows of the same order: which of them stands first is up to its table, its key and its id. */
type Tied = Pick<OrderedRow, 'id' | 'sortKey'> & { readonly table: number }

/** The rows of one container: the order of each, ascending, and by order the rows that share it. */
interface Container {
  readonly orders: readonly number[]
  readonly ties: ReadonlyMap<number, readonly Tied[]>
}
const EMPTY: Container = { orders: [], ties: new Map() }

type Columned = Pick<PagedReads, 'list' | 'outline' | 'getAll'>
/** Rows of one table of a sequence: all of a scope. */
interface RowsOfTable {
  readonly table: TableSpec
  readonly rows: readonly Row[]
}

/** So many rows are read in one go; more are read in parts, since a database in the process answers in one turn. */
const WHOLE_ROWS = 1000
const PART_ROWS = 500
const ORDER_BYTES = 8
const CONTAINER_BYTES = 300
const TIE_BYTES = 500

/**
 * The place of every row of one scope among the rows of its container, counted from 0, as the rows were when they were read. It
 * holds numbers and no rows, so that those of a large scope are small.
 */
export class Places {
  readonly #tables: readonly string[]
  readonly #containers = new Map<string, Container>()

  /** Of the rows of a scope, in any order, given for each table of the sequence. */
  constructor({ tables }: Pick<SequenceSpec, 'tables'>, rows: readonly (readonly OrderedRow[])[]) {
    this.#tables = tables.map(({ name }) => name)
    const byContainer = new Map<string, (OrderedRow & Tied)[]>()
    for (const [table, those] of rows.entries()) {
      for (const { id, container, sortOrder, sortKey } of those) {
        const held = byContainer.get(container) ?? []
        byContainer.set(container, held)
        held.push({ id, container, sortOrder, sortKey, table })
      }
    }
    for (const [container, held] of byContainer) this.#containers.set(container, containerOf(held))
  }

  /** Reads those of a scope; the rows of a table that are read already are not read again. */
  static async read(spec: SequenceSpec, scope: string, read: Columned, known?: RowsOfTable): Promise<Places> {
    const rowsOf = (table: TableSpec<OrderedColumns>) =>
      known?.table.name === table.name ? known.rows.map(ordered) : columnsOf(read, table, spec.index, scope)
    const rows = await Promise.all(spec.tables.map(rowsOf))
    await giveWay()
    return new Places(spec, rows)
  }

  /** About how much memory they take. */
  get bytes(): number {
    let bytes = 0
    for (const { orders, ties } of this.#containers.values())
      bytes += CONTAINER_BYTES + ORDER_BYTES * orders.length + TIE_BYTES * ties.size
    return bytes
  }

  /** How many rows stand before this one. A row that is not among them has the place that it would take. */
  placeOf({ name }: TableSpec, { id, container, sortOrder, sortKey }: OrderedRow): number {
    const { orders, ties } = this.#containers.get(container) ?? EMPTY
    const row = { id, sortKey, table: this.#tables.indexOf(name) }
    const equals = ties.get(sortOrder)?.filter((one) => compareTied(one, row) < 0) ?? []
    return firstFrom(orders, sortOrder) + equals.length
  }

  /** Rows of a table with their places, as lists have them: by place, then by key and id. */
  inOrder<R extends Row>(table: TableSpec, rows: readonly R[]): readonly { readonly row: R; readonly place: number }[] {
    const placed = rows.map((row) => ({ row, place: this.placeOf(table, ordered(row)) }))
    // The rows of a single container come in this order.
    if (placed.every(({ place }, i) => i === 0 || place > (placed[i - 1]?.place ?? 0))) return placed
    const key = (row: R): Tied => ({ id: row.id, sortKey: ordered(row).sortKey, table: 0 })
    return placed.sort((a, b) => a.place - b.place || compareTied(key(a.row), key(b.row)))
  }
}

function containerOf(rows: readonly (OrderedRow & Tied)[]): Container {
  const orders = rows.map(({ sortOrder }) => sortOrder).sort((a, b) => a - b)
  const shared = new Set(orders.filter((order, i) => order === orders[i - 1]))
  const ties = new Map<number, Tied[]>()
  for (const { id, sortKey, table, sortOrder } of rows) {
    if (!shared.has(sortOrder)) continue
    const equals = ties.get(sortOrder) ?? []
    ties.set(sortOrder, equals)
    equals.push({ id, sortKey, table })
  }
  return { orders, ties }
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

/** The rows of a scope without their bodies, in parts where they are many. */
export async function columnsOf<T extends TableSpec>(
  read: Columned,
  table: T,
  index: string,
  scope: string
): Promise<readonly Row<T['columns']>[]> {
  const few = await read.list<T['columns']>(table, index, [scope], { body: false, limit: WHOLE_ROWS + 1 })
  if (few.length <= WHOLE_ROWS) return few
  return outlinedColumns(read, table, await read.outline(table, index, [scope]))
}

/** The rows of an outline without their bodies, in parts. Others have their turn in between. */
export async function outlinedColumns<T extends TableSpec>(
  read: Pick<PagedReads, 'getAll'>,
  table: T,
  outline: readonly Outline[]
): Promise<readonly Row<T['columns']>[]> {
  const rows: Row<T['columns']>[] = []
  for (const some of slices(outline, PART_ROWS)) {
    const ids = some.map(({ id }) => id)
    rows.push(...(await read.getAll<T['columns']>(table, ids, { body: false })))
    await giveWay()
  }
  return rows
}

function compareTied(a: Tied, b: Tied): number {
  return a.table - b.table || compareValues(a.sortKey, b.sortKey) || compareValues(a.id, b.id)
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
