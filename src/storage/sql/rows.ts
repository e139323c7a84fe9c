import { LIMITS } from '../../limits.js'
import { columnOf, indexOf } from '../order.js'
import { remembered } from '../remembered.js'
import type {
  Columns,
  ListOptions,
  PartOptions,
  Row,
  RowOp,
  RowOptions,
  Selection,
  TableSpec,
  Value
} from '../storage.js'
import {
  type Dialect,
  decode,
  encode,
  inserts,
  joined,
  type Piece,
  type RawRow,
  raw,
  type Statement,
  snake,
  sql,
  statements
} from './dialect.js'
import { allColumns, nameOf } from './tables.js'

/** Some rows of a list, by their number from the start of its order. */
export interface Part {
  readonly from: number
  readonly limit: number
}

/** Texts of statements on the read tables of one generation; the same operation always has the same text. */
export type RowStatements = ReturnType<typeof rowStatements>

/** Statements for the read tables of a generation, in a dialect. */
export function rowStatements(dialect: Dialect, prefix: string, generation: number) {
  const p = dialect.placeholder
  const statement = statements(dialect)
  const bytes = raw(dialect.bytesOf('body'))
  /** What is always the same about a table in a generation. */
  const textsOf = remembered(
    (table: TableSpec) => {
      const name = prefix + nameOf(table, generation)
      const columns = Object.keys(allColumns(table))
      const names = columns.map(snake)
      const withoutBody = names.filter((one) => one !== 'body').join(', ')
      return {
        name,
        columns,
        withoutBody,
        select: `SELECT ${names.join(', ')} FROM ${name}`,
        selectWithoutBody: `SELECT ${withoutBody} FROM ${name}`,
        insert: inserts(dialect, name, names, dialect.upsert('id', names.slice(1))),
        /** What a patch of a row is that sets these columns. */
        patch: remembered(
          (changed: readonly string[]) => {
            const sets = changed.map((column, i) => `${snake(column)} = ${p(i + 1)}`).join(', ')
            return `UPDATE ${name} SET ${sets} WHERE id = ${p(changed.length + 1)}`
          },
          (changed) => changed.join(' ')
        ),
        read: rowReader(table),
        index: remembered((name: string) => {
          const { by, order } = indexOf(table, name)
          const columns = [...order.map(snake), 'id']
          return {
            by: by.map((column) => raw(snake(column))),
            columns,
            order: raw(`ORDER BY ${columns.join(', ')}`),
            reversed: raw(`ORDER BY ${columns.join(' DESC, ')} DESC`)
          }
        })
      }
    },
    (table) => table.name
  )
  const orderOf = (table: TableSpec, index: string) => textsOf(table).index(index).columns
  const ordered = (table: TableSpec, index: string, reverse = false) =>
    textsOf(table).index(index)[reverse ? 'reversed' : 'order']
  const conditions = (table: TableSpec, index: string, key: readonly Value[], ids?: readonly string[]) => {
    const terms = textsOf(table)
      .index(index)
      .by.map((column, i) => sql`${column} = ${encode(key[i])}`)
    return ids ? [...terms, dialect.isIn('id', ids)] : terms
  }
  const where = (terms: readonly Piece[]) => (terms.length > 0 ? sql` WHERE ${joined(terms, ' AND ')}` : raw(''))
  /**
   * True behind these values of an index's order and the id. Not a comparison of tuples: MySQL finds its place in an index by one
   * column alone, which therefore stands first, and by itself.
   */
  const behind = (
    [first = 'id', ...others]: readonly string[],
    [after, ...rest]: readonly Value[],
    reverse = false
  ): Piece => {
    const [column, sign, value] = [raw(first), raw(reverse ? '<' : '>'), encode(after)]
    if (others.length === 0) return sql`${column} ${sign} ${value}`
    return sql`(${column} ${sign}= ${value} AND (${column} ${sign} ${value} OR ${behind(others, rest, reverse)}))`
  }
  /** The body where what `rows` selects is small enough together. Asked once for the whole statement, before any body is read. */
  const bodyIf = (rows: Piece, condition: string) =>
    sql`CASE WHEN (SELECT CASE WHEN ${raw(condition)} THEN 1 END FROM (${rows}) AS measured) = 1 THEN body END AS body`
  const isPage = `SUM(bytes) <= ${LIMITS.page.max}`
  const isWhole = `COUNT(*) <= ${LIMITS.wholeListRows.max} AND SUM(bytes) <= ${LIMITS.wholeList.max}`
  /** Rows with `bytes` of each; all bodies are null where they are more than a page together. */
  const sized = (table: TableSpec, which: Piece) => {
    const { name, withoutBody } = textsOf(table)
    const measured = sql`SELECT ${bytes} AS bytes FROM ${raw(name)} WHERE ${which}`
    return statement`SELECT ${raw(withoutBody)}, ${bytes} AS bytes, ${bodyIf(measured, isPage)} FROM ${raw(name)} WHERE ${which}`
  }

  return {
    op(op: RowOp): Statement {
      const { name, columns, insert, patch } = textsOf(op.table)
      switch (op.op) {
        case 'put':
          return insert(columns.map((column) => encode(columnOf(op.row, column))))
        case 'patch': {
          const changed = Object.keys(op.set)
          const values = changed.map((column) => encode(op.set[column]))
          values.push(op.id)
          return { text: patch(changed), values }
        }
        case 'delete':
          return { text: `DELETE FROM ${name} WHERE id = ${p(1)}`, values: [op.id] }
        case 'deleteWhere': {
          const where = sql`${raw(snake(op.column))} = ${encode(op.value)}`
          return { ...statement`DELETE FROM ${raw(name)} WHERE ${where}`, isBulk: true }
        }
        case 'nullify': {
          const cleared = op.columns.map((column) => raw(snake(column)))
          const held = cleared.map((column) => sql`${column} = ${encode(op.value)}`)
          const sets = cleared.map(
            (column, i) => sql`${column} = CASE WHEN ${held[i] ?? column} THEN NULL ELSE ${column} END`
          )
          const changed = sql`${joined(sets, ', ')}, revision = ${op.revision}`
          return { ...statement`UPDATE ${raw(name)} SET ${changed} WHERE ${joined(held, ' OR ')}`, isBulk: true }
        }
      }
    },
    /** Reads rows as the port speaks of them. `body` is empty where it was not asked for. */
    reader: <C extends Columns>(table: TableSpec<C>) =>
      // What lies under the name of a table reads its columns, with their types.
      textsOf(table).read as (found: RawRow) => Row<C>,
    get: (table: TableSpec, id: string): Statement => ({
      text: `${textsOf(table).select} WHERE id = ${p(1)}`,
      values: [id]
    }),
    getAll(table: TableSpec, ids: readonly string[], { body }: RowOptions = {}): Statement {
      const { select, selectWithoutBody } = textsOf(table)
      return statement`${raw(body === false ? selectWithoutBody : select)} WHERE ${dialect.isIn('id', ids)}`
    },
    /** What `getAll` asks, with `bytes` of each row; all bodies are null where they are more than a page together. */
    getAllSized: (table: TableSpec, ids: readonly string[]): Statement => sized(table, dialect.isIn('id', ids)),
    list(
      table: TableSpec,
      index: string,
      key: readonly Value[],
      options: ListOptions & Pick<PartOptions, 'after'>
    ): Statement {
      const { ids, limit, reverse, body, after } = options
      const { select, selectWithoutBody } = textsOf(table)
      const terms = conditions(table, index, key, ids)
      const all = after ? [...terms, behind(orderOf(table, index), after, reverse)] : terms
      const list = sql`${raw(body === false ? selectWithoutBody : select)}${where(all)} ${ordered(table, index, reverse)}`
      // A value and not a part of the text: limits vary, and every text is a statement that the database prepares.
      return limit === undefined ? statement`${list}` : { ...statement`${list} LIMIT ${limit}`, hasLimit: true }
    },
    /** A list; where it is larger than what may be read at once, some of its rows with null for every body. */
    wholeList(table: TableSpec, index: string, key: readonly Value[], { ids, reverse }: Selection): Statement {
      const texts = textsOf(table)
      const [name, withoutBody] = [raw(texts.name), raw(texts.withoutBody)]
      const limit = raw(String(LIMITS.wholeListRows.max + 1))
      const under = where(conditions(table, index, key, ids))
      const rows = sql`SELECT ${bytes} AS bytes FROM ${name}${under} LIMIT ${limit}`
      const listed = sql`FROM ${name}${under} ${ordered(table, index, reverse)}`
      if (!dialect.limitsByQuery)
        return statement`SELECT ${withoutBody}, ${bodyIf(rows, isWhole)} ${listed} LIMIT ${limit}`
      const asked = sql`SELECT CASE WHEN ${raw(isWhole)} THEN ${limit} ELSE 1 END AS count FROM (${rows}) AS measured`
      const body = raw('CASE WHEN (SELECT count FROM asked) > 1 THEN body END AS body')
      return statement`WITH asked AS MATERIALIZED (${asked}) SELECT ${withoutBody}, ${body} ${listed} LIMIT (SELECT count FROM asked)`
    },
    /** Id, revision and bytes of some rows of a list. */
    outline(
      table: TableSpec,
      index: string,
      key: readonly Value[],
      { ids, reverse }: Selection,
      { from, limit }: Part
    ): Statement {
      const under = where(conditions(table, index, key, ids))
      const listed = sql`FROM ${raw(textsOf(table).name)}${under} ${ordered(table, index, reverse)}`
      return {
        ...statement`SELECT id, revision, ${bytes} AS bytes ${listed} LIMIT ${limit} OFFSET ${from}`,
        hasLimit: true
      }
    },
    count(table: TableSpec, index: string, key: readonly Value[], before: readonly Value[] = []): Statement {
      const terms: Piece[] = conditions(table, index, key)
      if (before.length > 0) {
        const columns = raw(orderOf(table, index).slice(0, before.length).join(', '))
        const bounds = before.map((value) => sql`${encode(value)}`)
        terms.push(sql`(${columns}) < (${joined(bounds, ', ')})`)
      }
      return statement`SELECT count(*) AS count FROM ${raw(textsOf(table).name)}${where(terms)}`
    },
    scan: (table: TableSpec, afterId: string, limit: number): Statement => ({
      ...statement`${raw(textsOf(table).select)} WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`,
      hasLimit: true
    }),
    /** What `scan` asks, with `bytes` of each row; all bodies are null where they are more than a page together. */
    scanSized: (table: TableSpec, afterId: string, limit: number): Statement => ({
      ...sized(table, sql`id > ${afterId} ORDER BY id LIMIT ${limit}`),
      hasLimit: true
    })
  }
}

function rowReader(table: TableSpec): (found: RawRow) => Row {
  const columns = Object.entries(allColumns(table)).map(([column, kind]) => ({ column, kind, key: snake(column) }))
  return (found) => {
    const row: Record<string, Value> = {}
    for (const { column, kind, key } of columns) row[column] = decode(kind, found[key])
    row.body ??= ''
    // Each column was decoded to the type of its kind, and every column of the table is there.
    return row as Row
  }
}
