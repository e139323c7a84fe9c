import { slices } from '../limits.js'
import { compareValues } from '../storage/order.js'
import type { Outline, PagedReads, ReadStore, Row, TableSpec } from '../storage/storage.js'
import { giveWay } from '../turns.js'

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

/** What decisions read: rows, and where an order ends. */
export interface OrderedReads extends ReadStore {
  /** The highest order in a container, which is of this scope; null where nothing is in it. */
  lastOrder(sequence: SequenceSpec, scope: string, container: string): Promise<number | null>
  /**
   * The orders of the other rows in a container of a row's scope, ascending; null where two rows share one, be it the row itself, and
   * where the sequence of the scope is too large to be read for this: lists of rows tell then.
   */
  ordersBeside(sequence: SequenceSpec, table: TableSpec, row: Row, container: string): Promise<readonly number[] | null>
}

/** A row before and after some changes; null where it is not in the scope. */
export interface RowChange {
  readonly table: TableSpec
  readonly before: OrderedRow | null
  readonly after: OrderedRow | null
}

/** A row through some changes: every state that is known of it, and the last, null where it is gone. */
export interface RowStates {
  readonly table: TableSpec
  readonly states: readonly OrderedRow[]
  readonly last: OrderedRow | null
}

/** One row of equals: which of them stands first is up to its key and its id. */
type Tied = Pick<OrderedRow, 'id' | 'sortKey'>

/** The rows of one table in one container, ascending: the order of each, and beside it a number made of its id. */
interface Group {
  readonly orders: number[]
  readonly marks: number[]
  /** By order, the rows that share it. */
  readonly ties: Map<number, readonly Tied[]>
}

/** So many rows are read in one go; more are read in parts, since a database in the process answers in one turn. */
const WHOLE_ROWS = 1000
const PART_ROWS = 500
const ENTRY_BYTES = 24
const GROUP_BYTES = 400
const TIE_BYTES = 500

/**
 * The place of every row of one scope among the rows of its container, counted from 0. It holds numbers and no rows, so that
 * the one of a large scope is small.
 */
export class Sequence {
  readonly #tables: readonly string[]
  readonly #containers = new Map<string, readonly Group[]>()
  #entries = 0
  #ties = 0

  constructor({ tables }: Pick<SequenceSpec, 'tables'>) {
    this.#tables = tables.map(({ name }) => name)
  }

  /** The sequence of all rows of a scope, in any order, given for each table of the spec. */
  static of(spec: SequenceSpec, rows: readonly (readonly OrderedRow[])[]): Sequence {
    const sequence = new Sequence(spec)
    for (const [i, { name }] of spec.tables.entries()) sequence.#fill(name, rows[i] ?? [])
    return sequence
  }

  /** Reads the sequence of a scope. */
  static async load(spec: SequenceSpec, scope: string, read: PagedReads): Promise<Sequence> {
    const rows = await Promise.all(spec.tables.map((table) => columnsOf(read, table, spec.index, scope)))
    await giveWay()
    return Sequence.of(spec, rows)
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const groups = this.#containers.size * this.#tables.length
    return ENTRY_BYTES * this.#entries + GROUP_BYTES * groups + TIE_BYTES * this.#ties
  }

  /** How many rows stand before this one. A row that is not among them has the place that it would take. */
  placeOf({ name }: TableSpec, row: OrderedRow): number {
    const own = this.#tables.indexOf(name)
    let place = 0
    let i = 0
    for (const { orders, ties } of this.#containers.get(row.container) ?? []) {
      place += i < own ? firstAbove(orders, row.sortOrder) : firstFrom(orders, row.sortOrder)
      const equals = i++ === own && ties.size > 0 ? ties.get(row.sortOrder) : undefined
      if (equals) place += equals.filter((one) => one.id !== row.id && compareTied(one, row) < 0).length
    }
    return place
  }

  /** Rows of a table with their places, as lists have them: by place, then by key and id. */
  inOrder<R extends Row>(table: TableSpec, rows: readonly R[]): readonly { readonly row: R; readonly place: number }[] {
    const placed = rows.map((row) => ({ row, place: this.placeOf(table, ordered(row)) }))
    // The rows of a single container come in this order.
    if (placed.every(({ place }, i) => i === 0 || place > (placed[i - 1]?.place ?? 0))) return placed
    return placed.sort((a, b) => a.place - b.place || compareTied(ordered(a.row), ordered(b.row)))
  }

