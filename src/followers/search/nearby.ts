import { LIMITS } from '../../limits.js'

/** Alphabets beyond ASCII are blocks of so many characters. */
const BLOCK = 128
const ASCII_LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const LETTER = /^\p{L}$/u

/** A word that differs from another one in a letter; with `isPrefix` so does whatever begins with it. */
export interface Variant {
  readonly text: string
  readonly isPrefix: boolean
}

/**
 * The words that differ in one letter: one more, one less, another one, or two that changed places. Of the beginning of a word
 * those that begin whole words too, but for what differs at its end alone.
 */
export function* variantsOf(word: string, isPrefix: boolean): Generator<Variant, void> {
  const letters = [...word]
  const end = letters.length - 1
  const alphabet = alphabetOf(letters)
  const joined = (before: number, between: readonly string[], after: number) =>
    [...letters.slice(0, before), ...between, ...letters.slice(after)].join('')
  for (const [i, letter] of letters.entries()) {
    const next = letters[i + 1]
    if (next !== undefined && next !== letter) yield { text: joined(i, [next, letter], i + 2), isPrefix }
    if (next !== letter) yield { text: joined(i, [], i + 1), isPrefix: false }
    for (const other of alphabet) {
      if (other !== letter) yield { text: joined(i, [other], i + 1), isPrefix: isPrefix && i < end }
      yield { text: joined(i, [other], i), isPrefix }
    }
  }
  // With a beginning this is found anyway.
  if (!isPrefix) for (const other of alphabet) yield { text: joined(end + 1, [other], end + 1), isPrefix }
}

/** The letters of the alphabets that a word is written in. */
function alphabetOf(letters: readonly string[]): readonly string[] {
  const alphabet = new Set<string>()
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0
    for (const one of code < BLOCK ? ASCII_LETTERS : blockOf(code)) alphabet.add(one)
  }
  return [...alphabet]
}

function blockOf(code: number): readonly string[] {
  const first = code - (code % BLOCK)
  const characters = Array.from({ length: BLOCK }, (_, i) => String.fromCodePoint(first + i))
  return characters.filter((one) => LETTER.test(one) && one.toLowerCase() === one)
}

/** True for a word that `variantsOf` another one has, or that begins with what it has. Unspecified where the word is found anyway. */
export function isVariant(word: string, asked: string, isPrefix: boolean): boolean {
  if (differInOne(word, asked)) return true
  if (!isPrefix) return false
  const [same, longer] = [word.slice(0, asked.length), word.slice(0, asked.length + 1)]
  // What differs at the end alone is another word, which goes on.
  const isEndAlone = same.slice(0, -1) === asked.slice(0, -1)
  return (!isEndAlone && differInOne(same, asked)) || differInOne(longer, asked)
}

/** True for words of which one letter makes the difference. */
function differInOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  const [restA, restB] = [a.slice(head), b.slice(head)]
  if (restA.length !== restB.length) return restA.slice(1) === restB || restA === restB.slice(1)
  if (restA.slice(1) === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}

/** How many variants a question may still try. */
export class Corrections {
  #left: number = LIMITS.searchCorrections.max

  /** The variants of a word; none where they are more than may still be tried. */
  of(word: string, isPrefix: boolean): readonly Variant[] {
    const variants = [...variantsOf(word, isPrefix)]
    if (variants.length > this.#left) return []
    this.#left -= variants.length
    return variants
  }
}
