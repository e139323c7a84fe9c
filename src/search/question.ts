import { LIMITS } from '../limits.js'
import type { IndexQuery, Term } from '../storage/searchIndex.js'
import { exactName, nameBeginning, PARTS } from './entries.js'
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

type Tier = Pick<IndexQuery, 'all' | 'none'>

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
  return tiers.map((all, tier) => ({ all, ...(tier > 0 && { none: tiers[tier - 1] ?? [] }) }))
}
