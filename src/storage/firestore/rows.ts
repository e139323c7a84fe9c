import { idOf, type RowChange } from '../rowOps.js'
import type { Columns, Row, TableSpec, Value } from '../storage.js'
import type { Answer, Client } from './client.js'
import { Refused } from './errors.js'
import { documentId, rowId, rowsCollection } from './layout.js'
import {
  divided,
  INLINE_BYTES_MAX,
  type KnownParts,
  NO_PARTS,
  PARTS_FIELD,
  type PartIds,
  wholeDocuments,
  withoutParts
} from './parts.js'
import type { ResolvedChange } from './rowChanges.js'
import { decode, type Fields, indexable, mapOf, textOf } from './values.js'
import type { Write } from './writes.js'

// A row is a document: a field for each column. Names that are too long for an index stand in `whole`, and their field has
// what the index can hold; texts that are too long for the document are in parts.
export const WHOLE = 'whole'
/** The field of a row's document that says how large its body is, for who does not read it. */
export const BODY_BYTES = 'bodyBytes'

/** The path of the document of a row. */
export function rowPath(parent: string, table: Pick<TableSpec, 'name'>, id: string): string {
  return `${parent}/${rowsCollection(table)}/${documentId(id)}`
}

/** Every column of a table's rows but the id, which is the document's. */
export function columnsOf(table: TableSpec): Columns {
  return { version: 'integer', revision: 'integer', ...table.columns, body: 'text' }
}

/** The columns of a kind, allowing null or not, of which values are given. */
function columnsIn(table: TableSpec, values: object, kind: 'name' | 'text'): readonly string[] {
  return Object.entries(columnsOf(table)).flatMap(([name, is]) => (name in values && is.startsWith(kind) ? [name] : []))
}

/** Columns of a row below `parent` as they stand in its document, and beside them what is too long for it. */
async function stored(parent: string, table: TableSpec, values: Readonly<Partial<Record<string, Value>>>) {
  const kinds = columnsOf(table)
  const columns = Object.entries(values).filter(([column]) => column in kinds)
  const names = columnsIn(table, values, 'name')
  const texts = Object.values(kinds).filter((kind) => kind.startsWith('text')).length
  const short = columns.map(([name, value = null]) => [name, names.includes(name) ? indexable(value) : value] as const)
  const limits = columnsIn(table, values, 'text').map((column) => [column, INLINE_BYTES_MAX / texts] as const)
  const long = names.filter((name) => indexable(values[name] ?? null) !== values[name])
  const whole: Readonly<Record<string, Value>> = Object.fromEntries(long.map((name) => [name, values[name] ?? null]))
  const { body } = values
  const size = typeof body === 'string' ? { [BODY_BYTES]: Buffer.byteLength(body) } : {}
  const fields = { ...Object.fromEntries(short), ...size }
  return { ...(await divided(parent, fields, Object.fromEntries(limits))), whole }
}

type Stored = Awaited<ReturnType<typeof stored>>

/** The document of a row. */
function wholeFields({ fields, whole, parts }: Stored): Fields {
  return {
    ...fields,
    ...(Object.keys(whole).length > 0 && { [WHOLE]: whole }),
    ...(Object.keys(parts).length > 0 && { [PARTS_FIELD]: parts })
  }
}

/** What changes in the document of a row; what its columns had beside them goes. */
function changedFields(table: TableSpec, values: object, { fields, whole, parts }: Stored): Fields {
  const names = columnsIn(table, values, 'name').map((name) => [`${WHOLE}.${name}`, whole[name]])
  const texts = columnsIn(table, values, 'text').flatMap((name) => [
    [name, fields[name]],
    [`${PARTS_FIELD}.${name}`, parts[name]]
  ])
  return { ...fields, ...Object.fromEntries([...names, ...texts]) }
}

/** The fields to ask for where the body is not wanted. */
export function fieldsWithoutBody(table: TableSpec): readonly string[] {
  const columns = Object.keys(columnsOf(table)).filter((column) => column !== 'body')
  return [...columns, WHOLE, PARTS_FIELD]
}

/** The rows in an answer, in its order, with what of them is in parts. `body` is empty where it was not asked for. */
export async function rowsOf<C extends Columns>(
  client: Client,
  parent: string,
  table: TableSpec<C>,
  answer: Pick<Answer, 'documents' | 'readTime'>,
  withBody: boolean
): Promise<readonly Row<C>[]> {
  const columns = Object.entries(columnsOf(table))
  const documents = await wholeDocuments(client, parent, answer, (column) => withBody || column !== 'body')
  return documents.map(({ path, fields }) => {
    const whole = mapOf(fields[WHOLE])
    const values = columns.map(([column, kind]) => [column, textOf(whole[column]) ?? decode(kind, fields[column])])
    const row = Object.fromEntries(values)
    // Digests take the columns in their order. Each was decoded to the type of its kind, and every column of the table is there.
    return { id: rowId(path), ...row, body: row.body ?? '' } as Row<C>
  })
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
  const parts = new Map([...kept, ...Object.entries(made.parts)])
  return { path, parts, writes: [own, ...made.writes, ...withoutParts(parent, gone)] }
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
