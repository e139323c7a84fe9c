import type { AskedWord, Term, Tier, Wanted } from './question.js'
import { exactName, nameBeginning, PARTS, type Part, pairTerm, sameWords } from './terms.js'

/** What is asked, the names of those that find all that this finds, and what else there is to say of the tier. */
type Named = readonly [
  name: string,
  wanted: Wanted,
  within: readonly string[],
  more?: Pick<Tier, 'isRare' | 'adds'> | undefined
]

const RARE = { isRare: true } as const
const ADDS_HELD = { adds: 'isHeld' } as const
const ADDS_NEAR = { adds: 'isNear' } as const

/** What to ask of the index, best first; each leaves out what the ones before it find. */
export function tiersOf(words: readonly AskedWord[]): readonly Tier[] {
  if (words.length === 0) return []
  return apart(words.length === 1 ? tiersOfOne(words) : tiersOfMany(words))
}

function tiersOfOne(words: readonly AskedWord[]): readonly Named[] {
  const { exact, beginning, ofDocument } = wholeNames(words)
  return [
    ['exact', exact, ['beginning'], RARE],
    ['beginning', beginning, ['name'], RARE],
    ['name', inPart(PARTS.name, words), ['address']],
    ['beginning of a document', ofDocument, ['address'], RARE],
    ['address', inPart(PARTS.address, words), ['record']],
    ['record', inPart(PARTS.record, words), ['held']],
    ['held', inPart(PARTS.record, words, HELD), [], ADDS_HELD]
  ]
}

/** The order of words counts in each part of a record before newness does, and so do folders behind what the part itself says. */
function tiersOfMany(words: readonly AskedWord[]): readonly Named[] {
  const { exact, beginning, ofDocument } = wholeNames(words)
  return [
    ['exact', exact, ['name'], RARE],
    ['beginning', beginning, ['name'], RARE],
    ['same words', { text: sameWords(words.map(({ text }) => text)), isPrefix: false }, ['name'], RARE],
    ['phrase in name', phraseIn(PARTS.name, words), ['name'], RARE],
    ['name', inPart(PARTS.name, words), ['held name']],
    ['held name', partlyHeld(PARTS.name, words), ['held address'], ADDS_HELD],
    ['beginning of a document', ofDocument, ['address'], RARE],
    ['phrase in address', phraseIn(PARTS.address, words), ['address'], RARE],
    ['address', inPart(PARTS.address, words), ['held address']],
    ['held address', partlyHeld(PARTS.address, words), ['held'], ADDS_HELD],
    ['phrase', phraseIn(PARTS.record, words), ['record'], RARE],
    ['record', inPart(PARTS.record, words), ['held']],
    ['held', inPart(PARTS.record, words, HELD), [], ADDS_HELD]
  ]
}

/**
 * What to ask where the question as it is finds little, best first: one word may differ in a letter, and at last each may. What the
 * question itself finds is left out.
 */
export function correctionsOf(words: readonly AskedWord[]): readonly Tier[] {
  const nears = words.filter(isCorrectable)
  if (nears.length === 0) return []
  const one = (part: Part, flags: Flags): Wanted => ({
    any: nears.map((near) =>
      allOf(words.map((word) => termOf(part, word, word === near ? { ...flags, ...NEAR } : flags)))
    )
  })
  const all = allOf(words.map((word) => termOf(PARTS.record, word, isCorrectable(word) ? { ...HELD, ...NEAR } : HELD)))
  const named: readonly Named[] = [
    ['exact', inPart(PARTS.record, words, HELD), ['record']],
    ['name', one(PARTS.name, {}), ['address'], ADDS_NEAR],
    ['address', one(PARTS.address, HELD), ['record'], ADDS_NEAR],
    ['record', one(PARTS.record, HELD), ['all'], ADDS_NEAR],
    ['all', all, [], ADDS_NEAR]
  ]
  return apart(named).slice(1)
}

/** Letters alone, and not few of them: of other words each character means something. */
const CORRECTABLE = /^(?:(?![\u{10000}-\u{10ffff}])\p{L}){4,24}$/u

/** True for a word in which a letter may be forgiven. */
export const isCorrectable = ({ text }: AskedWord) => CORRECTABLE.test(text)

type Flags = Pick<Term, 'isHeld' | 'isNear'>
const HELD: Flags = { isHeld: true }
const NEAR: Flags = { isNear: true }

function wholeNames(words: readonly AskedWord[]): Readonly<Record<'exact' | 'beginning' | 'ofDocument', Wanted>> {
  const texts = words.map(({ text }) => text)
  return {
    exact: { text: exactName(texts), isPrefix: false },
    beginning: beginningOf(nameBeginning(texts), PARTS.name, words),
    // The names of documents stand among addresses.
    ofDocument: beginningOf(nameBeginning(texts, true), PARTS.address, words)
  }
}

/** A name that begins with a term. Where that does not say all of the question, the words are asked for, too. */
function beginningOf(text: string, part: Part, words: readonly AskedWord[]): Wanted {
  const isCut = text.length <= words.map((word) => word.text).join('_').length
  const term = { text, isPrefix: true }
  return words.at(-1)?.isPrefix && !isCut ? term : allOf([term, inPart(part, words)])
}

function inPart(part: Part, words: readonly AskedWord[], flags: Flags = {}): Wanted {
  return allOf(words.map((word) => termOf(part, word, flags)))
}

/** One word at least is in the part itself. */
function partlyHeld(part: Part, words: readonly AskedWord[]): Wanted {
  return allOf([{ any: words.map((word) => termOf(part, word)) }, inPart(part, words, HELD)])
}

/**
 * Each word follows the one before it. Of the last one only a name knows the beginning. Pairs of other parts may share a term, so there
 * the words are asked for, too.
 */
function phraseIn(part: Part, words: readonly AskedWord[]): Wanted {
  const isName = part === PARTS.name
  const parts = PAIRED.slice(0, PAIRED.indexOf(part) + 1)
  const asked = isName ? words : words.map(({ text }) => ({ text, isPrefix: false }))
  const pairs = asked.slice(1).map(({ text, isPrefix }, i) => ({
    any: parts.map((one) => ({ text: pairTerm(one, `${words[i]?.text}_${text}`), isPrefix }))
  }))
  return allOf(isName ? pairs : [...pairs, inPart(part, asked)])
}

const PAIRED = [PARTS.name, PARTS.address, PARTS.record]

function termOf(part: Part, { text, isPrefix }: AskedWord, flags: Flags = {}): Term {
  return { text: part + text, isPrefix, ...flags }
}

/** All of these, each once. */
function allOf(wanted: readonly Wanted[]): Wanted {
  const each = new Map(wanted.map((one) => [JSON.stringify(one), one]))
  return { all: [...each.values()] }
}

/** Each leaves out the ones before it, but for those that another one before it holds anyway. */
function apart(named: readonly Named[]): readonly Tier[] {
  return named.map(([, wanted, , more], i) => {
    const before = named.slice(0, i)
    const names = before.map(([name]) => name)
    const none = before.filter(([, , within]) => !within.some((name) => names.includes(name)))
    return { wanted, none: none.map(([, one]) => one), ...more }
  })
}
