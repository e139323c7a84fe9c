import { slices } from '../../limits.js'
import { idOf, isBulk, joined, namedChange, type RowChange, searchedColumns, valueSet } from '../rowOps.js'
import type { RowOp, TableSpec, Value } from '../storage.js'
import { decode, indexable } from './documents.js'
import { rowId, rowsCollection } from './layout.js'
import { PARTS_FIELD } from './parts.js'
import { columnsOf, type RowPlace } from './rows.js'

// Firestore changes documents by name and knows no unique keys, so some commits ask before they write. No other commit
// can come between: the one that is being made fails unless the log still ends where it did, so what was read is what
// the commit changes.

/** How many values one question can name. */
const VALUES_MAX = 30

/** All that a list of row changes does to one row. */
export interface ResolvedChange {
  readonly change: RowChange
  /** False where bulk changes alone reach the row. */
  readonly isNamed: boolean
}

/** The ids of the stored rows of a table that hold a value in a column. */
export type Holders = (table: TableSpec, column: string, value: Value) => ReadonlySet<string>

/**
 * What row changes, carried out one after another, do to each row: one change a row, in any order. The rows that bulk changes
 * are about were looked up before.
 */
export function resolve(ops: readonly RowOp[], holders: Holders): readonly ResolvedChange[] {
  const tables = new Map<string, Map<string, ResolvedChange>>()
  for (const op of ops) {
    const { table } = op
    const changes = tables.get(table.name) ?? new Map<string, ResolvedChange>()
    tables.set(table.name, changes)
    const add = (change: RowChange, isNamed: boolean) => {
      const known = changes.get(idOf(change))
      changes.set(idOf(change), {
        change: joined(known?.change, change),
        isNamed: isNamed || (known?.isNamed ?? false)
      })
    }
    if (!isBulk(op)) {
      add(op, true)
      continue
    }
    const { value } = op
    if (value === null) continue
    const stored = new Map(searchedColumns(op).map((column) => [column, holders(table, column, value)]))
    /** True where the row holds the value by now: it may be stored so, or have changed meanwhile. */
    const holds = (id: string, column: string) => {
      const change = changes.get(id)?.change
      if (change?.op === 'delete') return false
      const set = change && valueSet(change, column)
      return set === undefined ? (stored.get(column)?.has(id) ?? false) : set === value
    }
    const candidates = new Set([...[...stored.values()].flatMap((ids) => [...ids]), ...changes.keys()])
    for (const id of candidates) {
      const change = namedChange(op, id, (column) => holds(id, column))
      if (change) add(change, false)
    }
  }
  return [...tables.values()].flatMap((changes) => [...changes.values()])
}

/**
 * What row changes do to each row of a place, where those that bulk changes reach are looked up, and the unique key that
 * two rows would then share, in words; null where all keys stay unique.
 */
export async function resolveStored(
  place: RowPlace,
  ops: readonly RowOp[]
): Promise<{ readonly changes: readonly ResolvedChange[]; readonly clash: string | null }> {
  const changes = resolve(ops, await lookUpHolders(place, ops))
  return { changes, clash: await clashOf(place, changes) }
}

/** Looks up the rows that bulk changes are about: one round trip for all of them, none where there are none. */
async function lookUpHolders(place: RowPlace, ops: readonly RowOp[]): Promise<Holders> {
  const asked = new Map<string, { table: TableSpec; column: string; values: Set<Value> }>()
  for (const op of ops.filter(isBulk)) {
    for (const column of searchedColumns(op)) {
      const key = `${op.table.name}/${column}`
      const one = asked.get(key) ?? { table: op.table, column, values: new Set() }
      asked.set(key, one)
      if (op.value !== null) one.values.add(op.value)
    }
  }
  const found = new Map<string, Set<string>>()
  const look = async ({ table, column, values }: { table: TableSpec; column: string; values: Set<Value> }) => {
    for (const [id, held] of await rowsWith(place, table, column, [...values])) {
      const key = keyOf(table, column, held)
      found.set(key, (found.get(key) ?? new Set()).add(id))
    }
  }
  await Promise.all([...asked.values()].map(look))
  return (table, column, value) => found.get(keyOf(table, column, indexable(value))) ?? new Set()
}

/** The unique key that two rows would share after these changes, in words; null where all keys stay unique. */
async function clashOf(place: RowPlace, changes: readonly ResolvedChange[]): Promise<string | null> {
  const tables = new Map(changes.map(({ change: { table } }) => [table.name, table]))
  for (const table of tables.values()) {
    const own = new Map(
      changes.flatMap(({ change }) => (change.table.name === table.name ? [[idOf(change), change] as const] : []))
    )
    for (const { by, unique } of Object.values(table.indexes)) {
      const [column, ...more] = by
      if (!unique || column === undefined) continue
      if (more.length > 0) throw new TypeError(`A unique key of ${table.name} must have one column.`)
      if (await isShared(place, table, column, own)) return `Two rows of ${table.name} have the same ${column}.`
    }
  }
  return null
}

/** True where two rows of a table would have the same in a column after changes of rows, by their ids. */
async function isShared(
  place: RowPlace,
  table: TableSpec,
  column: string,
  changes: ReadonlyMap<string, RowChange>
): Promise<boolean> {
  const owners = new Map<Value, string>()
  for (const [id, change] of changes) {
    const value = valueSet(change, column)
    if (value === undefined || value === null) continue
    if (owners.has(indexable(value))) return true
    owners.set(indexable(value), id)
  }
  const holders = await rowsWith(place, table, column, [...owners.keys()])
  return holders.some(([id, held]) => {
    const change = changes.get(id)
    const keeps = !change || (change.op === 'patch' && valueSet(change, column) === undefined)
    return keeps && owners.get(held) !== id
  })
}

function keyOf(table: TableSpec, column: string, value: Value): string {
  return JSON.stringify([table.name, column, value])
}

/** The ids of the rows that hold one of the values in a column, each with what it holds as the index has it. */
async function rowsWith(
  { client, parent }: RowPlace,
  table: TableSpec,
  column: string,
  values: readonly Value[]
): Promise<readonly (readonly [id: string, held: Value])[]> {
  const kind = columnsOf(table)[column] ?? 'text?'
  const asked = [...slices(values, VALUES_MAX)].map((some) =>
    client.query((store) =>
      store
        .collection(`${parent}/${rowsCollection(table)}`)
        .where(column, 'in', some.map(indexable))
        // Whoever takes a row away has to know its parts.
        .select(column, PARTS_FIELD)
    )
  )
  const documents = (await Promise.all(asked)).flatMap((answer) => answer.documents)
  return documents.map(({ path, fields }) => [rowId(path), decode(kind, fields[column])])
}
