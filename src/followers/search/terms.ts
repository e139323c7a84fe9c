import { createHash } from 'node:crypto'
import type { Weight } from '../../../commands/records/fields.js'
import type { RestorableKind } from '../../../commands/records/kinds.js'
import { LIMITS } from '../../limits.js'
import { bodyOf, fieldTexts } from './fields.js'
import type { IndexedPlace } from './place.js'
import { bounded, pairsOf, TERM_MAX, wordsIn } from './words.js'

/** A record as the index is told of it. */
export interface SearchedRecord extends IndexedPlace {
  /** The record's stream. */
  readonly id: string
  /** The position of the event that has changed the record last. No two records share one. */
  readonly position: number
  readonly kind: RestorableKind
  /** The content, as its row holds it. */
  readonly body: string
}

/**
 * In which part of a record a word is, as the first letter of its term. Each part holds the ones before it: what is in a name
 * is in the whole record too.
 */
export const PARTS = { name: 'n', address: 'u', record: 'w' } as const

// The first has the fewest words: a word that is there is in the others too.
const PARTS_OF: Readonly<Record<Weight, readonly [Part, ...Part[]]>> = {
  name: [PARTS.name, PARTS.address, PARTS.record],
  address: [PARTS.address, PARTS.record],
  rest: [PARTS.record]
}

export type Part = (typeof PARTS)[keyof typeof PARTS]

/**
 * In long texts words follow each other where one character stands between them at most: what JSON puts between a key, its value and
 * the next one makes no phrase, and would be most of the index.
 */
const GAP = 1

/** So many terms are of the name as a whole. */
const OF_NAME = 3

/** The term of records with exactly this name, by its words. */
export function exactName(words: readonly string[]): string {
  return `x${createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 32)}`
}

/** The term with which all of a name begins that begins with these words, of a document another one. */
export function nameBeginning(words: readonly string[], ofDocument = false): string {
  return `${ofDocument ? 'l' : 'e'}${bounded(words.join('_'))}`
}

/** The term of records whose name has exactly these words, in any order. */
export function sameWords(words: readonly string[]): string {
  return `y${exactName(words.toSorted()).slice(1)}`
}

/**
 * The term of records in just this part of which two words follow each other, joined as `pairsOf` does. Of names it begins with the pair, so
 * that the second word may be the beginning of one. Of other parts, which have many pairs, it is a single character: FTS5 keeps no
 * prefixes of it. Two pairs in a million share one, so the words themselves have to be asked for, too.
 */
export function pairTerm(part: Part, pair: string): string {
  return part === PARTS.name ? `b${bounded(pair)}` : String.fromCodePoint(FIRST_PAIR + (hashed(part + pair) % PAIRS))
}

/** What is beyond the first plane of Unicode. */
const FIRST_PAIR = 0x10000
const PAIRS = 0x100000

/** A number of 32 bits for a text (FNV-1a of its UTF-16 units). */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The terms of what can be found of a record, each once, at most `LIMITS.searchTerms`, with as many of pairs as `LIMITS.searchPairs` says. */
export function termsOf({ kind, body }: Pick<SearchedRecord, 'kind' | 'body'>): readonly string[] {
  const isDocument = kind === 'document'
  const nameWords: string[] = []
  const terms = new Set<string>()
  const pairs = new Set<string>()
  for (const { weight, text } of fieldTexts(kind, bodyOf({ body }))) {
    // Documents often repeat the names of what they tell of, which is to come first.
    const parts = PARTS_OF[isDocument && weight === 'name' ? 'address' : weight]
    const words = [...wordsIn(text)]
    for (const word of words) {
      if (weight === 'name' && !word.isWhole) nameWords.push(word.text)
      if (terms.has(parts[0] + word.text)) continue
      if (terms.size + parts.length > LIMITS.searchTerms.max - OF_NAME) break
      for (const part of parts) terms.add(part + word.text)
    }
    for (const pair of pairsOf(words, weight === 'rest' ? GAP : Number.POSITIVE_INFINITY)) {
      if (pairs.size === LIMITS.searchPairs.max) break
      pairs.add(pairTerm(parts[0], pair))
    }
  }
  if (nameWords.length > 0)
    terms.add(exactName(nameWords)).add(sameWords(nameWords)).add(nameBeginning(nameWords, isDocument))
  return [...terms, ...pairs]
}

// What a record belongs to stands among its terms, so that the index itself leaves out what is not wanted.

/** The terms that say what a record is and what it belongs to. */
export function tagsOf(record: Pick<SearchedRecord, 'kind' | 'area' | 'scope' | 'folderId'>): readonly string[] {
  const { kind, area, scope, folderId } = record
  return [kindTag(kind), areaTag(area), scopeTag(scope), ...(folderId === null ? [] : [folderTag(folderId)])]
}

/** The term that all records of a kind have. */
export const kindTag = (kind: string) => `k${wordOf(kind)}`

/** The term that all records of an area have. */
export const areaTag = (area: string) => `a${wordOf(area)}`

/** The term that all records of a scope have. */
export const scopeTag = (scope: string) => `s${wordOf(scope)}`

/** The term that all records have that are directly in a folder. */
export const folderTag = (id: string) => `f${wordOf(id)}`

/** A word for a text of any characters. */
function wordOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, TERM_MAX / 2)
}