  /**
   * The place of a row once these changes are made, whether the sequence has some of them already or none; null where another
   * row shares its order of which too little is known.
   */
  placeAfter(table: TableSpec, row: OrderedRow, changed: readonly RowStates[]): number | null {
    const equals = this.#groupOf(table, row.container)?.ties.get(row.sortOrder)
    if (!equals && this.#isHeld(table, row) && !this.#has(table, row)) return null
    let place = this.placeOf(table, row)
    for (const { table: other, states, last } of changed) {
      const counted = states.find((state) => state.container === row.container && this.#has(other, state))
      if (counted && this.#isCounted(other, counted, table, row)) place--
      if (last?.container === row.container && this.#isBefore(other, last, table, row)) place++
    }
    return place
  }

  /**
   * The highest order in a container once these changes are made, whether the sequence has some of them already or none; null
   * where nothing is in it then.
   */
  lastAfter(container: string, changed: readonly RowStates[]): number | null {
    let highest = Number.NEGATIVE_INFINITY
    for (const { last } of changed) if (last?.container === container) highest = Math.max(highest, last.sortOrder)
    for (const [i, { orders, marks }] of this.#containers.get(container)?.entries() ?? []) {
      const states = changed.flatMap(({ table, states }) => (table.name === this.#tables[i] ? states : []))
      const isChanged = (at: number) =>
        states.some(
          (one) => one.container === container && one.sortOrder === orders[at] && markOf(one.id) === marks[at]
        )
      const last = states.length > 0 ? orders.findLast((_, at) => !isChanged(at)) : orders.at(-1)
      if (last !== undefined) highest = Math.max(highest, last)
    }
    return Number.isFinite(highest) ? highest : null
  }

  /**
   * The orders in a container once these changes are made, whether the sequence has some of them already or none, ascending; null
   * where two rows share one.
   */
  ordersAfter(container: string, changed: readonly RowStates[]): readonly number[] | null {
    const all = changed.flatMap(({ last }) => (last?.container === container ? [last.sortOrder] : []))
    for (const [i, group] of this.#containers.get(container)?.entries() ?? []) {
      if (group.ties.size > 0) return null
      const gone = new Set<number>()
      for (const { table, states } of changed) {
        if (table.name !== this.#tables[i]) continue
        for (const state of states) if (state.container === container) gone.add(indexIn(group, state))
      }
      for (const [at, order] of group.orders.entries()) if (!gone.has(at)) all.push(order)
    }
    all.sort((a, b) => a - b)
    return all.every((order, i) => order !== all[i - 1]) ? all : null
  }

  /** True when these are the rows of a table that are counted, as far as their orders tell. */
  counts(table: TableSpec, rows: readonly Row[]): boolean {
    const own = this.#tables.indexOf(table.name)
    let size = 0
    for (const groups of this.#containers.values()) size += groups[own]?.orders.length ?? 0
    return size === rows.length && rows.every((row) => this.#isHeld(table, ordered(row)))
  }

  /** True when a row of the table has this order in this container. */
  #isHeld(table: TableSpec, { container, sortOrder }: OrderedRow): boolean {
    const orders = this.#groupOf(table, container)?.orders ?? []
    return orders[firstFrom(orders, sortOrder)] === sortOrder
  }

  #has(table: TableSpec, row: OrderedRow): boolean {
    const group = this.#groupOf(table, row.container)
    return group !== undefined && indexIn(group, row) >= 0
  }

  /** Those of some changes that may give a row another place. */
  moving(steps: readonly RowChange[]): readonly RowChange[] {
    return steps.filter(({ table, before, after }) => !this.#isSame(table, before, after))
  }

  /**
   * Takes in what a commit moves, see `moving`. False where the outcome is not certain: the commit was counted already, or two
   * rows of a table have come to share an order. The sequence is of no use then.
   */
  apply(moved: readonly RowChange[]): boolean {
    return (
      moved.every(({ table, before }) => before === null || this.#remove(table, before)) &&
      moved.every(({ table, after }) => after === null || this.#add(table, after))
    )
  }

  #isSame(table: TableSpec, before: OrderedRow | null, after: OrderedRow | null): boolean {
    if (before === null || after === null) return before === after
    const isThere = before.container === after.container && before.sortOrder === after.sortOrder
    return (
      isThere && (before.sortKey === after.sortKey || !this.#groupOf(table, after.container)?.ties.has(after.sortOrder))
    )
  }

  #remove(table: TableSpec, row: OrderedRow): boolean {
    const group = this.#groupOf(table, row.container)
    const at = group ? indexIn(group, row) : -1
    if (!group || at < 0) return false
    group.orders.splice(at, 1)
    group.marks.splice(at, 1)
    this.#entries--
    const tied = group.ties.get(row.sortOrder)?.filter(({ id }) => id !== row.id)
    if (!tied) return true
    if (tied.length > 1) group.ties.set(row.sortOrder, tied)
    else group.ties.delete(row.sortOrder)
    return true
  }

  #add(table: TableSpec, row: OrderedRow): boolean {
    const group = this.#groupFor(table, row.container)
    const at = firstFrom(group.orders, row.sortOrder)
    // Who it shares the order with is not known here.
    if (group.orders[at] === row.sortOrder) return false
    group.orders.splice(at, 0, row.sortOrder)
    group.marks.splice(at, 0, markOf(row.id))
    this.#entries++
    return true
  }

  #fill(table: string, rows: readonly OrderedRow[]): void {
    const byContainer = new Map<string, OrderedRow[]>()
    for (const row of rows) {
      const those = byContainer.get(row.container)
      if (those) those.push(row)
      else byContainer.set(row.container, [row])
    }
    for (const [container, those] of byContainer) {
      const { orders, marks, ties } = this.#groupFor({ name: table }, container)
      those.sort((a, b) => a.sortOrder - b.sortOrder)
      for (const [i, row] of those.entries()) {
        const { id, sortOrder, sortKey } = row
        const before = those[i - 1]
        if (before?.sortOrder === sortOrder) {
          const known = ties.get(sortOrder) ?? [{ id: before.id, sortKey: before.sortKey }]
          ties.set(sortOrder, [...known, { id, sortKey }])
          this.#ties++
        }
        orders.push(sortOrder)
        marks.push(markOf(id))
      }
      this.#entries += those.length
    }
  }

  #groupOf({ name }: Pick<TableSpec, 'name'>, container: string): Group | undefined {
    return this.#containers.get(container)?.[this.#tables.indexOf(name)]
  }

  #groupFor(table: Pick<TableSpec, 'name'>, container: string): Group {
    const known = this.#groupOf(table, container)
    if (known) return known
    const groups = this.#tables.map((): Group => ({ orders: [], marks: [], ties: new Map() }))
    this.#containers.set(container, groups)
    return this.#groupFor(table, container)
  }

  /** True when `placeOf` has counted a row of the sequence as one that stands before another. */
  #isCounted(tableOfA: TableSpec, a: OrderedRow, tableOfB: TableSpec, b: OrderedRow): boolean {
    if (tableOfA.name !== tableOfB.name || a.sortOrder !== b.sortOrder) return this.#isBefore(tableOfA, a, tableOfB, b)
    // Among equals by the key that it has in the sequence.
    const equals = this.#groupOf(tableOfA, a.container)?.ties.get(a.sortOrder)
    return equals?.some((one) => one.id === a.id && one.id !== b.id && compareTied(one, b) < 0) ?? false
  }

  #isBefore(tableOfA: TableSpec, a: OrderedRow, tableOfB: TableSpec, b: OrderedRow): boolean {
    if (a.sortOrder !== b.sortOrder) return a.sortOrder < b.sortOrder
    const byTable = this.#tables.indexOf(tableOfA.name) - this.#tables.indexOf(tableOfB.name)
    return byTable === 0 ? compareTied(a, b) < 0 : byTable < 0
  }
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

/** The highest order in a container, from its last rows; null where nothing is in it. */
export async function lastOrderIn(
  { tables, containerIndex }: SequenceSpec,
  container: string,
  read: Pick<ReadStore, 'list'>
): Promise<number | null> {
  const options = { reverse: true, limit: 1, body: false }
  const last = await Promise.all(tables.map((table) => read.list(table, containerIndex, [container], options)))
  return last.flat().reduce<number | null>((most, row) => Math.max(most ?? row.sortOrder, row.sortOrder), null)
}

/** The rows of a scope without their bodies, in parts where they are many. */
export async function columnsOf<T extends TableSpec>(
  read: Pick<PagedReads, 'list' | 'outline' | 'getAll'>,
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
  return compareValues(a.sortKey, b.sortKey) || compareValues(a.id, b.id)
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

/** Where in ascending integers the first stands that is above `value`. */
function firstAbove(integers: readonly number[], value: number): number {
  return firstFrom(integers, value + 1)
}

function indexIn({ orders, marks }: Group, { id, sortOrder }: OrderedRow): number {
  const first = firstFrom(orders, sortOrder)
  if (orders[first] !== sortOrder) return -1
  const mark = markOf(id)
  for (let i = first; orders[i] === sortOrder; i++) if (marks[i] === mark) return i
  return -1
}

/** A small number that two ids share very seldom. It tells apart rows of one order only. */
function markOf(id: string): number {
  let mark = 0
  for (let i = 0; i < id.length; i++) mark = (mark * 31 + id.charCodeAt(i)) | 0
  return mark
}
