import type { IndexSpec, ListOptions, PartOptions, Row, Value } from './storage.js'

/** Compares as databases do by code point and byte: the same order everywhere, whatever the text. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const left = Number(a ?? Number.NEGATIVE_INFINITY)
  const right = Number(b ?? Number.NEGATIVE_INFINITY)
  return left < right ? -1 : left > right ? 1 : 0
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    // Surrogates stand for code points above all others, though their own values do not.
    if (x !== y) return (isSurrogate(x) ? x + 0x10000 : x) - (isSurrogate(y) ? y + 0x10000 : y)
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/** The value of a row in a column of its table. */
export function columnOf(row: Row, column: string): Value {
  return (row as Readonly<Record<string, Value>>)[column] ?? null
}

/** True when the row has this value in the column. As in SQL, null equals nothing. */
export function holds(row: Row, column: string, value: Value | undefined): boolean {
  return value !== null && columnOf(row, column) === value
}

/** True when the row stands under this key of the index. */
export function matches(row: Row, { by }: IndexSpec, key: readonly Value[]): boolean {
  return by.every((column, i) => holds(row, column, key[i]))
}

/** The order of an index: its columns, then id. */
export function inOrder({ order }: IndexSpec): (a: Row, b: Row) => number {
  const columns = [...order, 'id']
  return (a, b) => {
    for (const column of columns) {
      const result = compareValues(columnOf(a, column), columnOf(b, column))
      if (result !== 0) return result
    }
    return 0
  }
}

/** True when the row stands before these values of the order of an index: of its columns and the id, or the first few of them. */
export function isBefore(row: Row, index: IndexSpec, values: readonly Value[]): boolean {
  return compareTo(row, index, values) < 0
}

function compareTo(row: Row, { order }: IndexSpec, values: readonly Value[]): number {
  const columns = [...order, 'id']
  const differences = values.map((value, i) => compareValues(columnOf(row, columns[i] ?? 'id'), value))
  return differences.find((difference) => difference !== 0) ?? 0
}

/** What a list, or a part of it, answers from all rows of a table: the meaning that every driver must have. */
export function select<R extends Row>(
  rows: Iterable<R>,
  index: IndexSpec,
  key: readonly Value[],
  { ids, limit, reverse, after }: ListOptions & Partial<PartOptions>
): R[] {
  const wanted = ids && new Set(ids)
  const isBehind = (row: Row) => after === undefined || compareTo(row, index, after) * (reverse ? -1 : 1) > 0
  const found: R[] = []
  for (const row of rows)
    if (matches(row, index, key) && (!wanted || wanted.has(row.id)) && isBehind(row)) found.push(row)
  found.sort(inOrder(index))
  if (reverse) found.reverse()
  return limit === undefined ? found : found.slice(0, limit)
}

/** The index of that name, which a table must have. */
export function indexOf(
  table: { name: string; indexes: Readonly<Record<string, IndexSpec>> },
  name: string
): IndexSpec {
  const index = table.indexes[name]
  if (!index) throw new Error(`Table ${table.name} has no index ${name}.`)
  return index
}
