import { LIMITS } from '../../limits.js'
import { columnOf, indexOf } from '../order.js'
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
import { type Dialect, decode, encode, inserts, type Parameter, type RawRow, type Statement, snake } from './dialect.js'
import { allColumns, nameOf } from './tables.js'

/** Some rows of a list, by their number from the start of its order. */
export interface Part {
  readonly from: number
  readonly limit: number
}

/** Texts of statements on the read tables of one generation; the same operation always has the same text. */
export type RowStatements = ReturnType<typeof rowStatements>

/** What is always the same about a table in a generation. */
interface TableTexts {
  readonly name: string
  readonly columns: readonly string[]
  readonly insert: ReturnType<typeof inserts>
  readonly withoutBody: string
  readonly select: string
  readonly selectWithoutBody: string
  /** By the columns that they set, what patches of a row are. */
  readonly patches: Map<string, string>
}

/** Statements for the read tables of a generation, in a dialect. */
export function rowStatements(dialect: Dialect, prefix: string, generation: number) {
  const p = dialect.placeholder
  const bytes = dialect.bytesOf('body')
  const tables = new Map<string, TableTexts>()
  const textsOf = (table: TableSpec): TableTexts => {
    const known = tables.get(table.name)
    if (known) return known
    const name = prefix + nameOf(table, generation)
    const columns = Object.keys(allColumns(table))
    const names = columns.map(snake)
    const select = `SELECT ${names.join(', ')} FROM ${name}`
    const withoutBody = names.filter((one) => one !== 'body').join(', ')
    const selectWithoutBody = `SELECT ${withoutBody} FROM ${name}`
    const insert = inserts(dialect, name, names, dialect.upsert('id', names.slice(1)))
    const fresh = { name, columns, insert, withoutBody, select, selectWithoutBody, patches: new Map<string, string>() }
    tables.set(table.name, fresh)
    return fresh
  }

  const patchText = ({ name, patches }: TableTexts, columns: readonly string[]): string => {
    const key = columns.join(' ')
    const known = patches.get(key)
    if (known !== undefined) return known
    const sets = columns.map((column, i) => `${snake(column)} = ${p(i + 1)}`).join(', ')
    const fresh = `UPDATE ${name} SET ${sets} WHERE id = ${p(columns.length + 1)}`
    patches.set(key, fresh)
    return fresh
  }

  const orderOf = (table: TableSpec, index: string) => [...indexOf(table, index).order.map(snake), 'id']
  const ordered = (table: TableSpec, index: string, reverse = false) =>
    orderOf(table, index)
      .map((column) => column + (reverse ? ' DESC' : ''))
      .join(', ')
  /** A condition whose first placeholder is the one behind `before`. */
  const where = (
    table: TableSpec,
    index: string,
    key: readonly Value[],
    { ids, after, reverse }: Selection & Pick<PartOptions, 'after'> = {},
    before = 0
  ) => {
    const values: Parameter[] = []
    const bound = (value: Value | undefined) => p(before + values.push(encode(value)))
    const terms = indexOf(table, index).by.map((column, i) => `${snake(column)} = ${bound(key[i])}`)
    if (ids) {
      const among = dialect.isIn('id', ids, before + values.length + 1)
      terms.push(among.text)
      values.push(...among.values)
    }
    if (after) {
      const columns = orderOf(table, index)
      const sign = reverse ? '<' : '>'
      // Not a comparison of tuples: MySQL finds its place in an index by one column alone, which therefore stands first, and by itself.
      const from = (i: number): string => {
        const [column, value] = [columns[i], after[i]]
        if (i === columns.length - 1) return `${column} ${sign} ${bound(value)}`
        return `(${column} ${sign}= ${bound(value)} AND (${column} ${sign} ${bound(value)} OR ${from(i + 1)}))`
      }
      terms.push(from(0))
    }
    return { text: terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '', values }
  }
  /** The body where what `rows` selects is small enough together. Asked once for the whole statement, before any body is read. */
  const bodyIf = (rows: string, condition: string) =>
    `CASE WHEN (SELECT CASE WHEN ${condition} THEN 1 END FROM (${rows}) AS measured) = 1 THEN body END AS body`
  const isPage = `SUM(bytes) <= ${LIMITS.page.max}`
  const isWhole = `COUNT(*) <= ${LIMITS.wholeListRows.max} AND SUM(bytes) <= ${LIMITS.wholeList.max}`

  return {
    op(op: RowOp): Statement {
      const texts = textsOf(op.table)
      const { name, columns, insert } = texts
      switch (op.op) {
        case 'put':
          return insert(columns.map((column) => encode(columnOf(op.row, column))))
        case 'patch': {
          const changed = Object.keys(op.set)
          const values = changed.map((column) => encode(op.set[column]))
          values.push(op.id)
          return { text: patchText(texts, changed), values }
        }
        case 'delete':
          return { text: `DELETE FROM ${name} WHERE id = ${p(1)}`, values: [op.id] }
        case 'deleteWhere':
          return {
            text: `DELETE FROM ${name} WHERE ${snake(op.column)} = ${p(1)}`,
            values: [encode(op.value)],
            isBulk: true
          }
        case 'nullify': {
          const value = encode(op.value)
          const cleared = op.columns.map(snake)
          const sets = cleared.map((c, i) => `${c} = CASE WHEN ${c} = ${p(i + 1)} THEN NULL ELSE ${c} END`)
          const terms = cleared.map((c, i) => `${c} = ${p(cleared.length + 2 + i)}`)
          return {
            text: `UPDATE ${name} SET ${sets.join(', ')}, revision = ${p(cleared.length + 1)} WHERE ${terms.join(' OR ')}`,
            values: [...cleared.map(() => value), op.revision, ...cleared.map(() => value)],
            isBulk: true
          }
        }
      }
    },
    get: (table: TableSpec, id: string): Statement => ({
      text: `${textsOf(table).select} WHERE id = ${p(1)}`,
      values: [id]
    }),
    getAll(table: TableSpec, ids: readonly string[], { body }: RowOptions = {}): Statement {
      const { select, selectWithoutBody } = textsOf(table)
      const { text, values } = dialect.isIn('id', ids, 1)
      return { text: `${body === false ? selectWithoutBody : select} WHERE ${text}`, values }
    },
    /** What `getAll` asks, with `bytes` of each row; all bodies are null where they are more than a page together. */
    getAllSized(table: TableSpec, ids: readonly string[]): Statement {
      const { name, withoutBody } = textsOf(table)
      const among = dialect.isIn('id', ids, 1)
      const again = dialect.isIn('id', ids, among.values.length + 1)
      const measured = `SELECT ${bytes} AS bytes FROM ${name} WHERE ${among.text}`
      return {
        text: `SELECT ${withoutBody}, ${bytes} AS bytes, ${bodyIf(measured, isPage)} FROM ${name} WHERE ${again.text}`,
        values: [...among.values, ...again.values]
      }
    },
    list(
      table: TableSpec,
      index: string,
      key: readonly Value[],
      options: ListOptions & Pick<PartOptions, 'after'>
    ): Statement {
      const { limit, reverse, body } = options
      const { select, selectWithoutBody } = textsOf(table)
      const { text, values } = where(table, index, key, options)
      const all = `${body === false ? selectWithoutBody : select}${text} ORDER BY ${ordered(table, index, reverse)}`
      // A value and not a part of the text: limits vary, and every text is a statement that the database prepares.
      return limit === undefined
        ? { text: all, values }
        : { text: `${all} LIMIT ${p(values.length + 1)}`, values: [...values, limit], hasLimit: true }
    },
    /** A list; where it is larger than what may be read at once, some of its rows with null for every body. */
    wholeList(table: TableSpec, index: string, key: readonly Value[], selection: Selection): Statement {
      const { name, withoutBody } = textsOf(table)
      const limit = LIMITS.wholeListRows.max + 1
      const measured = where(table, index, key, selection)
      const rows = `SELECT ${bytes} AS bytes FROM ${name}${measured.text} LIMIT ${limit}`
      const { text, values } = where(table, index, key, selection, measured.values.length)
      const listed = `FROM ${name}${text} ORDER BY ${ordered(table, index, selection.reverse)}`
      const all = [...measured.values, ...values]
      if (!dialect.limitsByQuery)
        return { text: `SELECT ${withoutBody}, ${bodyIf(rows, isWhole)} ${listed} LIMIT ${limit}`, values: all }
      const asked = `SELECT CASE WHEN ${isWhole} THEN ${limit} ELSE 1 END AS count FROM (${rows}) AS measured`
      const body = 'CASE WHEN (SELECT count FROM asked) > 1 THEN body END AS body'
      return {
        text: `WITH asked AS MATERIALIZED (${asked}) SELECT ${withoutBody}, ${body} ${listed} LIMIT (SELECT count FROM asked)`,
        values: all
      }
    },
    /** Id, revision and bytes of some rows of a list. */
    outline(
      table: TableSpec,
      index: string,
      key: readonly Value[],
      selection: Selection,
      { from, limit }: Part
    ): Statement {
      const { text, values } = where(table, index, key, selection)
      const part = `LIMIT ${p(values.length + 1)} OFFSET ${p(values.length + 2)}`
      return {
        text: `SELECT id, revision, ${bytes} AS bytes FROM ${textsOf(table).name}${text} ORDER BY ${ordered(table, index, selection.reverse)} ${part}`,
        values: [...values, limit, from],
        hasLimit: true
      }
    },
    count(table: TableSpec, index: string, key: readonly Value[], before: readonly Value[] = []): Statement {
      const { text, values } = where(table, index, key)
      const all = `SELECT count(*) AS count FROM ${textsOf(table).name}${text}`
      if (before.length === 0) return { text: all, values }
      const columns = orderOf(table, index).slice(0, before.length)
      const bounds = before.map((_, i) => p(values.length + i + 1))
      return {
        text: `${all}${text === '' ? ' WHERE' : ' AND'} (${columns.join(', ')}) < (${bounds.join(', ')})`,
        values: [...values, ...before.map(encode)]
      }
    },
    scan: (table: TableSpec, afterId: string, limit: number): Statement => ({
      text: `${textsOf(table).select} WHERE id > ${p(1)} ORDER BY id LIMIT ${p(2)}`,
      values: [afterId, limit],
      hasLimit: true
    }),
    /** What `scan` asks, with `bytes` of each row; all bodies are null where they are more than a page together. */
    scanSized(table: TableSpec, afterId: string, limit: number): Statement {
      const { name, withoutBody } = textsOf(table)
      const measured = `SELECT ${bytes} AS bytes FROM ${name} WHERE id > ${p(1)} ORDER BY id LIMIT ${p(2)}`
      return {
        text: `SELECT ${withoutBody}, ${bytes} AS bytes, ${bodyIf(measured, isPage)} FROM ${name} WHERE id > ${p(3)} ORDER BY id LIMIT ${p(4)}`,
        values: [afterId, limit, afterId, limit],
        hasLimit: true
      }
    }
  }
}

/** A row as the port speaks of it, from the columns of the database. `body` is empty where it was not asked for. */
export function rowReader<C extends Columns>(table: TableSpec<C>): (raw: RawRow) => Row<C> {
  const columns = Object.entries(allColumns(table)).map(([column, kind]) => ({ column, kind, key: snake(column) }))
  return (raw) => {
    const row: Record<string, Value> = {}
    for (const { column, kind, key } of columns) row[column] = decode(kind, raw[key])
    row.body ??= ''
    // Each column was decoded to the type of its kind, and every column of the table is there.
    return row as Row<C>
  }
}
