import { createHash } from 'node:crypto'
import type { Weight } from '../../../commands/records/fields.js'
import type { RestorableKind } from '../../../commands/records/kinds.js'
import { LIMITS } from '../../limits.js'
import { bodyOf, fieldTexts } from './fields.js'
import { bounded, TERM_MAX, wordsIn } from './words.js'

/** A record as the index is told of it. */
export interface SearchedRecord {
  /** The record's stream. */
  readonly id: string
  /** The position of the event that has changed the record last. No two records share one. */
  readonly position: number
  readonly kind: RestorableKind
  /** What access is given to as a whole, and the part of it that this belongs to. */
  readonly area: string
  readonly scope: string
  /** The content, as its row holds it. */
  readonly body: string
}

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

/** The terms of what can be found of a record, each once, at most `LIMITS.searchTerms`. */
export function termsOf({ kind, body }: Pick<SearchedRecord, 'kind' | 'body'>): readonly string[] {
  const nameWords: string[] = []
  const terms = new Set<string>()
  for (const { weight, text } of fieldTexts(kind, bodyOf({ body }))) {
    const parts = PARTS_OF[weight]
    for (const word of wordsIn(text)) {
      if (weight === 'name' && !word.isWhole) nameWords.push(word.text)
      if (terms.has(parts[0] + word.text)) continue
      if (terms.size + parts.length > LIMITS.searchTerms.max - OF_NAME) break
      for (const part of parts) terms.add(part + word.text)
    }
  }
  if (nameWords.length > 0) terms.add(exactName(nameWords)).add(nameBeginning(nameWords))
  return [...terms]
}

// What a record belongs to stands among its terms, so that the index itself leaves out what is not wanted.

/** The terms that say what a record is and what it belongs to. */
export function tagsOf({ kind, area, scope }: Pick<SearchedRecord, 'kind' | 'area' | 'scope'>): readonly string[] {
  return [kindTag(kind), areaTag(area), scopeTag(scope)]
}

/** The term that all records of a kind have. */
export const kindTag = (kind: string) => `k${wordOf(kind)}`

/** The term that all records of an area have. */
export const areaTag = (area: string) => `a${wordOf(area)}`

/** The term that all records of a scope have. */
export const scopeTag = (scope: string) => `s${wordOf(scope)}`

/** A word for a text of any characters. */
function wordOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, TERM_MAX / 2)
}
