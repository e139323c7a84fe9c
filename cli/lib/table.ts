import Table from 'cli-table3'
import { visible } from './visible.js'

/** Cells of a row, or lines. */
export type Texts = readonly string[]

const LAST_MIN = 12
const GAP = 2
const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '' },
  ...{ 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: ' '.repeat(GAP)
}

/**
 * Rows under headings, in columns: what a terminal shows. The last column takes what is left of the `width`, and is cut off there.
 * What a terminal would obey stands there as `visible` shows it.
 */
export function tableLines(head: Texts, rows: readonly Texts[], width: number): Texts {
  const cells = rows.map((row) => row.map(visible))
  const widest = (lines: Texts) => Math.max(...lines.map(({ length }) => length))
  const whole = drawn(head, cells, [])
  if (head.length < 2 || widest(whole) <= width) return whole
  const before = cells.map((row) => row.slice(0, -1))
  const last = Math.max(LAST_MIN, width - widest(drawn(head.slice(0, -1), before, [])) - GAP)
  return drawn(head, cells, [...head.slice(1).map(() => null), last])
}

function drawn(head: Texts, rows: readonly Texts[], colWidths: (number | null)[]): Texts {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ head: [...head], chars: NO_LINES, style, colWidths, wordWrap: false })
  for (const row of rows) table.push([...row])
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Something as a block of lines, which begins with the first of its fields. */
export function block(fields: Readonly<Record<string, string | number>>): Texts {
  return Object.entries(fields).map(([name, value], at) => `${at === 0 ? '-' : ' '} ${name}: ${value}`)
}
