import stringWidth from 'string-width'
import { visible } from './visible.js'

/** Cells of a row, or lines. */
export type Texts = readonly string[]

const LAST_MIN = 12
const GAP = 2
const CUT = '…'

/**
 * Rows under headings, in columns: what a terminal shows. The last column takes what is left of the `width`, and is cut off there.
 * What a terminal would obey stands there as `visible` shows it.
 */
export function tableLines(head: Texts, rows: readonly Texts[], width: number): Texts {
  const all = [head, ...rows.map((row) => row.map(visible))]
  const before = head.slice(0, -1).map((_, at) => widest(all, at))
  const room = Math.max(LAST_MIN, width - before.reduce((sum, one) => sum + one + GAP, 0))
  return all.map((row) => {
    const columns = before.map((wide, at) => padded(row[at] ?? '', wide + GAP))
    const last = row[before.length] ?? ''
    return [...columns, before.length === 0 ? last : cut(last, room)].join('').trimEnd()
  })
}

/** How many columns of a terminal a text takes. Plain letters are counted at once, of which the most is made. */
function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text)
}

function widest(rows: readonly Texts[], at: number): number {
  return rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0)
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text))
}

const signs = new Intl.Segmenter()

/** As much of a text as fits, with a sign at its end where that is not all. Signs take one column or two, and none is halved. */
function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let [kept, left] = ['', width - widthOf(CUT)]
  for (const { segment } of signs.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return kept + CUT
}

/** Something as a block of lines, which begins with the first of its fields. */
export function block(fields: Readonly<Record<string, string | number>>): Texts {
  return Object.entries(fields).map(([name, value], at) => `${at === 0 ? '-' : ' '} ${name}: ${value}`)
}
