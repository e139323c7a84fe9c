import { slices } from '../../limits.js'
import { idOf, isBulk, joined, namedChange, type RowChange, searchedColumns, valueSet } from '../rowOps.js'
import type { RowOp, TableSpec, Value } from '../storage.js'
import type { Document } from './client.js'
import { rowId, rowsCollection } from './layout.js'
import { PARTS_FIELD, partIdsOf, type RowPlace } from './parts.js'
import { columnsOf } from './rows.js'
import { decode, indexable } from './values.js'

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
  const columns = new Map<string, { table: TableSpec; column: string; values: Set<Value> }>()
  for (const op of ops) {
    if (!isBulk(op)) continue
    for (const column of searchedColumns(op)) {
      const key = `${op.table.name}/${column}`
      const asked = columns.get(key) ?? { table: op.table, column, values: new Set() }
      if (op.value !== null) asked.values.add(op.value)
      columns.set(key, asked)
    }
  }
  const found = new Map<string, Set<string>>()
  const look = async ({ table, column, values }: { table: TableSpec; column: string; values: Set<Value> }) => {
    for (const document of await rowsWith(place, table, column, [...values])) {
      place.known.note(document.path, partIdsOf(document))
      const key = keyOf(table, column, heldIn(table, column, document))
      found.set(key, (found.get(key) ?? new Set()).add(rowId(document.path)))
    }
  }
  await Promise.all([...columns.values()].map(look))
  return (table, column, value) => found.get(keyOf(table, column, indexable(value))) ?? new Set()
}

/** The unique key that two rows would share after these changes, in words; null where all keys stay unique. */
async function clashOf(place: RowPlace, changes: readonly ResolvedChange[]): Promise<string | null> {
  const tables = new Map(changes.map(({ change: { table } }) => [table.name, table]))
  for (const table of tables.values()) {
    for (const { by, unique } of Object.values(table.indexes)) {
      const [column] = by
      if (!unique || column === undefined) continue
      if (await isShared(place, table, column, changes)) return `Two rows of ${table.name} have the same ${column}.`
    }
  }
  return null
}

async function isShared(
  place: RowPlace,
  table: TableSpec,
  column: string,
  changes: readonly ResolvedChange[]
): Promise<boolean> {
  const own = new Map(
    changes.flatMap(({ change }) => (change.table.name === table.name ? [[idOf(change), change] as const] : []))
  )
  const owners = new Map<Value, string>()
  for (const [id, change] of own) {
    const value = valueSet(change, column)
    if (value === undefined || value === null) continue
    if (owners.has(indexable(value))) return true
    owners.set(indexable(value), id)
  }
  if (owners.size === 0) return false
  const holders = await rowsWith(place, table, column, [...owners.keys()])
  return holders.some((document) => {
    const id = rowId(document.path)
    const change = own.get(id)
    const keeps = !change || (change.op === 'patch' && valueSet(change, column) === undefined)
    return keeps && owners.get(heldIn(table, column, document)) !== id
  })
}

/** What a row holds in a column, as the index has it. */
function heldIn(table: TableSpec, column: string, { fields }: Document): Value {
  return decode(columnsOf(table)[column] ?? 'text?', fields[column])
}

function keyOf(table: TableSpec, column: string, value: Value): string {
  return JSON.stringify([table.name, column, value])
}

/** The rows that hold one of the values in a column: their paths, the column and their parts. */
async function rowsWith(
  { client, parent }: RowPlace,
  table: TableSpec,
  column: string,
  values: readonly Value[]
): Promise<readonly Document[]> {
  const asked = [...slices(values, VALUES_MAX)].map((some) =>
    client.query((store) =>
      store
        .collection(`${parent}/${rowsCollection(table)}`)
        .where(column, 'in', some.map(indexable))
        .select(column, PARTS_FIELD)
    )
  )
  return (await Promise.all(asked)).flatMap(({ documents }) => documents)
}
