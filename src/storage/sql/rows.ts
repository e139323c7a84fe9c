import { remembered } from '../../lib/remembered.js'
import { columnOf, indexOf } from '../order.js'
import type { Row, RowOp, TableSpec, Value } from '../storage.js'
import {
  type Dialect,
  decode,
  encode,
  inserts,
  joined,
  type RawRow,
  raw,
  type Statement,
  snake,
  sql,
  statements
} from './dialect.js'
import { allColumns, nameOf } from './tables.js'

/** What is always the same about a table in a generation: the same operation always has the same text. */
export type RowTexts = ReturnType<typeof rowTexts>

/** Texts for the read tables of a generation, in a dialect. */
export function rowTexts(dialect: Dialect, prefix: string, generation: number) {
  return remembered(
    (table: TableSpec) => {
      const name = prefix + nameOf(table, generation)
      const columns = Object.keys(allColumns(table))
      const names = columns.map(dialect.column)
      const withoutBody = names.slice(0, -1).join(', ')
      return {
        name: raw(name),
        columns,
        withoutBody: raw(withoutBody),
        select: raw(`SELECT ${names.join(', ')} FROM ${name}`),
        selectWithoutBody: raw(`SELECT ${withoutBody} FROM ${name}`),
        one: `SELECT ${names.join(', ')} FROM ${name} WHERE id = ${dialect.placeholder(1)}`,
        insert: inserts(dialect, name, names, dialect.upsert('id', names.slice(1))),
        /** What a patch of a row is that sets these columns. */
        patch: remembered(
          (changed: readonly string[]) => {
            const sets = changed
              .map((column, i) => `${dialect.column(column)} = ${dialect.placeholder(i + 1)}`)
              .join(', ')
            return `UPDATE ${name} SET ${sets} WHERE id = ${dialect.placeholder(changed.length + 1)}`
          },
          (changed) => changed.join(' ')
        ),
        read: rowReader(table),
        index: remembered((name: string) => {
          const { by, order } = indexOf(table, name)
          const columns = [...order.map(dialect.column), 'id']
          return {
            by: by.map((column) => raw(dialect.column(column))),
            columns,
            order: raw(`ORDER BY ${columns.join(', ')}`),
            reversed: raw(`ORDER BY ${columns.join(' DESC, ')} DESC`)
          }
        })
      }
    },
    (table) => table.name
  )
}

/** Makes statements of row changes. */
export function rowChanges(dialect: Dialect, textsOf: RowTexts): (op: RowOp) => Statement {
  const statement = statements(dialect)
  return (op) => {
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
        return statement`DELETE FROM ${name} WHERE id = ${op.id}`
      case 'deleteWhere': {
        const where = sql`${raw(dialect.column(op.column))} = ${encode(op.value)}`
        return { ...statement`DELETE FROM ${name} WHERE ${where}`, isBulk: true }
      }
      case 'nullify': {
        const cleared = op.columns.map((column) => raw(dialect.column(column)))
        const held = cleared.map((column) => sql`${column} = ${encode(op.value)}`)
        const sets = cleared.map(
          (column, i) => sql`${column} = CASE WHEN ${held[i] ?? column} THEN NULL ELSE ${column} END`
        )
        const changed = sql`${joined(sets, ', ')}, revision = ${op.revision}`
        return { ...statement`UPDATE ${name} SET ${changed} WHERE ${joined(held, ' OR ')}`, isBulk: true }
      }
    }
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
