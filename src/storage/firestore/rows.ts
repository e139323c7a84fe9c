import { idOf, type RowChange } from '../rowOps.js'
import type { Columns, Row, TableSpec, Value } from '../storage.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { documentId, rowId, rowsCollection } from './layout.js'
import {
  INLINE_BYTES_MAX,
  type KnownParts,
  NO_PARTS,
  type PartIds,
  partsOf,
  textsFromParts,
  withoutParts
} from './parts.js'
import type { ResolvedChange } from './rowChanges.js'
import { decode, encode, encodeTexts, type Fields, indexable, mapOf, textOf, textsOf } from './values.js'
import type { Document, QueryResult, Write } from './wire.js'

// A row is a document: a field for each column. Names that are too long for an index stand in `whole`, and their field has
// what the index can hold; texts that are too long for the document are named in `parts`.
export const WHOLE = 'whole'
export const PARTS = 'parts'

/** What some columns of a row become in its document. */
interface EncodedColumns {
  readonly fields: Fields
  /** Every field that these columns decide about, those that must be gone among them. */
  readonly mask: string[]
  readonly parts: PartIds
  /** The parts themselves. */
  readonly writes: readonly Write[]
}

/** The name of the document of a row. */
export function rowName(parent: string, table: Pick<TableSpec, 'name'>, id: string): string {
  return `${parent}/${rowsCollection(table)}/${documentId(id)}`
}

/** Every column of a table's rows but the id, which is the document's. */
export function columnsOf(table: TableSpec): Columns {
  return { version: 'integer', revision: 'integer', ...table.columns, body: 'text' }
}

/** Columns on their way into the document of a row below `parent`. */
async function encodeColumns(
  parent: string,
  table: TableSpec,
  values: Readonly<Partial<Record<string, Value>>>
): Promise<EncodedColumns> {
  const columns = columnsOf(table)
  const texts = Object.values(columns).filter((kind) => kind.startsWith('text')).length
  const fields: Fields = {}
  const mask: string[] = []
  const parts = new Map<string, readonly string[]>()
  const whole: Fields = {}
  const writes: Write[] = []
  for (const [column, value = null] of Object.entries(values)) {
    const kind = columns[column]
    if (!kind) continue
    mask.push(column)
    if (kind === 'name') {
      mask.push(`${WHOLE}.${column}`)
      fields[column] = encode(indexable(value))
      if (indexable(value) !== value) whole[column] = encode(value)
    } else if (kind.startsWith('text')) {
      mask.push(`${PARTS}.${column}`)
      if (typeof value === 'string' && Buffer.byteLength(value) > INLINE_BYTES_MAX / texts) {
        const made = await partsOf(parent, value)
        parts.set(column, made.ids)
        writes.push(...made.writes)
      } else {
        fields[column] = encode(value)
      }
    } else {
      fields[column] = encode(value)
    }
  }
  if (Object.keys(whole).length > 0) fields[WHOLE] = { mapValue: { fields: whole } }
  if (parts.size > 0) {
    const named = [...parts].map(([column, ids]) => [column, encodeTexts(ids)] as const)
    fields[PARTS] = { mapValue: { fields: Object.fromEntries(named) } }
  }
  return { fields, mask, parts, writes }
}

/** The fields to ask for where the body is not wanted. */
export function fieldsWithoutBody(table: TableSpec): readonly string[] {
  const columns = Object.keys(columnsOf(table)).filter((column) => column !== 'body')
  return [...columns, WHOLE, PARTS]
}

/** Which columns of a row are in parts. */
export function partIdsOf({ fields }: Document): PartIds {
  const named = Object.entries(mapOf(fields[PARTS]))
  return named.length === 0 ? NO_PARTS : new Map(named.map(([column, ids]) => [column, textsOf(ids)]))
}

/** The rows in an answer, in its order, with what of them is in parts. `body` is empty where it was not asked for. */
export async function rowsOf<C extends Columns>(
  client: Client,
  parent: string,
  table: TableSpec<C>,
  { documents, readTime }: QueryResult,
  withBody: boolean
): Promise<readonly Row<C>[]> {
  const columns = Object.entries(columnsOf(table)).filter(([column]) => withBody || column !== 'body')
  const wanted: { readonly row: Record<string, Value>; readonly column: string; readonly ids: readonly string[] }[] = []
  const rows = documents.map((document) => {
    const row: Record<string, Value> = { id: rowId(document.name) }
    const whole = mapOf(document.fields[WHOLE])
    const parts = partIdsOf(document)
    for (const [column, kind] of columns) {
      const ids = parts.get(column)
      if (ids) wanted.push({ row, column, ids })
      row[column] = textOf(whole[column]) ?? decode(kind, document.fields[column])
    }
    row.body ??= ''
    // Each column was decoded to the type of its kind, and every column of the table is there.
    return row as Row<C>
  })
  if (wanted.length === 0) return rows
  const texts = await textsFromParts(
    client,
    parent,
    wanted.map(({ ids }) => ids),
    readTime
  )
  for (const [i, { row, column }] of wanted.entries()) row[column] = texts[i] ?? ''
  return rows
}

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
  changes: readonly ResolvedChange[],
  known: KnownParts
): Promise<readonly RowWrites[]> {
  return Promise.all(changes.map(({ change }) => rowWritesOf(parent, change, known)))
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

/** What is left of these writes without the patches of rows that are not there. */
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
