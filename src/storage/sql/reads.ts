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
import {
  encode,
  isStorable,
  joined,
  type Piece,
  type RawRow,
  raw,
  type SqlDriver,
  type Statement,
  sql,
  statements,
  withLimit
} from './dialect.js'
import type { RowTexts } from './rows.js'

/** So many rows of an outline at a time: some databases answer in one turn of the event loop. */
const OUTLINED = 1000
/** A scan asks about so many rows at least. */
const SCANNED_MIN = 16

/** Reads rows through `query`, and long outlines in a session. What no row can hold finds nothing, and costs no question. */
export function rowReads(
  { dialect, query, session }: Pick<SqlDriver, 'dialect' | 'query' | 'session'>,
  textsOf: RowTexts
): RowReads {
  const statement = statements(dialect)
  const bytes = raw(dialect.bytesOf('body'))
  // What lies under the name of a table reads its columns, with their types.
  const reader = <C extends Columns>(table: TableSpec<C>) => textsOf(table).read as (found: RawRow) => Row<C>

  const ordered = (table: TableSpec, index: string, reverse = false) =>
    textsOf(table).index(index)[reverse ? 'reversed' : 'order']
  const conditions = (table: TableSpec, index: string, key: readonly Value[], ids?: readonly string[]) => {
    const terms: Piece[] = textsOf(table)
      .index(index)
      .by.map((column, i) => sql`${column} = ${encode(key[i])}`)
    return ids ? [...terms, dialect.isIn('id', ids)] : terms
  }
  const all = async (table: TableSpec, ids: readonly string[], body = true) => {
    const { select, selectWithoutBody } = textsOf(table)
    return query(statement`${body ? select : selectWithoutBody} WHERE ${dialect.isIn('id', ids)}`)
  }
  /** Rows with `bytes` of each; all bodies are null where they are more than a page together. */
  const sized = (table: TableSpec, which: Piece) => {
    const { name, withoutBody } = textsOf(table)
    const measured = sql`SELECT ${bytes} AS bytes FROM ${name} WHERE ${which}`
    return statement`SELECT ${withoutBody}, ${bytes} AS bytes, ${bodyIf(measured, IS_PAGE)} FROM ${name} WHERE ${which}`
  }
  const listed = async <C extends Columns>(
    table: TableSpec<C>,
    index: string,
    key: readonly Value[],
    options: ListOptions & Pick<PartOptions, 'after'>
  ): Promise<readonly Row<C>[]> => {
    const { limit, reverse, body, after = [] } = options
    const possible = possibleOf([...key, ...after], options)
    if (!possible || limit === 0) return []
    const { select, selectWithoutBody } = textsOf(table)
    const terms = conditions(table, index, key, possible.ids)
    if (after.length > 0) terms.push(behind(textsOf(table).index(index).columns, after, reverse))
    const list = sql`${body === false ? selectWithoutBody : select}${where(terms)} ${ordered(table, index, reverse)}`
    // A value and not a part of the text: limits vary, and every text is a statement that the database prepares.
    return (await query(limit === undefined ? statement`${list}` : withLimit(statement`${list} LIMIT ${limit}`))).map(
      reader(table)
    )
  }
  /** A list; where it is larger than what may be read at once, some of its rows with null for every body. */
  const whole = (table: TableSpec, index: string, key: readonly Value[], { ids, reverse }: Selection): Statement => {
    const { name, withoutBody } = textsOf(table)
    const limit = raw(String(LIMITS.wholeListRows.max + 1))
    const under = where(conditions(table, index, key, ids))
    const rows = sql`SELECT ${bytes} AS bytes FROM ${name}${under} LIMIT ${limit}`
    const listed = sql`FROM ${name}${under} ${ordered(table, index, reverse)}`
    if (!dialect.limitsByQuery)
      return statement`SELECT ${withoutBody}, ${bodyIf(rows, IS_WHOLE)} ${listed} LIMIT ${limit}`
    const asked = sql`SELECT CASE WHEN ${raw(IS_WHOLE)} THEN ${limit} ELSE 1 END AS count FROM (${rows}) AS measured`
    const body = raw('CASE WHEN (SELECT count FROM asked) > 1 THEN body END AS body')
    return statement`WITH asked AS MATERIALIZED (${asked}) SELECT ${withoutBody}, ${body} ${listed} LIMIT (SELECT count FROM asked)`
  }

  // Not every server tells the length of a text without reading it: where rows are large, fewer of them are asked about.
  let scanned = Number.POSITIVE_INFINITY
  return {
    async get(table, id) {
      if (!isStorable(id)) return null
      const [row] = await query({ text: textsOf(table).one, values: [id] })
      return row ? reader(table)(row) : null
    },
    async getAll(table, ids, { body } = {}) {
      const possible = ids.filter(isStorable)
      return possible.length === 0 ? [] : (await all(table, possible, body)).map(reader(table))
    },
    list: (table, index, key, options = {}) => listed(table, index, key, options),
    listPart: (table, index, key, part) => listed(table, index, key, { ...part, body: false }),
    async count(table, index, key, before = []) {
      if (!key.every(isStorable)) return 0
      const { name, index: indexed } = textsOf(table)
      const terms = conditions(table, index, key)
      if (before.length > 0) {
        const columns = raw(indexed(index).columns.slice(0, before.length).join(', '))
        const bounds = before.map((value) => sql`${encode(value)}`)
        terms.push(sql`(${columns}) < (${joined(bounds, ', ')})`)
      }
      const [row] = await query(statement`SELECT count(*) AS count FROM ${name}${where(terms)}`)
      return Number(row?.count ?? 0)
    },
    async wholeList(table, index, key, selection = {}) {
      const possible = possibleOf(key, selection)
      if (!possible) return []
      const rows = await query(whole(table, index, key, possible))
      return rows.length <= LIMITS.wholeListRows.max && hasBodies(rows) ? rows.map(reader(table)) : null
    },
    async outline(table, index, key, selection = {}) {
      const possible = possibleOf(key, selection)
      if (!possible) return []
      const under = where(conditions(table, index, key, possible.ids))
      const list = sql`FROM ${textsOf(table).name}${under} ${ordered(table, index, possible.reverse)}`
      const part = async (ask: SqlDriver['query'], from: number) =>
        (
          await ask(
            withLimit(statement`SELECT id, revision, ${bytes} AS bytes ${list} LIMIT ${OUTLINED} OFFSET ${from}`)
          )
        ).map(toOutline)
      const start = await part(query, 0)
      if (start.length < OUTLINED) return start
      return session(true, async (ask) => {
        const outline: Outline[] = []
        for (;;) {
          const next = await part(ask, outline.length)
          outline.push(...next)
          if (next.length < OUTLINED) return outline
          await nextTurn()
        }
      })
    },
    async getPage(table, ids) {
      for (let left = ids.filter(isStorable); left.length > 0; ) {
        const rows = inOrderOf(left, await query(sized(table, dialect.isIn('id', left))))
        if (hasBodies(rows)) return rows.map(reader(table))
        const page = fitting(rows, LIMITS.page, bytesOf).map(({ id }) => String(id))
        const found = inOrderOf(page, await all(table, page))
        if (found.length > 0) return found.map(reader(table))
        // All of them have gone in between: others may stand behind them.
        left = left.slice(left.indexOf(page.at(-1) ?? '') + 1)
      }
      return []
    },
    async scan(table, afterId, limit) {
      const first = (most: number) => sql`id > ${afterId} ORDER BY id LIMIT ${most}`
      const rows = await query(withLimit(sized(table, first(Math.min(limit, scanned)))))
      if (hasBodies(rows)) {
        scanned *= 2
        return rows.map(reader(table))
      }
      const some = fitting(rows, LIMITS.page, bytesOf).length
      scanned = Math.max(SCANNED_MIN, 2 * some)
      return (await query(withLimit(statement`${textsOf(table).select} WHERE ${first(some)}`))).map(reader(table))
    }
  }
}

