import mysql from 'mysql2'
import type { Parameter, Statement } from '../sql/dialect.js'

const ROWS_MAX = 200

/** A statement with its values in it, escaped for a session in utf8mb4 where backslashes escape. */
export function textOf({ text, values }: Statement): string {
  return values.length === 0 ? text : mysql.format(text, values.map(mutable))
}

/** Texts of the statements, in order. Inserts of one row each that follow one another into one table become one insert. */
export function textsOf(statements: readonly Statement[]): readonly string[] {
  const texts: string[] = []
  let rows: string[] = []
  for (const [i, statement] of statements.entries()) {
    const { insert, text, values } = statement
    if (!insert) {
      texts.push(textOf(statement))
      continue
    }
    rows.push(`(${values.map((value) => mysql.escape(mutable(value))).join(', ')})`)
    // The server takes row by row, so that a row which comes twice ends as its last.
    if (rows.length === ROWS_MAX || statements[i + 1]?.text !== text) {
      texts.push(`${insert.before}${rows.join(', ')}${insert.behind}`)
      rows = []
    }
  }
  return texts
}

/** The client asks for lists that it could change. */
function mutable(value: Parameter): string | number | null | (string | number)[] | Buffer {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? [...value] : value
}
