import { fitting, LIMITS } from '../src/limits.js'
import type { Columns, Outline, PagedReads, Row, Selection, TableSpec, Value } from '../src/storage/storage.js'

/** Runs of ids whose rows are about as large as a whole list may be, in the order of the outline. */
export function runsOf(outline: readonly Outline[]): readonly (readonly string[])[] {
  const runs: string[][] = []
  for (let from = 0; from < outline.length; ) {
    const some = fitting(outline.slice(from, from + LIMITS.wholeListRows.max), LIMITS.wholeList, ({ bytes }) => bytes)
    runs.push(some.map(({ id }) => id))
    from += some.length
  }
  return runs
}

/** The rows that exist of these ids, page after page, in their order. */
export async function* rowPages<C extends Columns>(
  read: Pick<PagedReads, 'getPage'>,
  table: TableSpec<C>,
  ids: readonly string[]
): AsyncGenerator<readonly Row<C>[], void> {
  for (let rest = ids; rest.length > 0; ) {
    const page = await read.getPage(table, rest)
    const last = page.at(-1)
    if (!last) return
    yield page
    rest = rest.slice(rest.indexOf(last.id) + 1)
  }
}

/**
 * A list of any size, page after page: the rows that it had when it was begun, without those that have gone since, each as new
 * as then or newer.
 */
export async function* listPages<C extends Columns>(
  read: PagedReads,
  table: TableSpec<C>,
  index: string,
  key: readonly Value[],
  selection: Selection = {}
): AsyncGenerator<readonly Row<C>[], void> {
  const whole = await read.wholeList(table, index, key, selection)
  if (whole) yield whole
  else for (const ids of runsOf(await read.outline(table, index, key, selection))) yield* rowPages(read, table, ids)
}
