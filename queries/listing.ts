import type { JsonText, Place } from '../commands/record.js'
import { fitting, LIMITS } from '../src/limits.js'
import type { SequenceSpec } from '../src/readmodel/sequence.js'
import type { Columns, Outline, PagedReads, Row, Selection, TableSpec, Value } from '../src/storage/storage.js'

/** Rows under a key of an index, in its order. */
export interface Rows<C extends Columns = Columns> {
  readonly table: TableSpec<C>
  readonly index: string
  readonly under: readonly Value[]
  readonly selection?: Selection
}

/**
 * A list reply as data: what to read, and what it depends on, so that the reply can be kept until that changes.
 * The reply is `{"<name>": [...]}`; `key` tells apart lists of one name and scope.
 */
export interface Listing extends Rows {
  readonly name: string
  /** The names of the fields that a record may have, beside its id. */
  readonly fields: readonly string[]
  readonly key: string
  readonly scope: string | null
  /** The sequence that the rows stand in: the list is by their places then. */
  readonly sequence?: SequenceSpec
  // A method's parameter is bivariant: the row given is one of this list's table.
  record(row: Row, place: Place): JsonText
}

/** An access list as part of a question to the store. */
export function within(access: readonly string[]): Selection {
  return access.includes('*') ? {} : { ids: access }
}

/** Callers with the same access get the same list. */
export function accessKey(access: readonly string[]): string {
  return access.includes('*') ? '*' : [...access].sort().join(' ')
}

/** So many rows of a run at most: some databases answer in one turn of the event loop. */
const RUN_ROWS = 1000

/** Some rows of a list that follow one another, and how large they were. */
export interface Run {
  readonly ids: readonly string[]
  readonly bytes: number
}

/** The rows of an outline in runs that are no larger than a list in one piece, or one row. */
export function runsOf(outline: readonly Outline[]): readonly Run[] {
  const runs: Run[] = []
  for (let from = 0; from < outline.length; ) {
    const some = fitting(outline.slice(from, from + RUN_ROWS), LIMITS.wholeList, ({ bytes }) => bytes)
    runs.push({ ids: some.map(({ id }) => id), bytes: some.reduce((sum, { bytes }) => sum + bytes, 0) })
    from += some.length
  }
  return runs
}

/** The rows of a run, page after page. What is gone since, or stands under another key, is left out. */
export async function* runPages<C extends Columns>(
  read: Pick<PagedReads, 'getPage'>,
  rows: Rows<C>,
  { ids }: Run
): AsyncGenerator<readonly Row<C>[], void> {
  for (let rest = ids; rest.length > 0; ) {
    const page = await read.getPage(rows.table, rest)
    const last = page.at(-1)
    if (!last) return
    yield page.filter((row) => standsUnder(row, rows))
    rest = rest.slice(rest.indexOf(last.id) + 1)
  }
}

/** True for a row that stands under the key of a list. */
export function standsUnder(row: Row, { table, index, under }: Rows): boolean {
  const by = table.indexes[index]?.by ?? []
  return by.every((column, i) => (row as Readonly<Record<string, Value>>)[column] === under[i])
}
