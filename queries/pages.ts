import { fitting, LIMITS } from '../src/limits.js'
import type { Columns, Outline, PagedReads, Row, Value } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

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
  { table, index, under }: Rows<C>,
  { ids }: Run
): AsyncGenerator<readonly Row<C>[], void> {
  const by = table.indexes[index]?.by ?? []
  const isThere = (row: Row) => by.every((column, i) => (row as Readonly<Record<string, Value>>)[column] === under[i])
  for (let rest = ids; rest.length > 0; ) {
    const page = await read.getPage(table, rest)
    const last = page.at(-1)
    if (!last) return
    yield page.filter(isThere)
    rest = rest.slice(rest.indexOf(last.id) + 1)
  }
}
