import { LIMITS } from '../../limits.js'
import { areaTag, exactName, kindTag, nameBeginning, PARTS, scopeTag } from './terms.js'
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
}

/** Records that have all of these terms, and not all of `none`. */
export interface Tier {
  readonly all: readonly Term[]
  readonly none: readonly Term[]
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

/** What to ask of the index, best first: each finds all that the one before it finds, and leaves that out. */
export function tiersOf(words: readonly AskedWord[]): readonly Tier[] {
  if (words.length === 0) return []
  const texts = words.map(({ text }) => text)
  const each = [...new Map(words.map((word) => [word.text, word])).values()]
  const inPart = (part: string): readonly Term[] => each.map(({ text, isPrefix }) => ({ text: part + text, isPrefix }))
  const inName = inPart(PARTS.name)
  const exact = { text: exactName(texts), isPrefix: false }
  const beginning = { text: nameBeginning(texts), isPrefix: true }
  const tiers = [[exact], [beginning, ...inName], inName, inPart(PARTS.address), inPart(PARTS.record)]
  return tiers.map((all, tier) => ({ all, none: tiers[tier - 1] ?? [] }))
}

/** Longer lists of scopes are looked up in the records that the words have found. */
const SCOPES_MAX = 200

/** What FTS5 is asked for a tier; with `isWide` it leaves the reach to be looked up. */
export interface Match {
  readonly expression: string
  readonly isWide: boolean
}

/** The expression for records of a tier, of the kinds and within the reach that a question names. */
export function matchOf({ all, none }: Tier, { kinds, reach }: Pick<IndexQuery, 'kinds' | 'reach'>): Match {
  const isWide = reach !== undefined && reach.scopes.length > SCOPES_MAX
  const wanted = none.length > 0 ? `((${conjunction(all)}) NOT (${conjunction(none)}))` : `(${conjunction(all)})`
  const groups = [
    ...(kinds ? [kinds.map(kindTag)] : []),
    ...(reach && !isWide ? [[...reach.areas.map(areaTag), ...reach.scopes.map(scopeTag)]] : [])
  ]
  const conditions = groups.map((words) => `(${words.map(quoted).join(' OR ')})`)
  return { expression: [wanted, ...conditions].join(' AND '), isWide }
}

function conjunction(terms: readonly Term[]): string {
  return terms.map(({ text, isPrefix }) => `${quoted(text)}${isPrefix ? ' *' : ''}`).join(' AND ')
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`
