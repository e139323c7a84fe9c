import { idOf, type RowChange } from '../rowOps.js'
import type { Columns, Row, TableSpec, Value } from '../storage.js'
import type { Answer, Client } from './client.js'
import { decode, indexable, mapOf, textOf, type Write } from './documents.js'
import type { Refused } from './errors.js'
import { documentId, rowId, rowsCollection } from './layout.js'
import { divided, INLINE_BYTES_MAX, mapFields, PARTS_FIELD, wholeDocuments, withoutParts } from './parts.js'
import type { ResolvedChange } from './rowChanges.js'

// A row is a document: a field for each column. Names that are too long for an index stand in `whole`, and their field has
// what the index can hold; texts that are too long for the document are in parts.
export const WHOLE = 'whole'
/** The field of a row's document that says how large its body is, for who does not read it. */
export const BODY_BYTES = 'bodyBytes'

/** Where the rows of a generation are: below the document `parent`. */
export interface RowPlace {
  readonly client: Client
  readonly parent: string
}

/** The path of the document of a row. */
export function rowPath(parent: string, table: Pick<TableSpec, 'name'>, id: string): string {
  return `${parent}/${rowsCollection(table)}/${documentId(id)}`
}

/** Every column of a table's rows but the id, which is the document's. */
export function columnsOf(table: TableSpec): Columns {
  return { version: 'integer', revision: 'integer', ...table.columns, body: 'text' }
}

/** The document of a row below `parent`, or what changes in it of some columns, and beside it what is too long for it. */
function stored(parent: string, table: TableSpec, values: Readonly<Partial<Record<string, Value>>>, isChange: boolean) {
  const columns = Object.entries(columnsOf(table))
  const texts = columns.filter(([, kind]) => kind.startsWith('text')).length
  const fields: Record<string, Value> = {}
  const whole: Record<string, Value | undefined> = {}
  const bytesMax: Record<string, number> = {}
  for (const [column, kind] of columns) {
    if (!(column in values)) continue
    const value = values[column] ?? null
    const isName = kind.startsWith('name')
    const field = isName ? indexable(value) : value
    fields[column] = field
    if (isName) whole[column] = field === value ? undefined : value
    if (kind.startsWith('text')) bytesMax[column] = INLINE_BYTES_MAX / texts
  }
  if (typeof values.body === 'string') fields[BODY_BYTES] = Buffer.byteLength(values.body)
  return divided(parent, { ...fields, ...mapFields(WHOLE, whole, isChange) }, bytesMax, isChange)
}

/** The fields to ask for where the body is not wanted. */
export function fieldsWithoutBody(table: TableSpec): readonly string[] {
  const columns = Object.keys(columnsOf(table)).filter((column) => column !== 'body')
  return [...columns, WHOLE, PARTS_FIELD]
}

/** The rows in an answer, in its order, with what of them is in parts. `body` is empty where it was not asked for. */
export async function rowsOf<C extends Columns>(
  { client, parent }: RowPlace,
  table: TableSpec<C>,
  answer: Pick<Answer, 'documents' | 'readTime'>,
  withBody = true
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

/** What one change of a row writes: the change of the row's own document comes first. */
export type RowWrites = readonly [Write, ...Write[]]

/** What changes of rows write. Parts that they replace go, as far as they are known. */
export function rowWrites(place: RowPlace, changes: readonly ResolvedChange[]): Promise<readonly RowWrites[]> {
  return Promise.all(changes.map(({ change }) => rowWritesOf(place, change)))
}

async function rowWritesOf({ client, parent }: RowPlace, change: RowChange): Promise<RowWrites> {
  const { table } = change
  const path = rowPath(parent, table, idOf(change))
  const isPatch = change.op === 'patch'
  const replaced = [...client.partsOf(path)].filter(([column]) => !isPatch || column in change.set)
  const gone = withoutParts(
    parent,
    replaced.flatMap(([, ids]) => ids)
  )
  if (change.op === 'delete') return [{ remove: path }, ...gone]
  const { fields, writes } = await stored(parent, table, isPatch ? change.set : change.row, isPatch)
  // A patch of no row makes none: it is refused, and `present` finds out.
  return [isPatch ? { update: path, fields } : { set: path, fields }, ...writes, ...gone]
}

/** What is left of these writes, which were refused, without the patches of rows that are not there. */
export async function present(client: Client, rows: readonly RowWrites[], { why }: Refused): Promise<typeof rows> {
  const patched = rows.flatMap(([own]) => ('update' in own ? [own.update] : []))
  if (why !== 'missing' || patched.length === 0) return rows
  const there = new Set((await client.get(patched, { fields: ['revision'] })).documents.map(({ path }) => path))
  return rows.filter(([own]) => !('update' in own) || there.has(own.update))
}
