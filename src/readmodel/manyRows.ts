import { giveWay } from '../lib/turns.js'
import { slices } from '../limits.js'
import type { Columns, Outline, PagedReads, Row, TableSpec, Value } from '../storage/storage.js'

/** So many rows are asked for at a time: some databases answer in one turn of the event loop. */
const ROWS_AT_ONCE = 250
/** Without their bodies so many are read in one go, and more in such parts. */
const LISTED_ROWS = 1000
const COLUMNS_AT_ONCE = 500

/** The rows of these ids, each named once, in their order: read a page at a time; what is not there is left out. */
export async function* wholeRows<C extends Columns>(
  read: Pick<PagedReads, 'getPage'>,
  table: TableSpec<C>,
  ids: readonly string[]
): AsyncGenerator<Row<C>, void> {
  for (let from = 0; from < ids.length; ) {
    const asked = ids.slice(from, from + ROWS_AT_ONCE)
    const page = await read.getPage(table, asked)
    for (const row of page) {
      yield row
      await giveWay()
    }
    const last = page.at(-1)?.id
    from += last === undefined ? asked.length : asked.indexOf(last) + 1
  }
}

/** The rows under a key of an index without their bodies, in its order: in parts where they are many. */
export async function columnsOf<C extends Columns>(
  read: Pick<PagedReads, 'list' | 'outline' | 'getAll'>,
  table: TableSpec<C>,
  index: string,
  key: readonly Value[]
): Promise<readonly Row<C>[]> {
  const few = await read.list(table, index, key, { body: false, limit: LISTED_ROWS + 1 })
  if (few.length <= LISTED_ROWS) return few
  return outlinedColumns(read, table, await read.outline(table, index, key))
}

/** The rows of an outline without their bodies, in its order, in parts: others have their turn in between. */
export async function outlinedColumns<C extends Columns>(
  read: Pick<PagedReads, 'getAll'>,
  table: TableSpec<C>,
  outline: readonly Pick<Outline, 'id'>[]
): Promise<readonly Row<C>[]> {
  const rows: Row<C>[] = []
  for (const some of slices(outline, COLUMNS_AT_ONCE)) {
    const ids = some.map(({ id }) => id)
    const found = new Map((await read.getAll(table, ids, { body: false })).map((row) => [row.id, row]))
    for (const id of ids) {
      const row = found.get(id)
      if (row) rows.push(row)
    }
    // Of a few, which commands ask for, nobody has to wait.
    if (ids.length === COLUMNS_AT_ONCE) await giveWay()
  }
  return rows
}
