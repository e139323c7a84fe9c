import type { RowOp, TableSpec, Value } from '../storage.js'
import { type Change, type Holders, valueAfter } from './changes.js'
import type { Client } from './client.js'
import type { KnownParts } from './knownParts.js'
import { rowId, rowsCollection } from './layout.js'
import { columnsOf, PARTS, partIdsOf } from './rows.js'
import { decode, indexable } from './values.js'
import type { Document } from './wire.js'

// Firestore changes documents by name and knows no unique keys, so some commits ask before they write. No other commit
// can come between: the one that is being made fails unless the log still ends where it did, so what was read is what
// the commit changes.

/** How many values one question can name. */
const VALUES_MAX = 30

/** Looks up the rows that `deleteWhere` and `clear` are about: one round trip for all of them, none where there are none. */
export async function lookUpHolders(
  client: Client,
  parent: string,
  ops: readonly RowOp[],
  known: KnownParts
): Promise<Holders> {
  const columns = new Map<string, { table: TableSpec; column: string; values: Set<Value> }>()
  for (const op of ops) {
    if (op.op !== 'deleteWhere' && op.op !== 'clear') continue
    for (const column of op.op === 'clear' ? op.columns : [op.column]) {
      const key = `${op.table.name}/${column}`
      const asked = columns.get(key) ?? { table: op.table, column, values: new Set() }
      if (op.value !== null) asked.values.add(op.value)
      columns.set(key, asked)
    }
  }
  const found = new Map<string, Set<string>>()
  const look = async ({ table, column, values }: { table: TableSpec; column: string; values: Set<Value> }) => {
    for (const document of await rowsWith(client, parent, table, column, [...values])) {
      known.note(document.name, partIdsOf(document))
      const key = keyOf(table, column, heldIn(table, column, document))
      found.set(key, (found.get(key) ?? new Set()).add(rowId(document.name)))
    }
  }
  await Promise.all([...columns.values()].map(look))
  return (table, column, value) => found.get(keyOf(table, column, indexable(value))) ?? new Set()
}

/** The unique key that two rows would share after these changes, in words; null where all keys stay unique. */
export async function clashOf(client: Client, parent: string, changes: readonly Change[]): Promise<string | null> {
  const keys = new Map<string, { readonly table: TableSpec; readonly column: string }>()
  for (const { table } of changes) {
    for (const [name, { by, unique }] of Object.entries(table.indexes)) {
      const [column] = by
      if (unique && column !== undefined) keys.set(`${table.name}/${name}`, { table, column })
    }
  }
  const shared = await Promise.all(
    [...keys.values()].map(async ({ table, column }) =>
      (await isShared(client, parent, table, column, changes))
        ? `Two rows of ${table.name} have the same ${column}.`
        : null
    )
  )
  return shared.find((one) => one !== null) ?? null
}

async function isShared(
  client: Client,
  parent: string,
  table: TableSpec,
  column: string,
  changes: readonly Change[]
): Promise<boolean> {
  const own = new Map(changes.filter((change) => change.table.name === table.name).map((one) => [one.id, one]))
  const owners = new Map<Value, string>()
  for (const [id, change] of own) {
    const value = valueAfter(change, column)
    if (value === undefined || value === null) continue
    if (owners.has(indexable(value))) return true
    owners.set(indexable(value), id)
  }
  if (owners.size === 0) return false
  const holders = await rowsWith(client, parent, table, column, [...owners.keys()])
  return holders.some((document) => {
    const id = rowId(document.name)
    const change = own.get(id)
    const keeps = !change || (change.kind === 'patch' && valueAfter(change, column) === undefined)
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

/** The rows that hold one of the values in a column: their names, the column and their parts. */
async function rowsWith(client: Client, parent: string, table: TableSpec, column: string, values: readonly Value[]) {
  const documents: Document[] = []
  const ask = async (isIn: readonly Value[]) => {
    const collection = rowsCollection(table)
    const answer = await client.query(parent, {
      collection,
      where: [{ field: column, isIn }],
      fields: [column, PARTS]
    })
    documents.push(...answer.documents)
  }
  const asked: Promise<void>[] = []
  for (let i = 0; i < values.length; i += VALUES_MAX) asked.push(ask(values.slice(i, i + VALUES_MAX).map(indexable)))
  await Promise.all(asked)
  return documents
}
