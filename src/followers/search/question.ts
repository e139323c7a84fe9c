import { LIMITS } from '../../limits.js'
import { type Word, wordsIn } from './words.js'

/** A word that is looked for: itself, or with `isPrefix` everything that begins so. */
export interface AskedWord {
  readonly text: string
  readonly isPrefix: boolean
}

/** The words of a question. The last is the beginning of one, unless a quotation mark stands behind it. */
export function askedWords(q: string): readonly AskedWord[] {
  const text = q.slice(0, LIMITS.searchQuery.max)
  const words: Word[] = []
  for (const word of wordsIn(text)) {
    if (!word.isWhole) words.push(word)
    if (words.length === LIMITS.searchQueryWords.max) break
  }
  const last = words.at(-1)
  const isOpen = last !== undefined && !text.slice(last.to).includes('"')
  return words.map((word) => ({ text: word.text, isPrefix: word === last && isOpen }))
}

/** A term that a record must have, or with `isPrefix` any term that begins so. */
export interface Term {
  readonly text: string
  readonly isPrefix: boolean
  /** A term will do, too, that differs in one letter. */
  readonly isNear?: boolean
  /** It will do, too, that the record is in a folder or a collection whose name has this. */
  readonly isHeld?: boolean
}

/** What a record must have. */
export type Wanted = Term | { readonly all: readonly Wanted[] } | { readonly any: readonly Wanted[] }

/** Records that have what is wanted, and nothing of `none`: that is what tiers before it find. */
export interface Tier {
  readonly wanted: Wanted
  readonly none: readonly Wanted[]
  /** True where few records of the whole index have this. */
  readonly isRare?: boolean
  /** What it has beyond the tiers before it: where no folder holds anything, or no word is near, it finds nothing. */
  readonly adds?: 'isHeld' | 'isNear'
}

/** Which records belong to an area or a scope of these. */
export interface SearchReach {
  readonly areas: readonly string[]
  readonly scopes: readonly string[]
}

/** What is asked of the index. */
export interface IndexQuery {
  /** Best first. */
  readonly tiers: readonly Tier[]
  /** Asked behind these where they have found little. Their numbers go on behind those of `tiers`. */
  readonly ifFew?: readonly Tier[] | undefined
  /** Only records of these kinds. */
  readonly kinds?: readonly string[] | undefined
  /** Only records within this reach; every record without it. */
  readonly reach?: SearchReach | undefined
  /** Where to begin: in which tier, and there only with positions below this one. */
  readonly from: { readonly tier: number; readonly before?: number | undefined }
  readonly limit: number
}

/** A record that was found, and in which tier. */
export interface FoundEntry {
  /** The record's stream. */
  readonly id: string
  readonly position: number
  readonly tier: number
}
