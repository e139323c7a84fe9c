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

/** Statements for the read tables of a generation, in a dialect. */
export function rowStatements(dialect: Dialect, prefix: string, generation: number): RowStatements {
  const p = dialect.placeholder
  const name = (table: TableSpec) => prefix + nameOf(table, generation)

  const put = (table: TableSpec, rows: readonly Row[]): Statement => {
    const columns = Object.keys(allColumns(table))
    const names = columns.map(snake)
    const tuple = (i: number) => `(${columns.map((_, j) => p(i * columns.length + j + 1)).join(', ')})`
    return {
      text: `INSERT INTO ${name(table)} (${names.join(', ')}) VALUES ${rows.map((_, i) => tuple(i)).join(', ')} ${dialect.upsert('id', names.slice(1))}`,
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
      const table = name(op.table)
      switch (op.op) {
        case 'put':
          return put(op.table, [op.row])
        case 'patch': {
          const columns = Object.keys(op.set)
          const sets = columns.map((column, i) => `${snake(column)} = ${p(i + 1)}`).join(', ')
          return {
            text: `UPDATE ${table} SET ${sets} WHERE id = ${p(columns.length + 1)}`,
            values: [...columns.map((column) => encode(op.set[column])), op.id]
          }
        }
        case 'delete':
          return { text: `DELETE FROM ${table} WHERE id = ${p(1)}`, values: [op.id] }
        case 'deleteWhere':
          return { text: `DELETE FROM ${table} WHERE ${snake(op.column)} = ${p(1)}`, values: [encode(op.value)] }
        case 'clear': {
          const value = encode(op.value)
          const columns = op.columns.map(snake)
          const sets = columns.map((c, i) => `${c} = CASE WHEN ${c} = ${p(i + 1)} THEN NULL ELSE ${c} END`)
          const terms = columns.map((c, i) => `${c} = ${p(columns.length + 2 + i)}`)
          return {
            text: `UPDATE ${table} SET ${sets.join(', ')}, revision = ${p(columns.length + 1)} WHERE ${terms.join(' OR ')}`,
            values: [...columns.map(() => value), op.revision, ...columns.map(() => value)]
          }
        }
      }
    },
    get: (table, id) => ({ text: `SELECT * FROM ${name(table)} WHERE id = ${p(1)}`, values: [id] }),
    getAll(table, ids) {
      const { text, values } = dialect.isIn('id', ids, 1)
      return { text: `SELECT * FROM ${name(table)} WHERE ${text}`, values }
    },
    list(table, index, key, { ids, limit, reverse, body }) {
      const { text, values } = where(table, index, key, ids)
      const columns =
        body === false
          ? Object.keys(allColumns(table))
              .map(snake)
              .filter((c) => c !== 'body')
              .join(', ')
          : '*'
      const direction = reverse ? ' DESC' : ''
      const order = [...indexOf(table, index).order.map(snake), 'id'].map((column) => column + direction).join(', ')
      return {
        text: `SELECT ${columns} FROM ${name(table)}${text} ORDER BY ${order}${limit === undefined ? '' : ` LIMIT ${limit}`}`,
        values
      }
    },
    count(table, index, key) {
      const { text, values } = where(table, index, key)
      return { text: `SELECT count(*) AS count FROM ${name(table)}${text}`, values }
    },
    scan: (table, afterId, limit) => ({
      text: `SELECT * FROM ${name(table)} WHERE id > ${p(1)} ORDER BY id LIMIT ${limit}`,
      values: [afterId]
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
