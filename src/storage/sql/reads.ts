import { nextTurn } from '../../lib/turns.js'
import { fitting, LIMITS } from '../../limits.js'
import type {
  Columns,
  ListOptions,
  Outline,
  PartOptions,
  Row,
  RowReads,
  Selection,
  TableSpec,
  Value
} from '../storage.js'
import { isStorable, type RawRow, type SqlDriver } from './dialect.js'
import type { Part, RowStatements } from './rows.js'

/** So many rows of an outline at a time: some databases answer in one turn of the event loop. */
const OUTLINED = 1000
/** A scan asks about so many rows at least. */
const SCANNED_MIN = 16

/** Reads rows through `query`, and long outlines in a session. What no row can hold finds nothing, and costs no question. */
export function rowReads({ query, session }: Pick<SqlDriver, 'query' | 'session'>, texts: RowStatements): RowReads {
  // Not every server tells the length of a text without reading it: where rows are large, fewer of them are asked about.
  let scanned = Number.POSITIVE_INFINITY
  const { reader } = texts
  const listed = async <C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options: ListOptions & Pick<PartOptions, 'after'>
  ): Promise<readonly Row<C>[]> => {
    const possible = possibleOf([...key, ...(options.after ?? [])], options)
    if (!possible || options.limit === 0) return []
    return (await query(texts.list(table, index, key, possible))).map(reader(table))
  }
  return {
    async get(table, id) {
      if (!isStorable(id)) return null
      const [row] = await query(texts.get(table, id))
      return row ? reader(table)(row) : null
    },
    async getAll(table, ids, options) {
      const possible = ids.filter(isStorable)
      return possible.length === 0 ? [] : (await query(texts.getAll(table, possible, options))).map(reader(table))
    },
    list: (table, index, key, options = {}) => listed(table, index, key, options),
    listPart: (table, index, key, part) => listed(table, index, key, { ...part, body: false }),
    async count(table, index, key, before) {
      if (!key.every(isStorable)) return 0
      const [row] = await query(texts.count(table, index, key, before))
      return Number(row?.count ?? 0)
    },
    async wholeList(table, index, key, selection = {}) {
      const possible = possibleOf(key, selection)
      if (!possible) return []
      const rows = await query(texts.wholeList(table, index, key, possible))
      return rows.length <= LIMITS.wholeListRows.max && hasBodies(rows) ? rows.map(reader(table)) : null
    },
    async outline(table, index, key, selection = {}) {
      const possible = possibleOf(key, selection)
      if (!possible) return []
      const part = async (ask: SqlDriver['query'], part: Part) =>
        (await ask(texts.outline(table, index, key, possible, part))).map(toOutline)
      const start = await part(query, { from: 0, limit: OUTLINED })
      if (start.length < OUTLINED) return start
      return session(true, async (ask) => {
        const outline: Outline[] = []
        for (;;) {
          const next = await part(ask, { from: outline.length, limit: OUTLINED })
          outline.push(...next)
          if (next.length < OUTLINED) return outline
          await nextTurn()
        }
      })
    },
    async getPage(table, ids) {
      for (let left = ids.filter(isStorable); left.length > 0; ) {
        const rows = inOrderOf(left, await query(texts.getAllSized(table, left)))
        if (hasBodies(rows)) return rows.map(reader(table))
        const page = fitting(rows, LIMITS.page, bytesOf).map(({ id }) => String(id))
        const found = inOrderOf(page, await query(texts.getAll(table, page)))
        if (found.length > 0) return found.map(reader(table))
        // All of them have gone in between: others may stand behind them.
        left = left.slice(left.indexOf(page.at(-1) ?? '') + 1)
      }
      return []
    },
    async scan(table, afterId, limit) {
      const rows = await query(texts.scanSized(table, afterId, Math.min(limit, scanned)))
      if (hasBodies(rows)) {
        scanned *= 2
        return rows.map(reader(table))
      }
      const some = fitting(rows, LIMITS.page, bytesOf).length
      scanned = Math.max(SCANNED_MIN, 2 * some)
      return (await query(texts.scan(table, afterId, some))).map(reader(table))
    }
  }
}

const hasBodies = (rows: readonly RawRow[]) => rows[0]?.body !== null
const bytesOf = (raw: RawRow) => Number(raw.bytes)

/** What of a selection can find anything under a key; null where nothing can. */
function possibleOf<S extends Selection>(key: readonly Value[], selection: S): S | null {
  const ids = selection.ids?.filter(isStorable)
  if (ids?.length === 0 || !key.every(isStorable)) return null
  return ids ? { ...selection, ids } : selection
}

function inOrderOf(ids: readonly string[], rows: readonly RawRow[]): readonly RawRow[] {
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

function toOutline(raw: RawRow): Outline {
  return { id: String(raw.id), revision: Number(raw.revision), bytes: Number(raw.bytes) }
}
