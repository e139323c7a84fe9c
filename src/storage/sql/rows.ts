import { indexOf } from '../order.js'
import type { Columns, ListOptions, Row, RowOp, TableSpec, Value } from '../storage.js'
import { allColumns, nameOf } from './ddl.js'
import { type Dialect, decode, encode, type Parameter, type RawRow, type Statement, snake } from './dialect.js'

/** Texts of statements on the read tables of one generation; the same operation always has the same text. */
export interface RowStatements {
  op(op: RowOp): Statement
  put(table: TableSpec, rows: readonly Row[]): Statement
  get(table: TableSpec, id: string): Statement
  getAll(table: TableSpec, ids: readonly string[]): Statement
  list(table: TableSpec, index: string, key: readonly Value[], options: ListOptions): Statement
  count(table: TableSpec, index: string, key: readonly Value[]): Statement
  scan(table: TableSpec, afterId: string, limit: number): Statement
}

/** What is always the same about a table in a generation. */
interface TableTexts {
  readonly name: string
  readonly columns: readonly string[]
  readonly names: readonly string[]
  readonly select: string
  readonly selectWithoutBody: string
}

/** Statements for the read tables of a generation, in a dialect. */
export function rowStatements(dialect: Dialect, prefix: string, generation: number): RowStatements {
  const p = dialect.placeholder
  const tables = new Map<string, TableTexts>()
  const textsOf = (table: TableSpec): TableTexts => {
    const known = tables.get(table.name)
    if (known) return known
    const name = prefix + nameOf(table, generation)
    const columns = Object.keys(allColumns(table))
    const names = columns.map(snake)
    const select = `SELECT ${names.join(', ')} FROM ${name}`
    const selectWithoutBody = `SELECT ${names.filter((one) => one !== 'body').join(', ')} FROM ${name}`
    const fresh = { name, columns, names, select, selectWithoutBody }
    tables.set(table.name, fresh)
    return fresh
  }

  const put = (table: TableSpec, rows: readonly Row[]): Statement => {
    const { name, columns, names } = textsOf(table)
    const tuple = (i: number) => `(${columns.map((_, j) => p(i * columns.length + j + 1)).join(', ')})`
    return {
      text: `INSERT INTO ${name} (${names.join(', ')}) VALUES ${rows.map((_, i) => tuple(i)).join(', ')} ${dialect.upsert('id', names.slice(1))}`,
      values: rows.flatMap((row) => columns.map((column) => encode((row as Record<string, Value>)[column])))
    }
  }

  const where = (table: TableSpec, index: string, key: readonly Value[], ids?: readonly string[]) => {
    const terms = indexOf(table, index).by.map((column, i) => `${snake(column)} = ${p(i + 1)}`)
    const values: Parameter[] = key.map(encode)
    if (ids) {
      const among = dialect.isIn('id', ids, values.length + 1)
      terms.push(among.text)
      values.push(...among.values)
    }
    return { text: terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '', values }
  }

  return {
    put,
    op(op) {
      const { name } = textsOf(op.table)
      switch (op.op) {
        case 'put':
          return put(op.table, [op.row])
        case 'patch': {
          const columns = Object.keys(op.set)
          const sets = columns.map((column, i) => `${snake(column)} = ${p(i + 1)}`).join(', ')
          return {
            text: `UPDATE ${name} SET ${sets} WHERE id = ${p(columns.length + 1)}`,
            values: [...columns.map((column) => encode(op.set[column])), op.id]
          }
        }
        case 'delete':
          return { text: `DELETE FROM ${name} WHERE id = ${p(1)}`, values: [op.id] }
        case 'deleteWhere':
          return { text: `DELETE FROM ${name} WHERE ${snake(op.column)} = ${p(1)}`, values: [encode(op.value)] }
        case 'clear': {
          const value = encode(op.value)
          const columns = op.columns.map(snake)
          const sets = columns.map((c, i) => `${c} = CASE WHEN ${c} = ${p(i + 1)} THEN NULL ELSE ${c} END`)
          const terms = columns.map((c, i) => `${c} = ${p(columns.length + 2 + i)}`)
          return {
            text: `UPDATE ${name} SET ${sets.join(', ')}, revision = ${p(columns.length + 1)} WHERE ${terms.join(' OR ')}`,
            values: [...columns.map(() => value), op.revision, ...columns.map(() => value)]
          }
        }
      }
    },
    get: (table, id) => ({ text: `${textsOf(table).select} WHERE id = ${p(1)}`, values: [id] }),
    getAll(table, ids) {
      const { text, values } = dialect.isIn('id', ids, 1)
      return { text: `${textsOf(table).select} WHERE ${text}`, values }
    },
    list(table, index, key, { ids, limit, reverse, body }) {
      const { select, selectWithoutBody } = textsOf(table)
      const { text, values } = where(table, index, key, ids)
      const direction = reverse ? ' DESC' : ''
      const order = [...indexOf(table, index).order.map(snake), 'id'].map((column) => column + direction).join(', ')
      const all = `${body === false ? selectWithoutBody : select}${text} ORDER BY ${order}`
      // A value and not a part of the text: limits vary, and every text is a statement that the database prepares.
      return limit === undefined
        ? { text: all, values }
        : { text: `${all} LIMIT ${p(values.length + 1)}`, values: [...values, limit] }
    },
    count(table, index, key) {
      const { text, values } = where(table, index, key)
      return { text: `SELECT count(*) AS count FROM ${textsOf(table).name}${text}`, values }
    },
    scan: (table, afterId, limit) => ({
      text: `${textsOf(table).select} WHERE id > ${p(1)} ORDER BY id LIMIT ${p(2)}`,
      values: [afterId, limit]
    })
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
