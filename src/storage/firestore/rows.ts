import { idOf, type RowChange } from '../rowOps.js'
import type { Columns, Row, TableSpec, Value } from '../storage.js'
import type { Answer, Client, Document } from './client.js'
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
import { decode, type Fields, indexable, mapOf, textOf, textsOf } from './values.js'
import type { Write } from './writes.js'

// A row is a document: a field for each column. Names that are too long for an index stand in `whole`, and their field has
// what the index can hold; texts that are too long for the document are named in `parts`.
export const WHOLE = 'whole'
export const PARTS = 'parts'

/** What some columns of a row become in its document. */
interface StoredColumns {
  readonly columns: Record<string, Value>
  /** Names that are too long for an index. */
  readonly whole: Record<string, Value>
  readonly parts: Map<string, readonly string[]>
  /** The parts themselves. */
  readonly writes: Write[]
}

/** The path of the document of a row. */
export function rowPath(parent: string, table: Pick<TableSpec, 'name'>, id: string): string {
  return `${parent}/${rowsCollection(table)}/${documentId(id)}`
}

/** Every column of a table's rows but the id, which is the document's. */
export function columnsOf(table: TableSpec): Columns {
  return { version: 'integer', revision: 'integer', ...table.columns, body: 'text' }
}

/** Columns on their way into the document of a row below `parent`. */
async function stored(
  parent: string,
  table: TableSpec,
  values: Readonly<Partial<Record<string, Value>>>
): Promise<StoredColumns> {
  const kinds = columnsOf(table)
  const texts = Object.values(kinds).filter((kind) => kind.startsWith('text')).length
  const found: StoredColumns = { columns: {}, whole: {}, parts: new Map(), writes: [] }
  for (const [column, value = null] of Object.entries(values)) {
    const kind = kinds[column]
    if (!kind) continue
    if (kind.startsWith('text') && typeof value === 'string' && Buffer.byteLength(value) > INLINE_BYTES_MAX / texts) {
      const made = await partsOf(parent, value)
      found.parts.set(column, made.ids)
      found.writes.push(...made.writes)
      continue
    }
    const short = kind === 'name' ? indexable(value) : value
    found.columns[column] = short
    if (short !== value) found.whole[column] = value
  }
  return found
}

/** The document of a row. */
function wholeFields({ columns, whole, parts }: StoredColumns): Fields {
  return {
    ...columns,
    ...(Object.keys(whole).length > 0 && { [WHOLE]: whole }),
    ...(parts.size > 0 && { [PARTS]: Object.fromEntries(parts) })
  }
}

/** What changes in the document of a row; what its columns had beside them goes. */
function changedFields(table: TableSpec, set: object, { columns, whole, parts }: StoredColumns): Fields {
  const kinds = columnsOf(table)
  const of = (kind: string) => Object.keys(set).filter((column) => kinds[column]?.startsWith(kind))
  return {
    ...columns,
    ...Object.fromEntries(of('name').map((column) => [`${WHOLE}.${column}`, whole[column]])),
    ...Object.fromEntries(
      of('text').flatMap((column) => [
        [column, columns[column]],
        [`${PARTS}.${column}`, parts.get(column)]
      ])
    )
  }
}

/** The fields to ask for where the body is not wanted. */
export function fieldsWithoutBody(table: TableSpec): readonly string[] {
  const columns = Object.keys(columnsOf(table)).filter((column) => column !== 'body')
  return [...columns, WHOLE, PARTS]
}

/** Which columns of a row are in parts. */
export function partIdsOf({ fields }: Pick<Document, 'fields'>): PartIds {
  const named = Object.entries(mapOf(fields[PARTS]))
  return named.length === 0 ? NO_PARTS : new Map(named.map(([column, ids]) => [column, textsOf(ids)]))
}

/** The rows in an answer, in its order, with what of them is in parts. `body` is empty where it was not asked for. */
export async function rowsOf<C extends Columns>(
  client: Client,
  parent: string,
  table: TableSpec<C>,
  { documents, readTime }: Pick<Answer, 'documents' | 'readTime'>,
  withBody: boolean
): Promise<readonly Row<C>[]> {
  const columns = Object.entries(columnsOf(table)).filter(([column]) => withBody || column !== 'body')
  const wanted: { readonly row: Record<string, Value>; readonly column: string; readonly ids: readonly string[] }[] = []
  const rows = documents.map(({ path, fields }) => {
    const row: Record<string, Value> = { id: rowId(path) }
    const whole = mapOf(fields[WHOLE])
    const parts = partIdsOf({ fields })
    for (const [column, kind] of columns) {
      const ids = parts.get(column)
      if (ids) wanted.push({ row, column, ids })
      row[column] = textOf(whole[column]) ?? decode(kind, fields[column])
    }
    row.body ??= ''
    // Each column was decoded to the type of its kind, and every column of the table is there.
    return row as Row<C>
  })
  if (wanted.length === 0) return rows
  const ids = wanted.map((one) => one.ids)
  const texts = await textsFromParts(client, parent, ids, readTime)
  for (const [i, { row, column }] of wanted.entries()) row[column] = texts[i] ?? ''
  return rows
}

/** What one change of a row writes, and which parts the row has then. */
export interface RowWrites {
  readonly path: string
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
  const path = rowPath(parent, table, idOf(change))
  const old = known.of(path)
  if (change.op === 'delete') {
    return { path, parts: NO_PARTS, writes: [{ remove: path }, ...withoutParts(parent, [...old.values()].flat())] }
  }
  const isPatch = change.op === 'patch'
  const set = isPatch ? change.set : change.row
  const made = await stored(parent, table, set)
  const isKept = (column: string) => isPatch && !(column in set)
  const kept = [...old].filter(([column]) => isKept(column))
  const gone = [...old].filter(([column]) => !isKept(column)).flatMap(([, ids]) => ids)
  // A patch of no row makes none: it is refused, and `present` finds out.
  const own: Write = isPatch
    ? { update: path, fields: changedFields(table, set, made) }
    : { set: path, fields: wholeFields(made) }
  return {
    path,
    parts: new Map([...kept, ...made.parts]),
    writes: [own, ...made.writes, ...withoutParts(parent, gone)]
  }
}

/** What is left of these writes without the patches of rows that are not there. */
export async function present(client: Client, rows: readonly RowWrites[]): Promise<readonly RowWrites[]> {
  const patched = rows.flatMap(({ path, writes: [own] }) => ('update' in own ? [path] : []))
  if (patched.length === 0) return rows
  const there = new Set((await client.get(patched)).documents.map(({ path }) => path))
  return rows.filter(({ path, writes: [own] }) => !('update' in own) || there.has(path))
}

/** True for a refusal that a patch of a row which is not there explains. */
export function mayMissRow(error: unknown): boolean {
  return error instanceof Refused && error.why === 'missing'
}

/** Notes what rows have in parts once they are written. */
export function noteParts(known: KnownParts, rows: readonly RowWrites[]): void {
  for (const { path, parts } of rows) known.note(path, parts)
}
