import { idOf, type RowChange } from '../rowOps.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import type { KnownParts } from './knownParts.js'
import { NO_PARTS, type PartIds, withoutParts } from './parts.js'
import { encodeColumns, rowName } from './rows.js'
import type { Write } from './writes.js'

/** What one change of a row writes, and which parts the row has then. */
export interface RowWrites {
  readonly name: string
  readonly parts: PartIds
  /** The change of the row's own document comes first. */
  readonly writes: readonly [Write, ...Write[]]
}

/** What changes of rows below `parent` write. Parts that they replace go, as far as they are known. */
export function rowWrites(
  parent: string,
  changes: readonly RowChange[],
  known: KnownParts
): Promise<readonly RowWrites[]> {
  return Promise.all(changes.map((change) => rowWritesOf(parent, change, known)))
}

async function rowWritesOf(parent: string, change: RowChange, known: KnownParts): Promise<RowWrites> {
  const { table } = change
  const name = rowName(parent, table, idOf(change))
  const old = known.of(name)
  if (change.op === 'delete') {
    return { name, parts: NO_PARTS, writes: [{ remove: name }, ...withoutParts(parent, [...old.values()].flat())] }
  }
  const { id: _, ...columns } = change.op === 'put' ? change.row : { id: change.id, ...change.set }
  const { fields, mask, parts, writes } = await encodeColumns(parent, table, columns)
  const isPatch = change.op === 'patch'
  const kept = [...old].filter(([column]) => isPatch && !(column in columns))
  const gone = [...old].filter(([column]) => !isPatch || column in columns).flatMap(([, ids]) => ids)
  // A patch of no row makes none: it is refused, and `present` finds out.
  const own: Write = isPatch ? { set: name, fields, mask, only: { exists: true } } : { set: name, fields }
  return { name, parts: new Map([...kept, ...parts]), writes: [own, ...writes, ...withoutParts(parent, gone)] }
}

/** The same without the patches of rows that are not there. */
export async function present(client: Client, rows: readonly RowWrites[]): Promise<readonly RowWrites[]> {
  const patched = rows.flatMap(({ name, writes: [own] }) => (own.only ? [name] : []))
  if (patched.length === 0) return rows
  const { documents } = await client.get(patched)
  const there = new Set(documents.map(({ name }) => name))
  return rows.filter(({ name, writes: [own] }) => !own.only || there.has(name))
}

/** True for a refusal that a patch of a row which is not there explains. */
export function mayMissRow(error: unknown): boolean {
  return error instanceof Refused && error.why === 'missing'
}

/** Notes what rows have in parts once they are written. */
export function noteParts(known: KnownParts, rows: readonly RowWrites[]): void {
  for (const { name, parts } of rows) known.note(name, parts)
}