const IS_PAGE = `SUM(bytes) <= ${LIMITS.page.max}`
const IS_WHOLE = `COUNT(*) <= ${LIMITS.wholeListRows.max} AND SUM(bytes) <= ${LIMITS.wholeList.max}`

/** The body where what `rows` selects is small enough together. Asked once for the whole statement, before any body is read. */
const bodyIf = (rows: Piece, condition: string) =>
  sql`CASE WHEN (SELECT CASE WHEN ${raw(condition)} THEN 1 END FROM (${rows}) AS measured) = 1 THEN body END AS body`

const where = (terms: readonly Piece[]) => (terms.length > 0 ? sql` WHERE ${joined(terms, ' AND ')}` : raw(''))

/**
 * True behind these values of an index's order and the id. Not a comparison of tuples: MySQL finds its place in an index by one
 * column alone, which therefore stands first, and by itself.
 */
function behind(
  [first = 'id', ...others]: readonly string[],
  [after, ...rest]: readonly Value[],
  reverse = false
): Piece {
  const [column, sign, value] = [raw(first), raw(reverse ? '<' : '>'), encode(after)]
  if (others.length === 0) return sql`${column} ${sign} ${value}`
  return sql`(${column} ${sign}= ${value} AND (${column} ${sign} ${value} OR ${behind(others, rest, reverse)}))`
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
