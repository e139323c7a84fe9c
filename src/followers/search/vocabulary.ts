import { z } from 'zod'
import type { Variant } from './nearby.js'
import type { Statements } from './statements.js'
import { PARTS } from './terms.js'

/** The first term from one on. To look for one reads a page of each segment, so as few are looked for as will do. */
const FROM = 'SELECT term FROM vocabulary WHERE term >= ? ORDER BY term LIMIT 1'

const termRow = z.object({ term: z.string() })

/**
 * Those of some words that the index has, or that a word of it begins with. They are gone through in the order of terms: whatever
 * stands before the next term that there is, is none.
 */
export function variantsUsed(statements: Statements, variants: readonly Variant[]): readonly Variant[] {
  const sorted = variants.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  const used: Variant[] = []
  let i = 0
  for (let one = sorted[i]; one; one = sorted[i]) {
    const row: unknown = statements.of(FROM).get(PARTS.record + one.text)
    if (row === undefined) break
    const { term } = termRow.parse(row)
    if (!term.startsWith(PARTS.record)) break
    const word = term.slice(PARTS.record.length)
    for (; one && one.text <= word; one = sorted[++i])
      if (one.isPrefix ? word.startsWith(one.text) : word === one.text) used.push(one)
  }
  return used
}
