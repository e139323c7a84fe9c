import { createHash } from 'node:crypto'
import { itemPositionOf } from '../../commands/kind.js'
import { isMember, type RestorableKind } from '../../commands/kinds.js'
import { LIMITS } from '../limits.js'
import type { SearchEntry } from '../storage/searchIndex.js'
import type { Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { bodyOf, fieldTexts, type Weight } from './fields.js'
import { bounded, wordsIn } from './words.js'

/** Raised when the same record gets other terms, or a database keeps them otherwise: every index is then made anew. */
export const INDEX_VERSION = 3

/**
 * In which part of a record a word is, as the first letter of its term. Each part holds the ones before it: what is in a name
 * is in the whole record too.
 */
export const PARTS = { name: 'n', address: 'u', record: 'w' } as const

// The first has the fewest words: a word that is there is in the others too.
const PARTS_OF: Readonly<Record<Weight, readonly [string, ...string[]]>> = {
  name: [PARTS.name, PARTS.address, PARTS.record],
  address: [PARTS.address, PARTS.record],
  rest: [PARTS.record]
}

/** So many terms are of the name as a whole. */
const OF_NAME = 2

/** The term of records with exactly this name, by its words. */
export function exactName(words: readonly string[]): string {
  return `x${createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 32)}`
}

/** The term with which all of a name begins that begins with these words. */
export function nameBeginning(words: readonly string[]): string {
  return `e${bounded(words.join('_'))}`
}

/** What can be found of the record in a row, which the event at this position has changed last. Others have their turn between texts. */
export async function entryOf(kind: RestorableKind, row: Row, position: number): Promise<SearchEntry> {
  const nameWords: string[] = []
  const terms = new Set<string>()
  for (const { weight, text } of fieldTexts(kind, bodyOf(row))) {
    const parts = PARTS_OF[weight]
    for (const word of wordsIn(text)) {
      if (weight === 'name' && !word.isWhole) nameWords.push(word.text)
      if (terms.has(parts[0] + word.text)) continue
      if (terms.size + parts.length > LIMITS.searchTerms.max - OF_NAME) break
      for (const part of parts) terms.add(part + word.text)
    }
    await giveWay()
  }
  if (nameWords.length > 0) terms.add(exactName(nameWords)).add(nameBeginning(nameWords))
  return { id: `${kind}-${row.id}`, position, kind, ...placeOf(kind, row), terms: [...terms] }
}

/** What access is given to as a whole, and which part of it: a member belongs to its collection. */
export function placeOf(kind: RestorableKind, row: Row): { readonly area: string; readonly scope: string } {
  if (isMember(kind)) return { area: 'collection', scope: scopeOf('collection', itemPositionOf(row).collectionId) }
  return { area: kind, scope: scopeOf(kind, row.id) }
}

/** The scope of a record that stands on its own, and of all that it holds. */
export function scopeOf(kind: string, id: string): string {
  return `${kind}-${id}`
}
